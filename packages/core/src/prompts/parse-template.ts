export const promptVariables = [
  'User',
  'UserEmail',
  'UserGroup',
  'Date',
  'Time',
  'Organization',
  'ProxyName',
  'ProxyID',
] as const;
export type PromptVariable = (typeof promptVariables)[number];

/** Texts, and variables between them. */
export type Template = readonly (string | { readonly variable: PromptVariable })[];

export interface TemplateProblem {
  /** From 1. */
  readonly line: number;
  readonly column: number;
  readonly problem: string;
}

export type ParsedTemplate =
  | { readonly template: Template; readonly problems: readonly [] }
  | { readonly template: undefined; readonly problems: readonly TemplateProblem[] };

/**
 * Reads Go's syntax for variables: `{{.User}}`, with blanks inside as one likes, and `{{- .User -}}`
 * to swallow the blanks around it. Nothing else of Go's templates exists here: no pipelines, no
 * conditions. Every problem is told.
 */
export function parseTemplate(content: string): ParsedTemplate {
  const template: (string | { readonly variable: PromptVariable })[] = [];
  const problems: TemplateProblem[] = [];
  const refuse = (offset: number, problem: string) => problems.push({ ...placeOf(content, offset), problem });

  let from = 0;
  let trimText = false;
  for (let open = content.indexOf('{{'); open !== -1; open = content.indexOf('{{', from)) {
    const close = content.indexOf('}}', open + 2);
    const next = content.indexOf('{{', open + 2);
    if (close === -1 || (next !== -1 && next < close)) {
      refuse(open, '{{ is not closed by }}');
      if (next === -1) return { template: undefined, problems };
      from = next;
      continue;
    }
    const { trimBefore, word, trimAfter } = parseAction(content.slice(open + 2, close));
    const text = trimmedStart(content.slice(from, open), trimText);
    template.push(trimBefore ? text.trimEnd() : text);
    const variable = promptVariables.find((name) => word === `.${name}`);
    if (variable === undefined) refuse(open, explain(word));
    else template.push({ variable });
    trimText = trimAfter;
    from = close + 2;
  }
  template.push(trimmedStart(content.slice(from), trimText));
  if (problems.length > 0) return { template: undefined, problems };
  return { template: template.filter((part) => part !== ''), problems: [] };
}

export const renderTemplate = (template: Template, values: Readonly<Record<PromptVariable, string>>): string =>
  template.map((part) => (typeof part === 'string' ? part : values[part.variable])).join('');

/** What stands between `{{` and `}}`. Trim markers need a blank on their inner side. */
function parseAction(inner: string) {
  const trimBefore = /^-\s/.test(inner);
  const trimAfter = inner.length > (trimBefore ? 2 : 1) && /\s-$/.test(inner.slice(-2));
  const word = inner.slice(trimBefore ? 1 : 0, trimAfter ? -1 : undefined).trim();
  return { trimBefore, word, trimAfter };
}

const trimmedStart = (text: string, trim: boolean): string => (trim ? text.trimStart() : text);

const shownLength = 40;

function explain(word: string): string {
  if (word === '') return 'there is nothing between {{ and }}';
  const shown = word.length > shownLength ? `${word.slice(0, shownLength)}…` : word;
  return /^\.\w+$/.test(word) ? `there is no variable ${shown}` : `${shown} is not a variable, such as .User`;
}

function placeOf(content: string, offset: number): { readonly line: number; readonly column: number } {
  const before = content.slice(0, offset);
  return { line: before.split('\n').length, column: offset - before.lastIndexOf('\n') };
}
