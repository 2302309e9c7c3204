import { expect, test } from '@jest/globals';
import * as oauth from 'oauth4webapi';
import { describeProviderProblem } from './describe-provider-problem.ts';

const server = { issuer: 'https://id.example.com' };
const problemOf = (response: Response): Promise<string> =>
  oauth
    .processAuthorizationCodeResponse(server, { client_id: 'gateway' }, response, {})
    .then(() => 'none', describeProviderProblem);

test('says what the provider says of its error, on one line', async () => {
  const refused = { error: 'invalid_client', error_description: 'The secret\nhas ended' };
  expect(await problemOf(Response.json(refused, { status: 401 }))).toBe(
    'The provider answered 401 invalid_client: The secret has ended',
  );
});

test('quotes nothing of an answer that could be a token', async () => {
  const headers = { 'content-type': 'application/json' };
  const problem = await problemOf(new Response('gho_secret&x=1', { headers }));
  expect(problem).toContain('no JSON');
  expect(problem).not.toContain('gho_');
});

test('says which claim of an id token is not right', async () => {
  const part = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url');
  const claims = { iss: 'https://other.example', aud: 'gateway', sub: 'ada', exp: 9e9, iat: 1 };
  const token = `${part({ alg: 'RS256' })}.${part(claims)}.c2ln`;
  const answer = { access_token: 'a', token_type: 'bearer', id_token: token };
  expect(await problemOf(Response.json(answer))).toMatch(/"iss"/);
});
