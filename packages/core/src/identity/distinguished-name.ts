/** Longer names belong to no client. */
const maxLength = 1_000;

const attributeType = /^(?:[A-Za-z][A-Za-z0-9-]*|\d+(?:\.\d+)*)$/;

/**
 * The subject of a certificate in the one spelling in which subjects are compared: parts as RFC 4514 has them, the most
 * particular one first, types in capitals, as few escapes as can be. Undefined for what is no name.
 * @param text for example `CN=agent,O=Example`; spaces beside separators mean nothing
 */
export function parseDistinguishedName(text: string): string | undefined {
  if (text.length > maxLength) return undefined;
  const parts = splitUnescaped(text, ',').map((part) => splitUnescaped(part, '+').map(parseAttribute));
  if (parts.some((part) => part.includes(undefined))) return undefined;
  const known = parts.map((part) => part.filter((attribute) => attribute !== undefined));
  return known.map((part) => part.toSorted(compareTexts).join('+')).join(',');
}

/** The same as a person gives it, who may have copied all that `openssl x509 -noout -subject` prints. */
export const parseWrittenSubject = (text: string): string | undefined =>
  parseDistinguishedName(text.replace(/^\s*subject\s*=\s*(?=[\w.-]+\s*=)/i, ''));

const compareTexts = (one: string, other: string): number => Number(one > other) - Number(one < other);

/** The same of what Node says of a certificate: a line for each part, the most general one first. */
export const parseCertificateSubject = (subject: string): string | undefined =>
  parseDistinguishedName(subject.split('\n').toReversed().join(','));

/** Splits where the separator is not escaped. */
function splitUnescaped(text: string, separator: string): readonly string[] {
  const parts: string[] = [];
  let start = 0;
  for (let at = 0; at < text.length; at += 1) {
    if (text[at] === '\\') at += 1;
    else if (text[at] === separator) {
      parts.push(text.slice(start, at));
      start = at + 1;
    }
  }
  return [...parts, text.slice(start)];
}

function parseAttribute(text: string): string | undefined {
  const at = text.indexOf('=');
  const type = text.slice(0, Math.max(at, 0)).trim();
  const raw = trimUnescaped(text.slice(at + 1));
  if (!attributeType.test(type) || raw === '') return undefined;
  // The encoded value of a kind that has no text: never the same as a text that looks like it.
  const value = raw.startsWith('#') ? raw.toLowerCase() : renderValue(unescape(raw));
  return value === undefined ? undefined : `${type.toUpperCase()}=${value}`;
}

function trimUnescaped(text: string): string {
  const trimmed = text.trimStart();
  const end = trimmed.trimEnd();
  const escapes = /(?<!\\)\\+$/.exec(end)?.[0].length ?? 0;
  // A space that an odd number of backslashes stands before is part of the value.
  return escapes % 2 === 1 && end.length < trimmed.length ? trimmed.slice(0, end.length + 1) : end;
}

const decoder = new TextDecoder('utf-8', { fatal: true });
const encoder = new TextEncoder();

/** Undefined for what is not escaped as it has to be. */
function unescape(raw: string): string | undefined {
  const bytes: number[] = [];
  for (let at = 0; at < raw.length;) {
    if (raw[at] !== '\\') {
      const character = String.fromCodePoint(raw.codePointAt(at) as number);
      bytes.push(...encoder.encode(character));
      at += character.length;
      continue;
    }
    const hex = /^[\da-f]{2}/i.exec(raw.slice(at + 1, at + 3))?.[0];
    if (hex !== undefined) {
      bytes.push(Number.parseInt(hex, 16));
      at += 3;
    } else {
      const escaped = raw[at + 1];
      if (escaped === undefined || !' "#+,;<=>\\'.includes(escaped)) return undefined;
      bytes.push(escaped.charCodeAt(0));
      at += 2;
    }
  }
  try {
    return decoder.decode(Uint8Array.from(bytes));
  } catch {
    return undefined;
  }
}

const renderValue = (value: string | undefined): string | undefined =>
  value
    ?.replaceAll(/[\\,+"<>;]/g, String.raw`\$&`)
    .replaceAll(/\p{Cc}/gu, (control) => `\\${control.charCodeAt(0).toString(16).padStart(2, '0')}`)
    .replace(/^[ #]/, String.raw`\$&`)
    .replace(/(?<!^) $/, String.raw`\ `);
