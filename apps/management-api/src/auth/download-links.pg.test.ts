import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { login, logout } from '@portcullis/contracts/routes/auth';
import { createDownloadLink } from '@portcullis/contracts/routes/download-links';
import { updateUser } from '@portcullis/contracts/routes/users';
import { sql } from 'kysely';
import { adminPassword, startManagement, stores, type TestManagement } from '../../test/start-management.ts';

const path = '/api/v1/audit/export?format=csv';

describe.each(stores)('a link to a download (%s)', (store) => {
  let management: TestManagement;
  beforeAll(async () => {
    management = await startManagement(store, { PUBLIC_URL: 'https://shared.example/gate' });
  });
  afterAll(() => management.stop());

  const newAdmin = async () => {
    const body = { username: 'admin', password: adminPassword };
    return management.anonymous.as((await management.anonymous.data(login, { body })).token);
  };
  /** As the gateway sees it behind a reverse proxy, which takes off what stands before it. */
  const make = async (client = management.admin, asked = path) =>
    (await client.data(createDownloadLink, { body: { path: asked } })).url.replace(/^\/gate/, '');
  const open = (url: string, init: RequestInit = {}) => fetch(`${management.origin}${url}`, init);

  test('opens the file once, without a header, for what was asked', async () => {
    const { url } = await management.admin.data(createDownloadLink, { body: { path } });
    expect(url).toMatch(/^\/gate\/api\/v1\/audit\/export\?format=csv&download_token=[\w-]{43}$/);
    const own = url.replace('/gate', '');
    expect((await open(own, { method: 'HEAD' })).status).toBe(401);
    const answer = await open(own);
    expect([answer.status, answer.headers.get('content-type')]).toEqual([200, 'text/csv; charset=utf-8']);
    expect(answer.headers.get('content-disposition')).toMatch(/^attachment; filename="/);
    const again = await open(own);
    expect([again.status, await again.json()]).toEqual([
      401,
      expect.objectContaining({ message: 'The link was used before, has expired, or is for something else' }),
    ]);
  });

  test('is used by one of several requests at once', async () => {
    const url = await make();
    const answers = await Promise.all([1, 2, 3, 4].map(() => open(url)));
    expect(answers.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([200, 401, 401, 401]);
  });

  test('is nothing for another path, another query, another method, and stays good for its own', async () => {
    const url = await make();
    const token = url.slice(url.indexOf('download_token='));
    for (const other of [
      `/api/v1/auth/me?${token}`,
      `/api/v1/audit/export?format=json&${token}`,
      `/api/v1/audit/export?${token}`,
      `/api/v1/audit/export?${token}&format=csv`,
      `${url}&limit=1`,
    ]) {
      expect([other, (await open(other)).status]).toEqual([other, 401]);
    }
    const post = await open(`/api/v1/auth/logout?${token}`, { method: 'POST' });
    expect(post.status).toBe(401);
    expect((await open(url)).status).toBe(200);
  });

  test('ends with the session that asked for it, with its time, and with the role', async () => {
    const admin = await newAdmin();
    const url = await make(admin);
    await admin.status(logout);
    expect((await open(url)).status).toBe(401);

    const late = await make();
    const { kysely } = management.infrastructure.database;
    await sql`update download_links set expires_at = now() - interval '1 second'`.execute(kysely);
    expect((await open(late)).status).toBe(401);

    const token = await management.signIn('admin');
    const other = await make(management.anonymous.as(token));
    const { rows } = await sql<{ id: number }>`select max(id) as id from users`.execute(kysely);
    await management.admin.status(updateUser, { params: { id: rows[0]?.id }, body: { role: 'viewer' } });
    expect((await open(other)).status).not.toBe(200);
  });

  test('is made for files alone, by those who may read them, and not without end', async () => {
    const refusal = (asked: string, client = management.admin) =>
      client.refusal(createDownloadLink, { body: { path: asked } });
    for (const asked of ['/api/v1/auth/me', '/api/v1/docs', '/api/v1/nothing', '/api/v1/audit/export/more']) {
      expect(await refusal(asked)).toMatchObject({ status: 404 });
    }
    for (const asked of ['https://evil.example/api/v1/audit/export', '//evil.example', '/api/v1/a b', '/console/']) {
      expect(await refusal(asked)).toMatchObject({ status: 400 });
    }
    const user = management.anonymous.as(await management.signIn('user'));
    expect(await refusal(path, user)).toMatchObject({ status: 403 });
    const busy = await newAdmin();
    for (let times = 0; times < 20; times += 1) await make(busy);
    expect(await refusal(path, busy)).toMatchObject({ status: 429 });
  });
});
