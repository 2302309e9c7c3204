import { trimEndMatching } from '../text/trim-matching.ts';
import type { Part } from './task.ts';

/** What runs when it is opened: a page or drawing in the origin that shows it, a script, a program. */
export type ActiveContent = 'HTML' | 'SVG' | 'script' | 'program';

const byType: Readonly<Record<ActiveContent, readonly string[]>> = {
  HTML: ['text/html', 'application/xhtml+xml', 'application/hta'],
  SVG: ['image/svg+xml', 'image/svg'],
  script: [
    'text/javascript',
    'application/javascript',
    'application/x-javascript',
    'text/ecmascript',
    'application/ecmascript',
    'text/vbscript',
    'application/x-sh',
    'application/x-csh',
    'text/x-shellscript',
    'application/x-powershell',
    'application/x-bat',
    'application/x-httpd-php',
  ],
  program: [
    'application/vnd.microsoft.portable-executable',
    'application/x-msdownload',
    'application/x-msdos-program',
    'application/x-dosexec',
    'application/x-msi',
    'application/x-executable',
    'application/x-elf',
    'application/x-sharedlib',
    'application/x-mach-binary',
    'application/java-archive',
    'application/vnd.android.package-archive',
    'application/x-shockwave-flash',
    'application/wasm',
  ],
};

const byExtension: Readonly<Record<ActiveContent, readonly string[]>> = {
  HTML: ['html', 'htm', 'xhtml', 'xht', 'mht', 'mhtml', 'hta'],
  SVG: ['svg', 'svgz'],
  script: ['js', 'mjs', 'cjs', 'vbs', 'wsf', 'sh', 'bash', 'command', 'ps1', 'bat', 'cmd', 'php'],
  program: ['exe', 'dll', 'scr', 'com', 'msi', 'jar', 'apk', 'lnk', 'wasm', 'elf', 'so', 'dylib'],
};

const kinds: readonly ActiveContent[] = ['HTML', 'SVG', 'script', 'program'];
const kindsBy = (table: Readonly<Record<ActiveContent, readonly string[]>>): ReadonlyMap<string, ActiveContent> =>
  new Map(kinds.flatMap((kind) => table[kind].map((name) => [name, kind] as const)));
const kindOfType = kindsBy(byType);
const kindOfExtension = kindsBy(byExtension);

/** Of a file, enough to know what it begins with. */
const headLength = 1_024;

/**
 * What a part would run where it is opened, told by its media type, its name or, of bytes, by what they begin with;
 * undefined for what only shows something.
 */
export function findActiveContent(part: Part): ActiveContent | undefined {
  const { mediaType = '', filename = '' } = part;
  const declared = kindOfType.get(bareType(mediaType)) ?? kindOfExtension.get(extensionOf(filename));
  if (declared !== undefined) return declared;
  if ('raw' in part) return kindOfHead(Buffer.from(part.raw.slice(0, headLength), 'base64'));
  return 'url' in part ? kindOfUrl(part.url) : undefined;
}

const bareType = (type: string): string => (type.split(';', 1)[0] ?? '').trim().toLowerCase();

const dotsAndBlanks = new Set(
  Array.from('. \t\n\v\f\r\u00A0\u2028\u2029\u202F\u205F\u3000\uFEFF', (one) => one.charCodeAt(0)),
);
const isDotOrBlank = (unit: number): boolean => dotsAndBlanks.has(unit);

/** In lower case. Windows leaves dots and blanks at the end of a name out. */
function extensionOf(name: string): string {
  const shown = trimEndMatching(name, isDotOrBlank);
  const dot = shown.lastIndexOf('.');
  return dot === -1 ? '' : shown.slice(dot + 1).toLowerCase();
}

/** A `data:` URL is the file itself; any other is opened by its name. */
function kindOfUrl(url: string): ActiveContent | undefined {
  const data = /^\s*data:([^,]{0,255})/i.exec(url)?.[1];
  if (data !== undefined) return kindOfType.get(bareType(data));
  return kindOfExtension.get(extensionOf(URL.parse(url)?.pathname ?? ''));
}

const magic: readonly (readonly [head: string, kind: ActiveContent])[] = [
  ['MZ', 'program'],
  ['\x7FELF', 'program'],
  ['\xFE\xED\xFA\xCE', 'program'],
  ['\xFE\xED\xFA\xCF', 'program'],
  ['\xCE\xFA\xED\xFE', 'program'],
  ['\xCF\xFA\xED\xFE', 'program'],
  ['\xCA\xFE\xBA\xBE', 'program'],
  ['\0asm', 'program'],
  ['#!', 'script'],
];

const markup =
  /^(?:\s|<\?[^>]*>|<!--[^>]*-->)*<(?:!doctype\s+)?(html|head|body|script|iframe|object|embed|meta|style|svg)[\s>/]/i;

function kindOfHead(head: Buffer): ActiveContent | undefined {
  const bytes = head.toString('latin1');
  const known = magic.find(([start]) => bytes.startsWith(start));
  if (known !== undefined) return known[1];
  const isWide = bytes.startsWith('\xFF\xFE');
  const text = (isWide ? head.toString('utf16le') : head.toString('utf8')).replace(/^\uFEFF/, '');
  const element = markup.exec(text)?.[1]?.toLowerCase();
  if (element === undefined) return undefined;
  return element === 'svg' ? 'SVG' : 'HTML';
}
