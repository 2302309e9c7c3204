import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { startSignIn } from '@portcullis/contracts/routes/sign-in';
import { createUser } from '@portcullis/contracts/routes/users';
import { startSignInPeer, type SignInPeer } from '@portcullis/testkit/sign-in-peer';
import { signInAtProvider, signInEnvironment } from '../../test/sign-in-browser.ts';
import { startManagement, stores, type TestManagement } from '../../test/start-management.ts';

describe.each(stores)('a browser that signs in with a provider for a cookie (%s)', (store) => {
  let provider: SignInPeer;
  let management: TestManagement;
  beforeAll(async () => {
    provider = await startSignInPeer();
    management = await startManagement(store, signInEnvironment(provider));
    await management.admin.data(createUser, { body: { username: 'ada', email: 'ada@example.com', role: 'operator' } });
  });
  afterAll(async () => {
    await management.stop();
    await provider[Symbol.asyncDispose]();
  });

  test.each([
    ['', 'https://gateway.example/console/'],
    ['&return_to=/console/alerts/5%3Ftab=evidence', 'https://gateway.example/console/alerts/5?tab=evidence'],
  ])('is given one and sent on (%j)', async (query, location) => {
    const returned = await signInAtProvider(management.origin, 'oidc', `?session=cookie${query}`);
    const headers = { 'x-forwarded-for': returned.address, 'x-forwarded-proto': 'https' };
    const response = await fetch(`${management.origin}${returned.path}`, {
      headers: { ...headers, cookie: returned.cookie },
      redirect: 'manual',
    });
    expect([response.status, response.headers.get('location')]).toEqual([303, location]);
    expect(await response.text()).not.toMatch(/eyJ/);
    const cookies = response.headers.getSetCookie();
    expect(cookies[0]).toMatch(/^portcullis_sign_in=; .*Max-Age=0/);
    expect(cookies[1]).toMatch(/^__Host-portcullis_session=[\w.-]+; Path=\/; .*HttpOnly; SameSite=Strict; Secure$/);
    const session = await fetch(`${management.origin}/api/v1/auth/session`, {
      headers: { ...headers, cookie: cookies[1]?.split(';')[0] ?? '', 'x-csrf-token': 'read' },
    });
    expect(await session.json()).toMatchObject({
      data: { session: { kind: 'cookie', current: true, provider_name: 'oidc' }, csrf_token: expect.any(String) },
    });
  });

  test.each(['//evil.example', '/\\evil.example', 'https://evil.example/', '/..//evil.example', '/%2f/evil.example'])(
    'is not sent to %j',
    async (path) => {
      const query = { session: 'cookie', return_to: path };
      const refusal = await management.anonymous.refusal(startSignIn, { params: { provider: 'oidc' }, query });
      expect(refusal).toMatchObject({ status: 400, problems: [{ path: '/query/return_to' }] });
    },
  );
});
