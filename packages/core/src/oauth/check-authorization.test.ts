import { describe, expect, test } from '@jest/globals';
import { checkAuthorization, renderRedirect } from './check-authorization.ts';

const issuer = 'https://mcp.example.com:9001';
const server = { issuer, scopes: ['read', 'write'] };
const registered = ['http://127.0.0.1:33418/callback'];
const good = {
  response_type: 'code',
  redirect_uri: 'http://127.0.0.1:40000/callback',
  state: 'xyz',
  code_challenge: 'E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM',
  code_challenge_method: 'S256',
  resource: `${issuer}/mcp`,
};
const check = (changes: object) => checkAuthorization({ ...good, ...changes }, registered, server);

describe('an authorization request', () => {
  test('goes on with what was asked for', () => {
    expect(check({ scope: 'write other' })).toEqual({
      kind: 'good',
      redirectUri: good.redirect_uri,
      state: 'xyz',
      challenge: good.code_challenge,
      scopes: ['write'],
    });
    expect(check({})).toMatchObject({ scopes: ['read', 'write'] });
    expect(check({ scope: 'other' })).toMatchObject({ scopes: ['read', 'write'] });
    expect(check({ resource: undefined })).toMatchObject({ kind: 'good' });
  });

  test.each(['https://evil.example.com/', 'http://127.0.0.1:33418/callback2', '', undefined])(
    'is told to the user alone where the address %s is not registered',
    (uri) => expect(check({ redirect_uri: uri, code_challenge: undefined })).toMatchObject({ kind: 'shown' }),
  );

  test.each<[object, string]>([
    [{ response_type: 'token' }, 'unsupported_response_type'],
    [{ response_type: undefined }, 'unsupported_response_type'],
    [{ code_challenge_method: 'plain' }, 'invalid_request'],
    [{ code_challenge_method: undefined }, 'invalid_request'],
    [{ code_challenge: undefined }, 'invalid_request'],
    [{ code_challenge: 'short' }, 'invalid_request'],
    [{ request: 'x.y.z' }, 'request_not_supported'],
    [{ request_uri: 'https://a' }, 'request_uri_not_supported'],
    [{ resource: 'https://mcp.example.com:9002' }, 'invalid_target'],
    [{ resource: 'https://mcp.example.com:9001.evil.com' }, 'invalid_target'],
    [{ resource: `${issuer}#x` }, 'invalid_target'],
    [{ resource: 'nonsense' }, 'invalid_target'],
  ])('with %j is refused as %s', (changes, error) => {
    expect(check(changes)).toMatchObject({ kind: 'refused', error, redirectUri: good.redirect_uri, state: 'xyz' });
  });
});

test('an answer keeps the address as it was registered, and says who gives it', () => {
  expect(renderRedirect('cursor://oauth-callback', issuer, { code: 'a b&c', state: undefined })).toBe(
    'cursor://oauth-callback?code=a%20b%26c&iss=https%3A%2F%2Fmcp.example.com%3A9001',
  );
  expect(renderRedirect('https://a.example/cb?x=1', issuer, { error: 'e' })).toContain('cb?x=1&error=e&iss=');
});
