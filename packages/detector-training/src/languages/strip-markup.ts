const blank = /[ \t\u00a0]+/g;
const paragraphsOf = (text: string): readonly string[] =>
  text
    .split(/\n\s*\n/)
    .map((paragraph) =>
      paragraph
        .replaceAll(/\s*\n\s*/g, ' ')
        .replaceAll(blank, ' ')
        .trim(),
    )
    .filter((paragraph) => paragraph !== '');

const entities: Readonly<Record<string, string>> = {
  amp: '&',
  lt: '<',
  gt: '>',
  quot: '"',
  apos: "'",
  nbsp: ' ',
};

const decodeEntities = (text: string): string =>
  text.replaceAll(
    /&(?:#(\d{1,6})|#x([\da-f]{1,5})|(\w{1,8}));/gi,
    (whole, decimal?: string, hex?: string, name?: string) => {
      if (decimal !== undefined) return String.fromCodePoint(Number(decimal));
      if (hex !== undefined) return String.fromCodePoint(Number.parseInt(hex, 16));
      return entities[name ?? ''] ?? whole;
    },
  );

/** The paragraphs of an HTML page, without programs and without what surrounds its text. */
export function paragraphsOfHtml(html: string): readonly string[] {
  const body = html
    .replaceAll(/<!--[^]*?-->/g, '')
    .replaceAll(/<(script|style|head|header|nav|aside|footer|pre|code|button|noscript)\b[^]*?<\/\1>/gi, ' ');
  const blocks = body.replaceAll(/<\/?(?:p|div|li|h\d|tr|td|th|dt|dd|table|ul|ol|br|section)\b[^>]*>/gi, '\n\n');
  return paragraphsOf(decodeEntities(blocks.replaceAll(/<[^>]*>/g, '')));
}

const roffSigns: Readonly<Record<string, string>> = {
  '(aq': "'",
  '(dq': '"',
  '(lq': '“',
  '(rq': '”',
  '(oq': '‘',
  '(cq': '’',
  '(em': '—',
  '(en': '–',
  '(bu': '•',
  '(ti': '~',
  '(ha': '^',
  '(co': '©',
  '(Fo': '«',
  '(Fc': '»',
  '-': '-',
  e: '\\',
  ' ': ' ',
  '~': ' ',
  '0': ' ',
};

const stripRoffEscapes = (line: string): string =>
  line
    .replaceAll(/\\["#].*$/g, '')
    .replaceAll(/\\[fFmMs](?:\[[^\]]*\]|\([^]{2}|[-+]?\d|[^])/g, '')
    .replaceAll(/\\\[u([\dA-F]{4,5})\]/g, (_whole, code: string) => String.fromCodePoint(Number.parseInt(code, 16)))
    .replaceAll(/\\\[(\w\w)\]/g, '\\($1')
    .replaceAll(/\\(\([^]{2}|\*\(?[^]{1,2}|[^])/g, (_whole, sign: string) => roffSigns[sign] ?? '');

/** The paragraphs of a manual page, without its examples. */
export function paragraphsOfManual(roff: string): readonly string[] {
  const lines: string[] = [];
  let isExample = false;
  for (const line of roff.split('\n')) {
    const [, request, rest = ''] = /^[.'][ \t]*(\S*)[ \t]*(.*)$/.exec(line) ?? [];
    if (request === undefined) {
      if (!isExample) lines.push(stripRoffEscapes(line));
    } else if (/^(?:nf|EX|TS|Bd)$/.test(request)) {
      isExample = true;
    } else if (/^(?:fi|EE|TE|Ed)$/.test(request)) {
      isExample = false;
    } else if (/^(?:B|I|BR|IR|RB|RI|IB|BI|SM|SB)$/.test(request)) {
      if (!isExample) lines.push(stripRoffEscapes(rest.replaceAll('"', '')));
    } else {
      lines.push('');
    }
  }
  return paragraphsOf(lines.join('\n'));
}

/** The sayings of a collection, one after the other between lines of `%`. */
export const paragraphsOfSayings = (text: string): readonly string[] =>
  text.split(/^%.*$/m).flatMap((saying) => paragraphsOf(saying));
