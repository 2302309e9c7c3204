import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { liveEventsTopic, type LiveEvent } from '@portcullis/contracts/events';
import {
  addAlertNote,
  assignAlert,
  listAlertAssignees,
  listAlertNotes,
  reopenAlert,
} from '@portcullis/contracts/routes/alert-work';
import { listAlertGroups } from '@portcullis/contracts/routes/alert-groups';
import {
  bulkResolveAlerts,
  deleteAlert,
  getAlert,
  getAlertStats,
  listAlerts,
  setAlertStatus,
} from '@portcullis/contracts/routes/alerts';
import { deleteUser } from '@portcullis/contracts/routes/users';
import { waitFor } from '@portcullis/testkit/wait-for';
import { sql } from 'kysely';
import { alertRecord, record } from '../../test/records.ts';
import { startManagement, stores, type TestManagement } from '../../test/start-management.ts';

describe.each(stores)('notes, reasons and assignees of alerts (%s)', (store) => {
  let management: TestManagement;
  const events: LiveEvent[] = [];
  beforeAll(async () => {
    management = await startManagement(store);
    await management.infrastructure.coordination.bus.subscribe(liveEventsTopic, (event) => {
      events.push(event as LiveEvent);
    });
  });
  afterAll(() => management.stop());

  const add = async (): Promise<number> => {
    const run = `run-${Math.random()}`;
    await record(management.infrastructure, [alertRecord({ policy_name: run })]);
    const page = await management.admin.data(listAlerts, { query: { policy_name: run } });
    return page.alerts[0]?.id ?? 0;
  };
  const as = async (role: 'viewer' | 'operator') => management.anonymous.as(await management.signIn(role));
  const show = (id: number) => management.admin.data(getAlert, { params: { id } });
  const audited = (type: string) =>
    management.infrastructure.database.kysely
      .selectFrom('audit_log')
      .selectAll()
      .where('event_type', '=', type)
      .orderBy('id')
      .execute();
  const toldOf = (id: number) =>
    events.filter(({ type, payload }) => type === 'alert' && 'id' in payload && payload.id === id);

  test('notes are appended, listed with who and when, and told live', async () => {
    const id = await add();
    const operator = await as('operator');
    await operator.data(addAlertNote, { params: { id }, body: { text: 'Asked the team.\nThey were testing.' } });
    const second = await management.admin.data(addAlertNote, { params: { id }, body: { text: 'ß'.repeat(2_000) } });
    expect(second).toMatchObject({ author: 'admin', author_id: 1, text: 'ß'.repeat(2_000) });
    expect(Date.parse(second.at)).toBeGreaterThan(Date.now() - 60_000);

    const viewer = await as('viewer');
    const list = await viewer.data(listAlertNotes, { params: { id } });
    expect(list).toMatchObject({
      notes: [{ author: expect.stringContaining('operator'), text: 'Asked the team.\nThey were testing.' }, second],
      total: 2,
      limit: 50,
      offset: 0,
    });
    const rest = await viewer.data(listAlertNotes, { params: { id }, query: { limit: 1, offset: 1 } });
    expect(rest).toMatchObject({ notes: [second], total: 2 });
    expect(await show(id)).toMatchObject({ notes: list.notes, note_count: 2, timeline: [], status: 'new' });
    await waitFor(() => toldOf(id).length === 2, { what: 'the events' });
    expect((await audited('alert.note.added')).at(-1)).toMatchObject({
      actor_name: 'admin',
      resource_id: String(id),
      details: { note_id: second.id },
    });
  });

  test('notes are refused that are empty, too long, of viewers, or of no alert', async () => {
    const id = await add();
    for (const text of ['', ' \n', 'x'.repeat(2_001), null]) {
      const refused = await management.admin.refusal(addAlertNote, { params: { id }, body: { text } });
      expect(refused).toMatchObject({ status: 400, problems: [{ path: '/body/text' }] });
    }
    const viewer = await as('viewer');
    expect(await viewer.status(addAlertNote, { params: { id: 999_999 }, body: { text: 'x' } })).toBe(403);
    expect(await management.admin.status(addAlertNote, { params: { id: 999_999 }, body: { text: 'x' } })).toBe(404);
    await management.admin.status(deleteAlert, { params: { id } });
    expect(await management.admin.status(addAlertNote, { params: { id }, body: { text: 'x' } })).toBe(404);
    expect(await management.admin.status(listAlertNotes, { params: { id } })).toBe(404);
  });

  test('an alert takes a thousand notes, also when the last ones come at once', async () => {
    const id = await add();
    await sql`insert into alert_events (alert_id, event, from_status, to_status, actor, note)
      select ${id}, 'note', 'new', 'new', 'script', 'n' from generate_series(1, 998)`.execute(
      management.infrastructure.database.kysely,
    );
    const answers = await Promise.all(
      Array.from({ length: 6 }, () =>
        management.admin.status(addAlertNote, { params: { id }, body: { text: 'late' } }),
      ),
    );
    expect(answers.filter((status) => status === 201)).toHaveLength(2);
    expect(answers.filter((status) => status === 409)).toHaveLength(4);
    const detail = await show(id);
    expect([detail.note_count, detail.notes.length, detail.notes.at(-1)?.text]).toEqual([1_000, 50, 'late']);
  });

  test('reasons stand in the history and in the audit log, and a closed alert is opened again', async () => {
    const id = await add();
    const operator = await as('operator');
    expect(await operator.refusal(reopenAlert, { params: { id } })).toMatchObject({ status: 409 });
    const body = { status: 'false_positive', reason: 'A test of ours' };
    await operator.data(setAlertStatus, { params: { id }, body });
    expect((await audited('alert.status.changed')).at(-1)).toMatchObject({ details: { reason: 'A test of ours' } });
    const open = await operator.data(reopenAlert, { params: { id }, body: { reason: 'It was not' } });
    expect(open).toMatchObject({ id, status: 'new' });
    await operator.data(bulkResolveAlerts, { body: { alert_ids: [id], reason: 'The key is revoked' } });
    await operator.data(reopenAlert, { params: { id } });

    expect((await show(id)).timeline).toMatchObject([
      { event: 'status', from: 'new', to: 'false_positive', reason: 'A test of ours' },
      { event: 'status', from: 'false_positive', to: 'new', reason: 'It was not' },
      { event: 'status', from: 'new', to: 'resolved', reason: 'The key is revoked' },
      { event: 'status', from: 'resolved', to: 'new', reason: null },
    ]);
    expect(await audited('alert.reopened')).toMatchObject([
      { changes: { status: { from: 'false_positive', to: 'new' } }, details: { reason: 'It was not' } },
      { changes: { status: { from: 'resolved', to: 'new' } } },
    ]);
    expect((await audited('alert.bulk.updated')).at(-1)).toMatchObject({ details: { reason: 'The key is revoked' } });
    for (const reason of ['', 'x'.repeat(2_001)]) {
      const refused = await operator.refusal(setAlertStatus, { params: { id }, body: { status: 'resolved', reason } });
      expect(refused).toMatchObject({ status: 400, problems: [{ path: '/body/reason' }] });
    }
    expect(await (await as('viewer')).status(reopenAlert, { params: { id: 999_999 } })).toBe(403);
    expect(await operator.status(reopenAlert, { params: { id: 999_999 } })).toBe(404);
  });

  test('an alert is given to an operator or an admin, and unassigned once they are gone', async () => {
    const id = await add();
    const operator = await as('operator');
    const { users } = await operator.data(listAlertAssignees, { query: { search: 'OPERATOR', limit: 1_000 } });
    expect(new Set(users.map(({ role }) => role))).toEqual(new Set(['operator']));
    const [user = { id: 0, username: '' }] = users.toSorted((a, b) => b.id - a.id);
    const assigned = await operator.data(assignAlert, { params: { id }, body: { user_id: user.id } });
    expect(assigned.assignee).toEqual({ id: user.id, username: user.username });
    await operator.data(assignAlert, { params: { id }, body: { user_id: user.id } });
    await waitFor(() => toldOf(id).length === 1, { what: 'the event' });
    expect(toldOf(id)[0]?.payload).toMatchObject({ assignee: { username: user.username } });
    const [listed] = (await operator.data(listAlerts, { query: { policy_name: assigned.policy_name } })).alerts;
    expect(listed?.assignee).toEqual(assigned.assignee);

    await operator.data(assignAlert, { params: { id }, body: { user_id: 1 } });
    expect((await show(id)).timeline).toMatchObject([
      { event: 'assignee', assignee: user.username, from: 'new', to: 'new', reason: null },
      { event: 'assignee', assignee: 'admin' },
    ]);
    expect((await audited('alert.assigned')).at(-1)).toMatchObject({
      resource_id: String(id),
      changes: { assignee: { from: user.username, to: 'admin' } },
    });
    await operator.data(assignAlert, { params: { id }, body: { user_id: user.id } });
    await management.admin.status(deleteUser, { params: { id: user.id } });
    expect((await show(id)).assignee).toBeNull();
  });

  test('no other user can be assigned', async () => {
    const id = await add();
    await as('viewer');
    const { kysely } = management.infrastructure.database;
    const viewer = await kysely
      .selectFrom('users')
      .select('id')
      .where('role', '=', 'viewer')
      .limit(1)
      .executeTakeFirstOrThrow();
    for (const userId of [viewer.id, 2_147_483_647, 0, 'admin', undefined]) {
      const refused = await management.admin.refusal(assignAlert, { params: { id }, body: { user_id: userId } });
      expect(refused).toMatchObject({ status: 400, problems: [{ path: '/body/user_id' }] });
    }
    expect(await (await as('viewer')).status(assignAlert, { params: { id: 999_999 }, body: { user_id: 1 } })).toBe(403);
    expect(await (await as('viewer')).status(listAlertAssignees)).toBe(403);
    expect(await management.admin.status(assignAlert, { params: { id: 999_999 }, body: { user_id: 1 } })).toBe(404);
    const freed = await management.admin.data(assignAlert, { params: { id }, body: { user_id: null } });
    expect(freed.assignee).toBeNull();
  });

  test('lists, groups and statistics take the same filters', async () => {
    const run = `filters-${store}`;
    const fields = { policy_name: run, user_identity: 'ci key', user_group: 'builders' };
    await record(management.infrastructure, [
      alertRecord({ ...fields, rule_id: 'A', request_id: 'req_filters', severity: 'Low' }),
      alertRecord({ ...fields, rule_id: 'A', raw_data: { shadow: true, would: 'block' } }),
      alertRecord({ ...fields, rule_id: 'B', user_identity: null, severity: 'Critical' }),
    ]);
    const { admin } = management;
    const list = (query: object) => admin.data(listAlerts, { query: { policy_name: run, ...query } });
    const [one] = (await list({ request_id: 'req_filters' })).alerts;
    expect(await list({ request_id: 'req_filters' })).toMatchObject({ total: 1, alerts: [{ severity: 'Low' }] });
    expect(await list({ search: 'req_filters' })).toMatchObject({ total: 1, searched_from: null });
    expect([(await list({ shadow: true })).total, (await list({ shadow: false })).total]).toEqual([1, 2]);
    await admin.data(assignAlert, { params: { id: one?.id ?? 0 }, body: { user_id: 1 } });
    expect((await list({ assignee: 'me' })).alerts).toMatchObject([{ id: one?.id }]);
    expect([(await list({ assignee: 'none' })).total, (await list({ assignee: 'admin,x' })).total]).toEqual([2, 1]);

    const viewer = await as('viewer');
    expect(await viewer.data(listAlertGroups, { query: { policy_name: run } })).toMatchObject({
      groups: [
        {
          policy_name: run,
          rule_id: 'A',
          user_identity: 'ci key',
          user_group: 'builders',
          count: 2,
          open: 2,
          severity: 'High',
        },
        { rule_id: 'B', user_identity: null, count: 1, severity: 'Critical' },
      ],
      total: 2,
      counted: 3,
      counted_from: null,
    });
    const { groups } = await viewer.data(listAlertGroups, { query: { policy_name: run, by: 'rule', shadow: false } });
    expect(groups).toMatchObject([
      { rule_id: 'B', user_group: null },
      { rule_id: 'A', user_group: null },
    ]);
    const stats = await viewer.data(getAlertStats, { query: { policy_name: run, severity: 'low,high' } });
    expect(stats).toMatchObject({ total: 2, top_rules: [{ name: 'A', count: 2 }], tops_from: null });
    expect(await viewer.data(getAlertStats, { query: { search: 'req_filters' } })).toMatchObject({
      total: 1,
      by_severity: { Low: 1, High: 0 },
      searched_from: null,
    });
    for (const [field, value] of Object.entries({ shadow: 'maybe', assignee: 'me,none', by: 'day', request_id: '' })) {
      const refused = await viewer.refusal(listAlertGroups, { query: { [field]: value } });
      expect(refused).toMatchObject({ status: 400, problems: [{ path: `/query/${field}` }] });
    }
  });
});
