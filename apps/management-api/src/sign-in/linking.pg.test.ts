import { expect, test } from '@jest/globals';
import { createOAuthProvider, updateOAuthProvider } from '@portcullis/contracts/routes/oauth-providers';
import { createUser } from '@portcullis/contracts/routes/users';
import { startSignInPeer } from '@portcullis/testkit/sign-in-peer';
import { finishAtGateway, signInAtProvider, signInEnvironment } from '../../test/sign-in-browser.ts';
import { startManagement } from '../../test/start-management.ts';

test('signs in as who reads the management API by a provider marked for it alone, and tells the audit log why not', async () => {
  await using provider = await startSignInPeer();
  const environment = { ...signInEnvironment(provider), OAUTH_LINKS_MANAGEMENT_USERS: 'github' };
  const management = await startManagement('server', environment);
  try {
    const { admin, origin, infrastructure } = management;
    for (const role of ['user', 'viewer', 'operator', 'admin'] as const) {
      await admin.data(createUser, { body: { username: `of-${role}`, email: `${role}@example.com`, role } });
    }
    const signIn = async (name: string, role: string): Promise<number> => {
      provider.behave({ email: `${role}@example.com` });
      return (await finishAtGateway(origin, await signInAtProvider(origin, name))).status;
    };
    const refused: number[] = [];
    for (const role of ['viewer', 'operator', 'admin']) refused.push(await signIn('oidc', role));
    expect(refused).toEqual([403, 403, 403]);
    const entry = await infrastructure.database.kysely
      .selectFrom('audit_log')
      .select('error_message')
      .where('event_type', '=', 'auth.login.failed')
      .executeTakeFirstOrThrow();
    expect(entry.error_message).toContain('links_management_users');

    const body = {
      name: 'Marked',
      provider_type: 'custom',
      client_id: provider.clientId,
      client_secret: provider.clientSecret,
      issuer: provider.url,
    } as const;
    const { id } = await admin.data(createOAuthProvider, { body });
    expect(await signIn('Marked', 'admin')).toBe(403);
    await admin.data(updateOAuthProvider, { params: { id }, body: { links_management_users: true } });
    expect(await signIn('Marked', 'admin')).toBe(200);
  } finally {
    await management.stop();
  }
});
