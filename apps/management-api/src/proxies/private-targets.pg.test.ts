import { afterEach, expect, test } from '@jest/globals';
import { createProxy, updateProxy } from '@portcullis/contracts/routes/proxies';
import { restartProxy, startProxy } from '@portcullis/contracts/routes/proxy-lifecycle';
import { followDesiredState } from '../../test/follow-desired-state.ts';
import { startManagement, type TestManagement } from '../../test/start-management.ts';

let management: TestManagement | undefined;
afterEach(() => management?.stop());

/** As in production: with secrets of its own, and no private target unless it is allowed. */
async function startInProduction(allowed: string): Promise<TestManagement> {
  management = await startManagement('embedded', {
    ENVIRONMENT: 'production',
    JWT_SECRET: 'aB3$'.repeat(12),
    ENCRYPTION_KEY: '0123456789abcdefghijklmnopqrstuv',
    ALLOWED_PRIVATE_TARGETS: allowed,
  });
  return management;
}

let port = 26_000;
const proxyTo = (target: string) => {
  port += 1;
  return { name: `proxy-${port}`, type: 'mcp' as const, target, port };
};
const isRefusedAt = (address: string, remedy: string) => ({
  status: 422,
  error: 'The gateway does not connect to this address',
  message: expect.stringMatching(new RegExp(`${address.replaceAll('.', '\\.')}.*${remedy}`)),
});
const setting = 'ALLOWED_PRIVATE_TARGETS';

test('a private target is refused in production with its address and the setting that allows it', async () => {
  const { admin } = await startInProduction('');
  for (const [target, address] of [
    ['http://127.0.0.1:9', '127.0.0.1'],
    ['http://localhost:9', 'localhost'],
    ['http://10.20.0.5:8000/mcp', '10.20.0.5'],
    ['http://[fd00::7]:8000', 'fd00::7'],
  ] as const) {
    expect(await admin.refusal(createProxy, { body: proxyTo(target) })).toMatchObject(isRefusedAt(address, setting));
  }
});

test('a network and a host name open what they name, and starting says what has closed meanwhile', async () => {
  const { admin, infrastructure } = await startInProduction('localhost,10.20.0.0/16');
  await using _runtime = await followDesiredState(infrastructure.database);
  const local = await admin.data(createProxy, { body: proxyTo('http://localhost:9') });
  const near = await admin.data(createProxy, { body: proxyTo('http://10.20.0.5:8000/mcp') });
  for (const params of [local, near]) expect(await admin.status(startProxy, { params })).toBe(200);
  const beside = isRefusedAt('10.21.0.5', setting);
  expect(await admin.refusal(createProxy, { body: proxyTo('http://10.21.0.5') })).toMatchObject(beside);
  expect(await admin.refusal(updateProxy, { params: near, body: { target: 'http://10.21.0.5' } })).toMatchObject(
    beside,
  );
  expect(await admin.refusal(createProxy, { body: proxyTo('http://127.0.0.1:9') })).toMatchObject({ status: 422 });

  // Stored by another version, or while the settings were wider.
  await infrastructure.database.kysely
    .updateTable('proxies')
    .set({ target: 'http://10.21.0.5' })
    .where('id', '=', near.id)
    .execute();
  for (const route of [startProxy, restartProxy]) {
    expect(await admin.refusal(route, { params: near })).toMatchObject(beside);
  }
});

test('the metadata service of a cloud stays closed until it is named by its address', async () => {
  const metadata = 'http://169.254.169.254/latest';
  const wide = await startInProduction('169.254.0.0/16,10.0.0.0/8');
  expect(await wide.admin.refusal(createProxy, { body: proxyTo(metadata) })).toMatchObject(
    isRefusedAt('169.254.169.254', `Only 169\\.254\\.169\\.254 itself in ${setting}`),
  );
  await wide.stop();
  management = await startManagement('embedded');
  expect(await management.admin.refusal(createProxy, { body: proxyTo(metadata) })).toMatchObject(
    isRefusedAt('169.254.169.254', 'metadata service'),
  );
  await management.stop();
  const named = await startInProduction('169.254.169.254');
  expect(await named.admin.status(createProxy, { body: proxyTo(metadata) })).toBe(201);
});
