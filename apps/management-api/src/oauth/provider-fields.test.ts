import { describe, expect, test } from '@jest/globals';
import type { OAuthProviderCreation } from '@portcullis/contracts/routes/oauth-providers';
import { changeProvider, completeProvider, providerProblems } from './provider-fields.ts';

const rule = { allowPrivate: false, allowPlainHttp: false, base: 'https://gateway.example/some' };
const given = (more: Partial<OAuthProviderCreation> = {}): OAuthProviderCreation => ({
  name: 'Acme',
  provider_type: 'custom',
  client_id: 'gateway',
  ...more,
});
test('generic is another word for custom', () => {
  expect(completeProvider(given({ provider_type: 'generic' })).provider_type).toBe('custom');
});

const problemsOf = (more: Partial<OAuthProviderCreation>, own = rule) =>
  providerProblems(completeProvider(given(more)), own).map(({ path, rule: text }) => `${path} ${text}`);

const plain = {
  auth_url: 'https://login.example.com/authorize',
  token_url: 'https://login.example.com/token',
  userinfo_url: 'https://login.example.com/me',
};

describe('completing a provider', () => {
  test('takes issuer and scopes of the template', () => {
    const fields = completeProvider(given({ provider_type: 'google', client_secret: 's3cret' }));
    expect(fields).toMatchObject({ issuer: 'https://accounts.google.com', scopes: ['openid', 'email', 'profile'] });
    expect(JSON.stringify(fields)).not.toContain('s3cret');
    expect(completeProvider(given({ provider_type: 'github', issuer: 'https://git.example' })).issuer).toBe(
      'https://git.example',
    );
  });

  test('needs the issuer where there is none for all, or no template is wanted', () => {
    expect(problemsOf({ provider_type: 'okta' })).toEqual([
      '/body/issuer must be given, for example https://example.okta.com/oauth2/default',
    ]);
    expect(problemsOf({ provider_type: 'google', use_template: false })).toHaveLength(1);
    expect(problemsOf({ provider_type: 'google' })).toEqual([]);
  });

  test('takes three addresses in place of an issuer, and all of them', () => {
    expect(problemsOf(plain)).toEqual([]);
    expect(problemsOf({ provider_type: 'gitlab', ...plain })).toEqual([]);
    expect(problemsOf({ auth_url: plain.auth_url })).toEqual([
      '/body/token_url must be given where there is no issuer',
      '/body/userinfo_url must be given where there is no issuer',
    ]);
    expect(problemsOf({ ...plain, issuer: 'https://login.example.com' })).toEqual([
      '/body/issuer must not be given together with auth_url, token_url, userinfo_url or jwks_url',
    ]);
  });

  test('takes the keys beside the three addresses, and neither alone nor beside an issuer', () => {
    const jwks_url = 'https://login.example.com/keys';
    expect(completeProvider(given({ ...plain, jwks_url }))).toMatchObject({ jwks_url, issuer: null });
    expect(problemsOf({ ...plain, jwks_url })).toEqual([]);
    expect(problemsOf({ ...plain, jwks_url: 'https://169.254.169.254/keys' })).toEqual([
      expect.stringMatching(/^\/body\/jwks_url .*metadata/),
    ]);
    for (const more of [{ issuer: 'https://login.example.com' }, { provider_type: 'google' } as const]) {
      expect(problemsOf({ ...more, jwks_url })).toEqual([
        '/body/issuer must not be given together with auth_url, token_url, userinfo_url or jwks_url',
      ]);
    }
    expect(problemsOf({ jwks_url })).toEqual([expect.stringMatching(/^\/body\/issuer must be given/)]);
  });
});

describe('refuses', () => {
  test.each([
    ['http://login.example.com', /must start with https/],
    ['https://user:pw@login.example.com', /must not carry a user name/],
    ['https://127.0.0.1', /must not point to this machine/],
    ['https://169.254.169.254', /metadata/],
    ['https://login.example.com/#x', /fragment/],
    ['nonsense', /absolute URL/],
  ])('the issuer %s', (issuer, text) => {
    expect(problemsOf({ issuer })).toEqual([expect.stringMatching(text)]);
  });

  test.each([
    ['https://evil.example/api/v1/oauth/callback', /of this gateway/],
    ['http://gateway.example/api/v1/oauth/callback', /https/],
    ['https://gateway.example/api/v1/oauth/callback?next=x', /must end with/],
    ['https://gateway.example/api/v1/oauth/callback/other', /must end with/],
    ['https://gateway.example/api/v1/auth/oauth/callback/Other', /must end with/],
  ])('to send browsers back to %s', (uri, text) => {
    expect(problemsOf({ ...plain, redirect_uri: uri })).toEqual([expect.stringMatching(text)]);
  });

  test('an issuer of many tenants without the tenants that may come, and never its word for addresses', () => {
    const issuer = 'https://login.microsoftonline.com/common/v2.0';
    const tenants = ['11111111-2222-3333-4444-555555555555'];
    expect(problemsOf({ provider_type: 'azure_ad', issuer })).toEqual([expect.stringMatching(/tenants must name/)]);
    expect(problemsOf({ provider_type: 'azure_ad', issuer, tenants })).toEqual([]);
    expect(problemsOf({ provider_type: 'azure_ad', issuer, tenants, trusts_email: true })).toEqual([
      expect.stringMatching(/trusts_email must be false/),
    ]);
  });
});

test('accepts the two callbacks of the gateway, behind a path as well', () => {
  for (const path of ['api/v1/oauth/callback', 'some/api/v1/auth/oauth/callback/Acme']) {
    expect(problemsOf({ ...plain, redirect_uri: `https://gateway.example/${path}` })).toEqual([]);
  }
});

test('puts an issuer in the place of the addresses, and the addresses in its place', () => {
  const jwks_url = 'https://login.example.com/keys';
  const before = completeProvider(given({ ...plain, jwks_url }));
  expect(changeProvider(before, { jwks_url: null })).toEqual({ ...before, jwks_url: null });
  const moved = changeProvider(before, { issuer: 'https://login.example.com' });
  expect(moved).toMatchObject({ issuer: 'https://login.example.com', auth_url: null, token_url: null, jwks_url: null });
  expect(changeProvider(moved, plain)).toMatchObject({ ...plain, issuer: null });
  expect(changeProvider(moved, { enabled: false })).toEqual({ ...moved, enabled: false });
});
