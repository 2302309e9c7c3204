import { expect, test } from '@jest/globals';
import { getCiphers } from 'node:tls';
import { tlsOptions } from './tls-options.ts';

test('every cipher gives forward secrecy and authenticated encryption, whichever kind of key a certificate has', () => {
  const ciphers = (tlsOptions.ciphers ?? '').split(':');
  expect(ciphers.filter((cipher) => !/^(?:TLS|ECDHE-(?:ECDSA|RSA))[-_].*(?:GCM|CHACHA20)/.test(cipher))).toEqual([]);
  expect(ciphers.filter((cipher) => !getCiphers().includes(cipher.toLowerCase()))).toEqual([]);
  expect([tlsOptions.minVersion, tlsOptions.maxVersion]).toEqual(['TLSv1.2', 'TLSv1.3']);
});
