/**
 * Words with which older clients say that a team may use a proxy. The gateway knows no lesser use than whole use, so
 * they are taken where they allow all of it.
 */
const words: ReadonlySet<string> = new Set(['read', 'write', 'execute', 'call', 'all', '*']);

const isWhole = (given: readonly string[]): boolean =>
  given.includes('*') || given.includes('all') || (given.includes('read') && given.includes('write'));

/** What is wrong with permissions in words such as `read,write`, or undefined. */
export function findWordProblem(text: string): string | undefined {
  const given = text.split(',').map((word) => word.trim().toLowerCase());
  const unknown = given.find((word) => !words.has(word));
  if (unknown !== undefined)
    return `${JSON.stringify(unknown.slice(0, 50))} is no JSON object and no known word: ${allowed}`;
  return isWhole(given) ? undefined : `${JSON.stringify(text)} would restrict nothing: ${allowed}`;
}

const allowed = 'write {"tools": [...]} to say which tools may be called, or {} or read,write for all of the proxy';
