import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { createUserGroup, deleteUserGroup, updateUserGroup } from '@portcullis/contracts/routes/user-groups';
import { startManagement, stores, type TestManagement } from '../../test/start-management.ts';

describe.each(stores)('a change and its evidence (%s)', (store) => {
  let management: TestManagement;
  beforeAll(async () => {
    management = await startManagement(store);
  });
  afterAll(() => management.stop());

  const records = (type: string) =>
    management.infrastructure.database.kysely
      .selectFrom('audit_log')
      .selectAll()
      .where('event_type', '=', type)
      .orderBy('id')
      .execute();

  test('are kept together: who did what to what, from where, and what differs', async () => {
    const group = await management.admin.data(createUserGroup, { body: { name: 'team', monthly_budget: 5 } });
    await management.admin.data(updateUserGroup, { params: group, body: { name: 'crew' } });
    await management.admin.status(deleteUserGroup, { params: group });

    expect(await records('usergroup.created')).toMatchObject([
      {
        severity: 'info',
        actor_type: 'user',
        actor_id: 1,
        actor_name: 'admin',
        actor_role: 'admin',
        resource_type: 'user_group',
        resource_id: String(group.id),
        resource_name: 'team',
        action: 'created',
        result: 'success',
        changes: { name: { to: 'team' }, monthly_budget: { to: 5 } },
        source_ip: expect.stringContaining('127.0.0.1'),
        user_agent: expect.any(String),
        request_id: expect.any(String),
      },
    ]);
    const [updated] = await records('usergroup.updated');
    expect(updated?.changes).toEqual({ name: { from: 'team', to: 'crew' } });
    expect(await records('usergroup.deleted')).toMatchObject([{ severity: 'warning', resource_name: 'crew' }]);
  });

  test('are both absent when the change is refused', async () => {
    await management.admin.data(createUserGroup, { body: { name: 'taken' } });
    const before = await records('usergroup.created');
    expect(await management.admin.status(createUserGroup, { body: { name: 'taken' } })).toBe(409);
    expect(await management.admin.status(updateUserGroup, { params: { id: 99 }, body: { name: 'x' } })).toBe(404);
    expect(await records('usergroup.created')).toHaveLength(before.length);
  });
});
