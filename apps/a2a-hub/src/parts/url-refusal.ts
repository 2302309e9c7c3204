import { hostRefusal, type AddressRule } from '@portcullis/platform/network/address-guard';

/** Places in stores that a client of the store reads, and contents that stand in the URL itself: no address is called. */
const storeSchemes: ReadonlySet<string> = new Set([
  'data:',
  's3:',
  'gs:',
  'az:',
  'abfs:',
  'abfss:',
  'wasb:',
  'wasbs:',
  'ipfs:',
  'cid:',
  'urn:',
]);

// Readers differ in where the host begins and ends: Python takes `http://a\@b/` to b, browsers to a.
// eslint-disable-next-line no-control-regex -- these are what readers differ in
const ambiguous = /[\\\s\u0000-\u001F\u007F]/;

/**
 * Why a side that fetches this URL might reach what it must not, as far as the text tells; undefined where it tells
 * nothing. Names are not looked up: what they lead to here is not what they lead to there, and to ask is a request of its own.
 */
export function urlRefusal(text: string, rule: AddressRule): string | undefined {
  if (ambiguous.test(text)) return 'must not hold blanks or backslashes';
  const url = URL.parse(text);
  if (url === null) return 'must be an absolute URL';
  if (storeSchemes.has(url.protocol)) return undefined;
  if (url.protocol !== 'http:' && url.protocol !== 'https:') return `must not have the scheme ${url.protocol}`;
  if (url.username !== '' || url.password !== '') return 'must not carry a user name or password';
  return hostRefusal(url.hostname, rule);
}
