/**
 * An IP address as a 128-bit number. IPv4 is kept in its IPv4-mapped IPv6 form, so that
 * `127.0.0.1` and `::ffff:7f00:1` are the same address to everything that compares.
 */
export type IpAddress = bigint;

/** Eight groups of four digits, the last two of them dotted. */
const maxLength = 45;

const mappedPrefix = 0xffffn << 32n;

/** The IPv4-mapped address of 32 bits. */
export const ipv4Address = (bits: bigint): IpAddress => mappedPrefix | bits;

/**
 * Parses dotted IPv4 and every spelling of IPv6, with or without brackets and zone. Octal, hex and
 * short IPv4 forms are not addresses here: a URL has turned them into dotted ones already.
 */
export function parseIpAddress(text: string): IpAddress | undefined {
  const isBracketed = text.startsWith('[') && text.endsWith(']');
  const [bare = ''] = (isBracketed ? text.slice(1, -1) : text).split('%', 1);
  if (bare.length > maxLength) return undefined;
  const ipv4 = parseIpv4Bits(bare);
  return ipv4 === undefined ? parseIpv6(bare) : ipv4Address(ipv4);
}

function parseIpv4Bits(text: string): bigint | undefined {
  const octets = text.split('.');
  if (octets.length !== 4 || !octets.every((octet) => /^(0|[1-9]\d{0,2})$/.test(octet) && Number(octet) < 256)) {
    return undefined;
  }
  return octets.reduce((bits, octet) => (bits << 8n) | BigInt(octet), 0n);
}

function parseIpv6(text: string): IpAddress | undefined {
  const halves = expandDottedTail(text).split('::');
  const [head = [], tail] = halves.map((half) => (half === '' ? [] : half.split(':')));
  if (halves.length > 2) return undefined;

  const missing = 8 - head.length - (tail?.length ?? 0);
  if (tail === undefined ? missing !== 0 : missing < 1) return undefined;

  const groups = [...head, ...Array.from({ length: missing }, () => '0'), ...(tail ?? [])];
  if (!groups.every((group) => /^[0-9a-f]{1,4}$/i.test(group))) return undefined;
  return groups.reduce((bits, group) => (bits << 16n) | BigInt(`0x${group}`), 0n);
}

/** Writes the dotted tail of `::ffff:127.0.0.1` as two groups. */
function expandDottedTail(text: string): string {
  const colon = text.lastIndexOf(':');
  const bits = parseIpv4Bits(text.slice(colon + 1));
  if (colon === -1 || bits === undefined) return text;
  return `${text.slice(0, colon + 1)}${(bits >> 16n).toString(16)}:${(bits & 0xffffn).toString(16)}`;
}
