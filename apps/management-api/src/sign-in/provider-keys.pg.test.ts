import { expect, test } from '@jest/globals';
import {
  createOAuthProvider,
  testOAuthProvider,
  updateOAuthProvider,
  type OAuthProviderCreation,
} from '@portcullis/contracts/routes/oauth-providers';
import { createUser } from '@portcullis/contracts/routes/users';
import { startSignInPeer } from '@portcullis/testkit/sign-in-peer';
import { finishAtGateway, signInAtProvider, signInEnvironment } from '../../test/sign-in-browser.ts';
import { startManagement } from '../../test/start-management.ts';

test('checks the id tokens of a provider given by its addresses with the keys that an admin named, and says what was wrong', async () => {
  await using provider = await startSignInPeer();
  const management = await startManagement('server', signInEnvironment(provider));
  try {
    const { admin, origin, infrastructure } = management;
    await admin.data(createUser, { body: { username: 'ada', email: 'ada@example.com', role: 'user' } });
    const body: OAuthProviderCreation = {
      name: 'Named',
      provider_type: 'custom',
      client_id: provider.clientId,
      client_secret: provider.clientSecret,
      auth_url: `${provider.url}/authorize`,
      token_url: `${provider.url}/token`,
      userinfo_url: `${provider.url}/userinfo`,
      scopes: ['openid', 'email'],
    };
    const jwks_url = `${provider.url}/keys`;
    const signIn = async (behaviour: Parameters<typeof provider.behave>[0]): Promise<string> => {
      provider.behave(behaviour);
      const response = await finishAtGateway(origin, await signInAtProvider(origin, body.name));
      return `${response.status} ${await response.text()}`;
    };

    const made = await admin.data(createOAuthProvider, { body });
    expect(made.jwks_url).toBeNull();
    expect(await signIn({ strangeKey: true })).toMatch(/^200 /);

    const params = { id: made.id };
    expect(await admin.data(updateOAuthProvider, { params, body: { jwks_url } })).toMatchObject({ jwks_url });
    const { checks } = await admin.data(testOAuthProvider, { params });
    expect(checks).toContainEqual(expect.objectContaining({ name: 'keys', status: 'passed' }));
    expect(await signIn({})).toMatch(/^200 /);
    for (const behaviour of [{ strangeKey: true }, { claims: { aud: 'other' } }, { claims: { nonce: 'other' } }]) {
      expect(await signIn(behaviour)).toMatch(/^502 .*An admin finds in the audit log what was wrong/s);
    }
    const entries = await infrastructure.database.kysely
      .selectFrom('audit_log')
      .select('error_message')
      .where('event_type', '=', 'auth.login.failed')
      .orderBy('id')
      .execute();
    expect(entries.map(({ error_message: text }) => text)).toEqual([
      expect.stringMatching(/^Named: .*signature/),
      expect.stringMatching(/^Named: .*aud/),
      expect.stringMatching(/^Named: .*nonce/),
    ]);

    const refusal = await admin.refusal(updateOAuthProvider, { params, body: { issuer: provider.url, jwks_url } });
    expect(refusal).toMatchObject({ status: 400, problems: [{ path: '/body/issuer' }] });
    expect(await admin.data(updateOAuthProvider, { params, body: { jwks_url: null } })).toMatchObject({
      jwks_url: null,
    });
    expect(await signIn({ strangeKey: true })).toMatch(/^200 /);
  } finally {
    await management.stop();
  }
});
