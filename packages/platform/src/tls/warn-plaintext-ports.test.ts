import { expect, test } from '@jest/globals';
import { findPlaintextPorts } from './warn-plaintext-ports.ts';

const production = {
  ENVIRONMENT: 'production',
  HOST: '0.0.0.0',
  TLS_CERT_FILE: undefined,
  TLS_TERMINATED: false,
  TRUSTED_PROXIES: [],
  OAUTH_REDIRECT_BASE_URL: undefined,
} as const;

test('production on an address of the network says what is read on the way', () => {
  expect(findPlaintextPorts(production)).toEqual([
    expect.stringMatching(/passwords, tokens, API keys.*TLS_TERMINATED=true/),
  ]);
});

test.each([
  ['development', { ENVIRONMENT: 'development' }],
  ['a certificate', { TLS_CERT_FILE: '/run/tls.crt' }],
  ['loopback', { HOST: '127.0.0.1' }],
  ['loopback of IPv6', { HOST: '::1' }],
  ['localhost', { HOST: 'localhost' }],
  ['a load balancer that is named', { TLS_TERMINATED: true, TRUSTED_PROXIES: ['10.0.0.1'] }],
] as const)('%s says nothing', (_what, config) => {
  expect(findPlaintextPorts({ ...production, ...config })).toEqual([]);
});

test('a load balancer that is not named makes all clients look alike', () => {
  expect(findPlaintextPorts({ ...production, TLS_TERMINATED: true })).toEqual([
    expect.stringMatching(/TRUSTED_PROXIES/),
  ]);
});

test('a sign-in that comes back in clear is told, behind TLS too', () => {
  const given = { ...production, TLS_CERT_FILE: '/run/tls.crt' };
  expect(findPlaintextPorts({ ...given, OAUTH_REDIRECT_BASE_URL: 'http://gateway.example' })).toHaveLength(1);
  expect(findPlaintextPorts({ ...given, OAUTH_REDIRECT_BASE_URL: 'https://gateway.example' })).toEqual([]);
  expect(findPlaintextPorts({ ...given, OAUTH_REDIRECT_BASE_URL: 'http://localhost:8080' })).toEqual([]);
});
