/** A pattern as it is written in a file. */
export interface WrittenPattern {
  readonly source: string;
  readonly flags: string;
  readonly line: number;
}

/** Behind these words stands a value, behind others an operator. */
const beforeValue = new Set('return typeof instanceof in of new delete void throw case do else yield await'.split(' '));

const token =
  /(?<blank>\s+|\/\/.*|\/\*[^]*?\*\/)|(?<word>[\p{L}\p{N}_$#]+)|(?<text>'(?:[^'\\\n]|\\[^])*'|"(?:[^"\\\n]|\\[^])*")|(?<sign>[^])/uy;
const literal = /\/((?:[^\\/[\n]|\\.|\[(?:[^\]\\\n]|\\.)*\])+)\/([a-z]*)/y;

/** The regular expressions written in a TypeScript file. What stands before a slash tells whether one begins there or something is divided. */
export function findPatterns(code: string): readonly WrittenPattern[] {
  const found: WrittenPattern[] = [];
  /** Brackets that are open; a template goes on where the one of its value closes. */
  const open: ('{' | '${')[] = [];
  let valueBefore = false;
  let at = 0;
  const skipTemplate = (): void => {
    for (; at < code.length; at += 1) {
      if (code[at] === '\\') at += 1;
      else if (code[at] === '`') break;
      else if (code.startsWith('${', at)) {
        open.push('${');
        at += 2;
        valueBefore = false;
        return;
      }
    }
    at += 1;
    valueBefore = true;
  };
  while (at < code.length) {
    token.lastIndex = at;
    const { blank, word, text, sign = '' } = token.exec(code)?.groups ?? {};
    literal.lastIndex = at;
    const regex = sign === '/' && !valueBefore ? literal.exec(code) : null;
    if (regex !== null) {
      const [whole, source = '', flags = ''] = regex;
      found.push({ source, flags, line: code.slice(0, at).split('\n').length });
      at += whole.length;
      valueBefore = true;
      continue;
    }
    at += (blank ?? word ?? text ?? sign).length;
    if (blank !== undefined) continue;
    if (sign === '{') open.push('{');
    if (sign === '`' || (sign === '}' && open.pop() === '${')) skipTemplate();
    else valueBefore = text !== undefined || (word !== undefined && !beforeValue.has(word)) || /[)\]}]/.test(sign);
  }
  return found;
}
