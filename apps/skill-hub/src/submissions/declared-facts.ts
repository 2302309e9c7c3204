/** What a SKILL.md says of itself before its text, as far as the registry shows it. */
export interface DeclaredFacts {
  readonly name: string | undefined;
  readonly version: string | undefined;
  readonly description: string | undefined;
  readonly author: string | undefined;
  readonly tags: readonly string[];
}

const maxHead = 20_000;
const maxTags = 20;
const maxTagLength = 40;

/** Reads keys of one line: what is folded over several lines is not needed to show a skill. Never throws. */
export function readDeclaredFacts(source: string): DeclaredFacts {
  const head = /^\uFEFF?---\r?\n([^]*?)\r?\n---(?:\r?\n|$)/.exec(source.slice(0, maxHead))?.[1] ?? '';
  const values = new Map<string, string>();
  for (const line of head.split(/\r?\n/)) {
    const [, key = '', written = ''] = /^\s{0,8}([A-Za-z][\w-]{0,40}):([^]*)$/.exec(line) ?? [];
    const value = written.trim();
    // A carriage return by itself ends a line for some readers and for others does not.
    if (value === '' || /[\r\u2028\u2029]/.test(value)) continue;
    if (!values.has(key.toLowerCase())) values.set(key.toLowerCase(), unquote(value));
  }
  const tags = (values.get('tags') ?? values.get('keywords') ?? '')
    .replace(/^\[|\]$/g, '')
    .split(',')
    .map((tag) => unquote(tag.trim()))
    .filter((tag) => tag !== '' && tag.length <= maxTagLength && !/\p{C}/u.test(tag));
  return {
    name: values.get('name'),
    version: values.get('version'),
    description: values.get('description'),
    author: values.get('author'),
    tags: [...new Set(tags)].slice(0, maxTags),
  };
}

const unquote = (value: string): string => /^(["'])(.*)\1$/.exec(value)?.[2] ?? value;
