import type { PackageFile, SkillPackage } from '../package/read-package.ts';
import { placeOfFile } from '../reading/place-of-file.ts';
import { commandSink, networkSink } from '../flow/value-kinds.ts';
import type { Detection } from '../detection.ts';

/** Front matter that asks for nothing at all. */
const asksForNothing = /^(?:permissions|allowed-tools|tools)\s{0,2}:\s{0,3}(?:\[\s{0,3}\]|none|~|null)\s{0,3}$/im;
/** Front matter that asks for reading and nothing else. */
const asksForReading =
  /^(?:permissions|tools)\s{0,2}:\s{0,3}(?:\[\s{0,3}["']?read[\w:-]{0,30}["']?(?:[\s,]{1,3}["']?read[\w:-]{0,30}["']?){0,7}[\s,]{0,3}\]|(?:\n\s{0,6}-\s{1,3}["']?read[\w:-]{0,30}["']?){1,8}(?=\n(?!\s{0,6}-\s)))/im;

const writes =
  /\bopen\(\s{0,2}[^\n,)]{1,120},\s{0,2}(?:mode\s{0,2}=\s{0,2})?['"][wa]b?\+?['"]|\b(?:writeFile|appendFile)(?:Sync)?\(|\.write_text\(/;

/** A call that sends something, rather than asks for something. */
const sends =
  /\b(?:requests|httpx|session|client|axios|got|superagent)\.(?:post|put|patch)\(|\bmethod['"]?\s{0,2}[:=]\s{0,2}['"](?:POST|PUT|PATCH)['"]|\bcurl\b[^\n]{0,200}\s(?:-d|--data\S{0,12}|-F|--form|-T|--upload-file|-X\s{0,2}(?:POST|PUT))\s|\bInvoke-(?:WebRequest|RestMethod)\b[^\n]{0,200}-Method\s{1,3}(?:Post|Put)\b/i;
const foreignHost =
  /\bhttps?:\/\/(?!localhost|127\.|0\.0\.0\.0|\[::1\]|(?:[\w-]{1,40}\.)?example\.(?:com|org|net)\b|schemas?\.|www\.w3\.org)[\w-]{1,60}(?:\.[\w-]{1,60}){1,6}/i;
const speaksOfNetwork =
  /\b(?:https?:|apis?\b|network|internet|online|upload|download|fetch|web\b|website|webhook|requests?\b|server|remote|send|sends|sending|sync|cloud|endpoint|urls?\b|telemetry|analytics|publish|post(?:s|ed|ing)?\b|e-?mail|notif|slack|discord|telegram|github|service|model|token|query|search)/i;

/** Code that does what the skill's own document leaves out. */
export function findUndeclaredAbility(skill: SkillPackage): readonly Detection[] {
  const main = skill.files.find(({ path }) => /(?:^|\/)SKILL\.md$/i.test(path));
  if (main?.text === undefined) return [];
  const head = /^---\r?\n[^]{0,6000}?\n---/.exec(main.text.slice(0, 6_100))?.[0] ?? '';
  const unasked = [
    ...(asksForNothing.test(head) ? [commandSink, networkSink] : []),
    ...(asksForReading.test(head) ? [commandSink, networkSink, writes] : []),
  ];
  const isSilent = !speaksOfNetwork.test(main.text);
  if (unasked.length === 0 && !isSilent) return [];
  return skill.files.filter(isScript).flatMap((file) => {
    const text = file.text ?? '';
    const looks = unasked.find((one) => one.test(text)) ?? (isSilent && foreignHost.test(text) ? sends : undefined);
    const found = looks?.exec(text);
    if (found === null || found === undefined) return [];
    return [
      { detector: 'undeclared-ability', file, start: found.index, end: found.index + found[0].length, weight: 1 },
    ];
  });
}

const isScript = ({ path, language }: PackageFile): boolean =>
  language !== undefined && code.has(language) && placeOfFile(path, true) === 'script';

const code: ReadonlySet<string> = new Set(['shell', 'python', 'javascript', 'powershell', 'ruby', 'go', 'php']);
