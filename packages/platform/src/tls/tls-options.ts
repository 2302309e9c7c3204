import type { SecureContextOptions } from 'node:tls';

/**
 * What clients of today can do and what is safe today: TLS 1.3, and of 1.2 only what gives forward secrecy and
 * authenticated encryption. Groups stay those of OpenSSL, which begins with the hybrid X25519MLKEM768.
 */
export const tlsOptions: SecureContextOptions = {
  minVersion: 'TLSv1.2',
  maxVersion: 'TLSv1.3',
  ciphers: [
    'TLS_AES_128_GCM_SHA256',
    'TLS_AES_256_GCM_SHA384',
    'TLS_CHACHA20_POLY1305_SHA256',
    'ECDHE-ECDSA-AES128-GCM-SHA256',
    'ECDHE-RSA-AES128-GCM-SHA256',
    'ECDHE-ECDSA-AES256-GCM-SHA384',
    'ECDHE-RSA-AES256-GCM-SHA384',
    'ECDHE-ECDSA-CHACHA20-POLY1305',
    'ECDHE-RSA-CHACHA20-POLY1305',
  ].join(':'),
  // Clients know best whether their machine has instructions for AES.
  honorCipherOrder: false,
};
