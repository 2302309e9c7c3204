import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { listAuditLogs } from '@portcullis/contracts/routes/audit';
import { login } from '@portcullis/contracts/routes/auth';
import { createUserGroup, listUserGroups } from '@portcullis/contracts/routes/user-groups';
import { waitFor } from '@portcullis/testkit/wait-for';
import { startManagement, stores, type TestManagement } from '../../test/start-management.ts';

describe.each(stores)('what the API refuses (%s)', (store) => {
  let management: TestManagement;
  beforeAll(async () => {
    management = await startManagement(store);
  });
  afterAll(() => management.stop());

  const recorded = (type: string) =>
    waitFor(
      async () => {
        const { logs } = await management.admin.data(listAuditLogs, { query: { event_type: type } });
        return logs.length > 0 && logs;
      },
      { what: type },
    );

  test('is recorded with who asked and for what, alike refusals once', async () => {
    const viewer = management.anonymous.as(await management.signIn('viewer'));
    for (let time = 0; time < 5; time += 1) {
      expect(await viewer.status(createUserGroup, { body: { name: 'x' } })).toBe(403);
    }
    expect(await recorded('security.access.denied')).toMatchObject([
      {
        severity: 'warning',
        actor: { type: 'user', role: 'viewer', username: expect.stringMatching(/^viewer-/) },
        resource: { type: 'route', name: 'POST /api/v1/user-groups' },
        result: 'failure',
        error_message: 'This needs the role admin',
      },
    ]);
  });

  test('names the wrong fields of a write and never their values', async () => {
    await management.admin.status(createUserGroup, { body: { name: 'x', monthly_budget: 'hunter2' } });
    const [log] = await recorded('security.input.invalid');
    expect(log).toMatchObject({ severity: 'info', details: { problems: ['/body/monthly_budget'] } });
    expect(JSON.stringify(log)).not.toContain('hunter2');
  });

  test('tells of logins that were too many, once', async () => {
    const body = { username: 'stranger', password: 'a wrong password' };
    for (let time = 0; time < 14; time += 1) await management.anonymous.status(login, { body });
    expect(await recorded('security.ratelimit.exceeded')).toMatchObject([
      {
        severity: 'warning',
        actor: { type: 'anonymous' },
        resource: { name: 'POST /api/v1/auth/login' },
        source_ip: expect.any(String),
      },
    ]);
  });

  test('says nothing of callers without a login', async () => {
    const { total } = await management.admin.data(listAuditLogs, { query: {} });
    expect(await management.anonymous.status(listUserGroups)).toBe(401);
    expect(await management.anonymous.as('x.y.z').status(listUserGroups)).toBe(401);
    expect((await management.admin.data(listAuditLogs, { query: {} })).total).toBe(total);
  });
});
