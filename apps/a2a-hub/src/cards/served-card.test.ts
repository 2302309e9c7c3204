import { expect, test } from '@jest/globals';
import { parseConfigOrThrow } from '@portcullis/platform/config/config';
import { isOwnBase } from './served-card.ts';

const secrets = { JWT_SECRET: 'j'.repeat(40), ENCRYPTION_KEY: 'e'.repeat(32) };

test.each<[boolean, string, Record<string, string>]>([
  [true, 'http://localhost:8080', {}],
  [true, 'http://127.0.0.1:8080', {}],
  [true, 'http://[::1]:8080', {}],
  [false, 'http://localhost:9000', {}],
  [false, 'https://localhost:8080', {}],
  [false, 'http://evil.example.com:8080', {}],
  [false, 'http://192.168.0.7:8080', {}],
  [false, 'http://localhost:8080', { ENVIRONMENT: 'production' }],
  [true, 'http://evil.example.com', { ENVIRONMENT: 'production', PUBLIC_URL: 'https://gw.example.com' }],
])('%s: a card that is asked for at %s is signed', (isSigned, calledOrigin, environment) => {
  expect(isOwnBase(parseConfigOrThrow({ ...secrets, ...environment }), { calledOrigin })).toBe(isSigned);
});
