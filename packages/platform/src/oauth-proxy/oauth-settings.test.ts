import { describe, expect, test } from '@jest/globals';
import { parseConfigOrThrow } from '../config/config.ts';
import { readOAuthSettings } from './oauth-settings.ts';
import { publicBaseOf } from '../config/public-base.ts';
import { proxyOriginOf } from './proxy-addresses.ts';

const secrets = { JWT_SECRET: 'j'.repeat(40), ENCRYPTION_KEY: 'e'.repeat(32) };
const baseOf = (environment: Record<string, string>) =>
  publicBaseOf(parseConfigOrThrow({ ...secrets, ...environment }));

describe('where the gateway is reached', () => {
  test.each<[string, Record<string, string>, string | undefined]>([
    ['as nothing says', {}, 'http://localhost:8080'],
    ['on another port', { PORT: '9443' }, 'http://localhost:9443'],
    ['over TLS', { TLS_CERT_FILE: '/tls.crt', TLS_KEY_FILE: '/tls.key' }, 'https://localhost:8080'],
    ['on a port yet to be found', { PORT: '0' }, undefined],
    ['in production, which must say so', { ENVIRONMENT: 'production' }, undefined],
    ['in production', { ENVIRONMENT: 'production', PUBLIC_URL: 'https://gw.example.com/' }, 'https://gw.example.com'],
    [
      'by browsers',
      { PUBLIC_URL: 'https://gw.example.com', OAUTH_REDIRECT_BASE_URL: 'https://login.example.com' },
      'https://login.example.com',
    ],
  ])('%s', (_what, environment, base) => {
    expect(baseOf(environment)).toBe(base);
  });

  test.each([
    ['http://localhost:8080', 8116, 'http://localhost:8116'],
    ['https://gw.example.com/base', 8116, 'https://gw.example.com:8116'],
    ['https://gw.example.com', 443, 'https://gw.example.com'],
    ['http://[::1]:8080', 8116, 'http://[::1]:8116'],
  ])('a proxy of %s on %i', (base, port, origin) => {
    expect(proxyOriginOf(base, port)).toBe(origin);
  });
});

describe('the OAuth proxy', () => {
  const settings = {
    oauth_proxy_enabled: true,
    oauth_proxy_mode: 'gateway',
    oauth_proxy_provider_id: 1,
    oauth_proxy_require_consent: true,
    oauth_proxy_allowed_redirect_uris: ['http://localhost:*'],
  };
  const issuerOf = (given: object, base: string | undefined) =>
    readOAuthSettings({ type: 'mcp', port: 8116, settings: { ...settings, ...given } }, base)?.issuer;

  test('is complete with the five settings of the specification', () => {
    expect(issuerOf({}, 'http://localhost:8080')).toBe('http://localhost:8116');
  });

  test('is where its setting says', () => {
    expect(issuerOf({ oauth_proxy_url: 'https://mcp.example.com' }, 'http://localhost:8080')).toBe(
      'https://mcp.example.com',
    );
  });

  test('is none where nobody knows its address', () => {
    expect(issuerOf({}, undefined)).toBeUndefined();
  });
});
