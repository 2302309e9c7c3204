import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { stores } from '@portcullis/platform/test/test-database';
import { adminCall, agent, harmless, openTestHub, type TestHub } from '../../test/open-test-hub.ts';
import { createInProcessWindows } from '@portcullis/platform/coordination/in-process/windows';
import { decideSkill } from '@portcullis/platform/skills/decide-skill';
import type { SkillCaller } from '../skill-hub.ts';
import { recordReport } from './record-report.ts';

describe.each(stores)('reports of what skills did (%s)', (kind) => {
  let world: TestHub;
  let turn = 0;
  beforeAll(async () => {
    world = await openTestHub(kind);
  });
  afterAll(async () => world[Symbol.asyncDispose]());
  beforeEach(async () => {
    turn += 1;
    for (const table of ['skills', 'skill_reports', 'alerts', 'outbox', 'settings'] as const) {
      await world.database.kysely.deleteFrom(table).execute();
    }
  });

  const report = (activity: string, changed: object = {}) =>
    world.hub.report(
      { ...agent, address: `203.0.113.${turn}` },
      { name: 'clock', activity, description: 'sent keys', ...changed },
    );
  const alerts = () =>
    world.database.kysely
      .selectFrom('alerts')
      .select(['title', 'severity', 'category', 'raw_data'])
      .orderBy('id')
      .execute();

  test('a report raises an alert that leaves with it', async () => {
    expect(await report('Data_Exfiltration', { evidence: 'POST /x' })).toMatchObject({
      severity: 'High',
      alert_created: true,
      quarantined: false,
    });
    expect(await alerts()).toEqual([
      expect.objectContaining({
        title: '[Unverified MCP Report] data_exfiltration: clock',
        severity: 'High',
        raw_data: expect.objectContaining({ agent_name: 'tester', evidence: 'POST /x' }),
      }),
    ]);
    const left = await world.database.kysely.selectFrom('outbox').select('topic').execute();
    expect(left).toEqual([{ topic: 'alert' }]);
  });

  test('an unknown kind of activity is refused with the kinds that there are', async () => {
    await expect(report('theft')).rejects.toThrow(
      'activity_type must be one of data_exfiltration, unexpected_network, privilege_escalation, credential_access, behavior_change',
    );
    await expect(report('data_exfiltration', { description: ' ' })).rejects.toThrow('must say what happened');
  });

  test('a report of any kind is Medium at least, and the second like it raises its alert, too', async () => {
    expect(await report('behavior_change')).toMatchObject({ severity: 'Medium', alert_created: true });
    const told = await Promise.all(Array.from({ length: 2 }, () => report('unexpected_network')));
    expect(told.map(({ alert_created: alerted }) => alerted)).toEqual([true, true]);
    expect(await alerts()).toHaveLength(3);
  });

  test('what a stranger says is High at most; who sends a key is believed to be as grave as it is', async () => {
    expect(await report('data_exfiltration')).toMatchObject({ severity: 'High', alert_created: true });
    const user = { kind: 'api_key', id: 7, name: 'bot', groupId: 1 } as const;
    const known = await world.hub.report(
      { ...agent, address: `203.0.113.${turn}`, user },
      { name: 'clock', activity: 'data_exfiltration', description: 'sent keys' },
    );
    // The same kind about the same skill, by somebody else.
    expect(known).toMatchObject({ severity: 'Critical', alert_created: true });
  });

  test('no stranger uses up the alerts of others, and of many one alert says that there are more', async () => {
    const parts = { ...world, coordination: { windows: createInProcessWindows() } };
    const send = (caller: SkillCaller, name: string) =>
      recordReport(parts, caller, { name, activity: 'data_exfiltration', description: 'sent keys' });
    const from = (network: number, name: string) => send({ ...agent, address: `198.51.100.${network}` }, name);
    const raised = async (network: number, count: number) => {
      const told = [];
      for (let index = 0; index < count; index += 1) told.push(await from(network, `noise-${network}-${index}`));
      return told.filter(({ alert_created: alerted }) => alerted).length;
    };
    expect(await raised(1, 12)).toBe(5);
    // Primed by one, and told by another all the same.
    expect(await from(2, 'noise-1-0')).toMatchObject({ alert_created: true });
    for (const network of [3, 4, 5, 6]) expect(await raised(network, 5)).toBe(5);
    const rest = [await raised(7, 5), await raised(8, 5), await raised(9, 5)];
    expect(rest.reduce((sum, count) => sum + count, 0)).toBeLessThanOrEqual(5);
    expect((await alerts()).map(({ title }) => title)).toContain('[Unverified MCP Report] many reports at once');
    const user = { kind: 'user', id: 1, username: 'ada', role: 'operator' } as const;
    const known = await send({ ...agent, address: '198.51.100.1', user }, 'real');
    expect(known).toMatchObject({ severity: 'Critical', alert_created: true });
  });

  test('a flood from one address is refused', async () => {
    const told = await Promise.allSettled(Array.from({ length: 35 }, () => report('behavior_change')));
    const refused = told.filter(({ status }) => status === 'rejected');
    expect(refused).toHaveLength(5);
    expect(refused[0]).toMatchObject({ reason: { reason: 'too_many_requests' } });
  });

  test('a report holds an approved skill back only where the setting says so', async () => {
    await world.hub.analyze(agent, { name: 'clock', source: harmless });
    const { id } = await world.hub.details(agent, { name: 'clock' });
    await decideSkill(world, { ...adminCall, params: { id }, body: {} }, 'approved');
    await report('privilege_escalation');
    expect(await world.hub.approval(agent, { name: 'clock' })).toMatchObject({ status: 'approved' });

    const document = JSON.stringify({ quarantine_on_report: true });
    await world.database.kysely.insertInto('settings').values({ section: 'skill_hub', document }).execute();
    world.events.length = 0;
    expect(await report('privilege_escalation')).toMatchObject({ quarantined: true });
    expect(await world.hub.approval(agent, { name: 'clock' })).toMatchObject({
      approved: false,
      status: 'quarantined',
      notes: 'Held back by a report of privilege_escalation',
    });
    expect(world.events.map(({ event }) => event)).toEqual(['skill.quarantined']);
  });
});
