import { describe, expect, test } from '@jest/globals';
import { openDatabase } from '@portcullis/platform/database/connection/open-database';
import { checkPassword } from '@portcullis/platform/security/password';
import { createTestDatabase, stores, silentLog } from '@portcullis/platform/test/test-database';
import { execFile } from 'node:child_process';
import { join } from 'node:path';

interface Run {
  readonly code: number;
  readonly output: string;
}

const reset = (environment: Record<string, string>, ...parameters: string[]): Promise<Run> =>
  new Promise((resolve) => {
    const child = execFile(
      process.execPath,
      [join(import.meta.dirname, 'reset-admin.ts'), ...parameters],
      { env: { PATH: process.env['PATH'], ...environment } },
      (_error, out, err) => resolve({ code: child.exitCode ?? -1, output: out + err }),
    );
  });

describe.each(stores)('npm run reset-admin (%s)', (kind) => {
  test('gives an admin a new password, ends the sessions and leaves a record', async () => {
    await using address = await createTestDatabase(kind);
    const environment = {
      DATA_DIR: address.dataDirectory,
      ...(address.url !== undefined && { DATABASE_URL: address.url.reveal() }),
    };
    const open = () => openDatabase({ ...address, maxConnections: 1, queryTimeoutMs: 10_000, log: silentLog });
    {
      await using database = await open();
      const user = (username: string, role: 'admin' | 'viewer') => ({
        username,
        role,
        email: `${username}@localhost`,
        password_hash: 'lost',
        active: false,
      });
      await database.kysely
        .insertInto('users')
        .values([user('admin', 'admin'), user('eve', 'viewer')])
        .execute();
      // The process that has the embedded database has it alone; a server may be asked by many.
      const held = kind === 'embedded' ? (await reset(environment)).output : 'is held by another process';
      expect(held).toContain('is held by another process');
    }

    expect(await reset(environment, 'eve')).toEqual({
      code: 1,
      output: 'No password was changed: no admin is called "eve". Admins: "admin"\n',
    });
    const { code, output } = await reset(environment);
    expect(code).toBe(0);
    const [, password = ''] = /^New password of admin: ([A-Za-z0-9]{20})$/m.exec(output) ?? [];

    await using database = await open();
    const [admin, eve] = await database.kysely.selectFrom('users').selectAll().orderBy('id').execute();
    expect(await checkPassword(password, admin?.password_hash ?? '')).toBe(true);
    expect(admin).toMatchObject({ must_change_password: true, active: true });
    expect(eve?.password_hash).toBe('lost');
    const records = await database.kysely.selectFrom('audit_log').select(['event_type', 'resource_name']).execute();
    expect(records).toEqual([{ event_type: 'auth.password.reset', resource_name: 'admin' }]);
  });
});

test('says where it looked when there is no database', async () => {
  expect(await reset({ DATA_DIR: '/nowhere' })).toEqual({
    code: 1,
    output: 'No password was changed: there is no database in /nowhere; set DATABASE_URL or DATA_DIR\n',
  });
});
