/** Tags in which agents put what they themselves tell the model into a user's turn. */
const tags = [
  'system-reminder',
  'environment_context',
  'environment_details',
  'session_context',
  'user_instructions',
  'user_info',
  'project_layout',
];

/** `# AGENTS.md instructions for <folder>` stands above its tag. */
const openings = new RegExp(
  `^\\s{0,16}(?:<(?<tag>${tags.join('|')})>|# AGENTS\\.md instructions(?: for [^\\n]{1,1000})?\\s{1,4}<(?<headed>INSTRUCTIONS)>)`,
);

/**
 * True when a text is nothing but one tag of an agent with what stands in it. What goes on behind the first closing tag
 * belongs to another author, for any closing mark.
 */
export function isAgentText(text: string): boolean {
  const found = openings.exec(text);
  const tag = found?.groups?.['tag'] ?? found?.groups?.['headed'];
  if (tag === undefined) return false;
  const close = `</${tag}>`;
  const end = text.indexOf(close);
  return end >= 0 && text.slice(end + close.length).trim() === '';
}
