import { expect, test } from '@jest/globals';
import { parseCertificateSubject, parseDistinguishedName, parseWrittenSubject } from './distinguished-name.ts';

test.each([
  ['CN=agent,O=Example', 'CN=agent,O=Example'],
  [' cn = agent , o = Example ', 'CN=agent,O=Example'],
  [String.raw`CN=a\,b,O=c`, String.raw`CN=a\,b,O=c`],
  [String.raw`CN=a\2cb,O=c`, String.raw`CN=a\,b,O=c`],
  [String.raw`CN=M\C3\BCller`, 'CN=Müller'],
  ['OU=x+CN=y,O=z', 'CN=y+OU=x,O=z'],
  [String.raw`CN=\#4`, String.raw`CN=\#4`],
  ['1.2.3=#04AB', '1.2.3=#04ab'],
  [String.raw`CN=end\ `, String.raw`CN=end\ `],
  [String.raw`CN=two\0Alines`, String.raw`CN=two\0alines`],
  ['CN=a=b', 'CN=a=b'],
])('%j is %j', (text, expected) => {
  expect(parseDistinguishedName(text)).toBe(expected);
  expect(parseDistinguishedName(expected)).toBe(expected);
});

test.each([
  '',
  'agent',
  'CN=',
  '=agent',
  'CN=a,',
  'CN=a,,O=b',
  'C N=a',
  String.raw`CN=a\z`,
  'CN=a\\',
  String.raw`CN=\ff`,
])('%j is no name', (text) => expect(parseDistinguishedName(text)).toBeUndefined());

test.each(['CN=agent,O=Example', 'subject=CN=agent,O=Example', 'subject=CN = agent, O = Example'])(
  '%j may be given for a subject',
  (text) => expect(parseWrittenSubject(text)).toBe('CN=agent,O=Example'),
);

test('nothing is longer than a name can be', () => {
  expect(parseDistinguishedName(`CN=${'a'.repeat(1_000)}`)).toBeUndefined();
});

test('the lines of a certificate are the same name', () => {
  expect(parseCertificateSubject('C=DE\nO=Example\nCN=agent')).toBe('CN=agent,O=Example,C=DE');
  expect(parseCertificateSubject('CN=agent\\, one\nO=Example')).toBe(String.raw`O=Example,CN=agent\, one`);
  // A value cannot pass for another part: Node escapes what separates them.
  expect(parseCertificateSubject('CN=agent\\,O=Example')).not.toBe(parseDistinguishedName('CN=agent,O=Example'));
  expect(parseCertificateSubject('')).toBeUndefined();
});
