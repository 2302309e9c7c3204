import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { UserRole } from '@portcullis/contracts/route';
import { hashKey } from '@portcullis/core/identity/presented-key';
import { waitFor } from '@portcullis/testkit/wait-for';
import { createExampleService } from '../../test/hosting/example-service.ts';
import { createTestDatabase, silentLog } from '../../test/test-database.ts';
import { parseConfigOrThrow } from '../config/config.ts';
import { createSessions } from '../identity/sessions.ts';
import { createTokens } from '../identity/tokens.ts';
import { findUserToLogIn } from '../identity/user-queries.ts';
import type { Host } from '../hosting/host.ts';
import { hostServices } from '../hosting/host-services.ts';

const key = 'gw_a-key-of-the-team';
const opened = new AsyncDisposableStack();
let host: Host;
let origin: string;
beforeAll(async () => {
  const { dataDirectory } = opened.use(await createTestDatabase('embedded'));
  host = opened.use(
    await hostServices({
      name: 'example',
      config: parseConfigOrThrow({ DATA_DIR: dataDirectory, HOST: '127.0.0.1', PORT: '0' }),
      log: silentLog,
      services: [async () => createExampleService],
    }),
  );
  origin = `http://127.0.0.1:${host.edge?.port}`;
  const { kysely } = host.infrastructure.database;
  await kysely.insertInto('user_groups').values({ name: 'team' }).execute();
  await kysely
    .insertInto('api_keys')
    .values({ name: 'ci', user_group_id: 1, key_hash: hashKey(key), key_prefix: key.slice(0, 8) })
    .execute();
});
afterAll(() => opened.disposeAsync());

/** Signs a user of the role in, as the management API does, and answers the token. */
async function signIn(role: UserRole): Promise<string> {
  const { config, database, coordination } = host.infrastructure;
  const row = { username: role, email: `${role}@localhost`, role, password_hash: 'none' };
  await database.kysely.insertInto('users').values(row).execute();
  const user = await findUserToLogIn(database, role, '127.0.0.1');
  if (user === undefined) throw new Error('The user is not there');
  const tokens = createTokens(config.JWT_SECRET.reveal());
  const sessions = createSessions({ database, tokens, bus: coordination.bus, config, log: silentLog });
  return (await sessions.start(user, { clientIp: '127.0.0.1', userAgent: undefined })).token;
}

const me = (headers: object) =>
  fetch(`${origin}/api/v1/examples/me`, { headers: Object.entries<string>({ ...headers }) });
const create = (token: string, body: unknown) =>
  fetch(`${origin}/api/v1/examples`, {
    method: 'POST',
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });

test('a service of its own checks logins and roles, and writes what it changes to the audit log', async () => {
  const [viewer, admin] = [await signIn('viewer'), await signIn('admin')];
  const shown = await me({ authorization: `Bearer ${viewer}` });
  expect(await shown.json()).toMatchObject({ data: { caller: { kind: 'user', username: 'viewer', role: 'viewer' } } });
  expect(shown.headers.get('content-security-policy')).toBe("default-src 'self'");

  expect((await create(viewer, { name: 'x' })).status).toBe(403);
  expect((await create(admin, { nam: 'x' })).status).toBe(400);
  expect((await create(admin, { name: 'first' })).status).toBe(200);
  const records = await waitFor(
    async () => {
      const rows = await host.infrastructure.database.kysely
        .selectFrom('audit_log')
        .select(['event_type', 'actor_name', 'result'])
        .orderBy('id')
        .execute();
      return rows.length === 3 && rows;
    },
    { what: 'three audit records' },
  );
  expect(records.map(Object.values)).toEqual(
    expect.arrayContaining([
      ['security.access.denied', 'viewer', 'failure'],
      ['security.input.invalid', 'admin', 'failure'],
      ['usergroup.created', 'admin', 'success'],
    ]),
  );
});

const asKey = { success: true, data: { caller: { kind: 'api_key', name: 'ci' } } };
const refused = { success: false, error_code: 'UNAUTHORIZED' };

test.each([
  ['X-API-Key', { 'x-api-key': key }, asKey],
  ['Bearer', { authorization: `Bearer ${key}` }, asKey],
  ['ApiKey', { authorization: `ApiKey ${key}` }, asKey],
  ['X-API-Key before Bearer', { 'x-api-key': 'gw_another', authorization: `Bearer ${key}` }, refused],
  ['a key that is none', { authorization: 'Bearer gw_another' }, refused],
  ['no key', {}, refused],
])('an API key counts where the specification lets a client put it: %s', async (_where, headers, answer) => {
  expect(await (await me(headers)).json()).toMatchObject(answer);
});
