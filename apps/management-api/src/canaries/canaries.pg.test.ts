import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { listAlerts } from '@portcullis/contracts/routes/alerts';
import { listAuditLogs } from '@portcullis/contracts/routes/audit';
import {
  getCanaryStats,
  listCanaryLeakages,
  purgeCanaries,
  testCanaryDetection,
  testCanaryInjection,
} from '@portcullis/contracts/routes/canaries';
import { createProxy } from '@portcullis/contracts/routes/proxies';
import { updateSettings } from '@portcullis/contracts/routes/settings';
import type { CanaryPlantedRecord, CanarySeenRecord } from '@portcullis/contracts/records';
import { waitFor } from '@portcullis/testkit/wait-for';
import { randomUUID } from 'node:crypto';
import { record } from '../../test/records.ts';
import { startManagement, stores, type TestManagement } from '../../test/start-management.ts';
import { resolveObservations } from './resolve-observations.ts';

const dayMs = 86_400_000;

describe.each(stores)('canary tokens (%s)', (store) => {
  let management: TestManagement;
  let proxyId = 0;
  beforeAll(async () => {
    management = await startManagement(store);
    const body = { name: 'llm', type: 'llm', target: 'http://127.0.0.1:9', port: 22_101 } as const;
    proxyId = (await management.admin.data(createProxy, { body })).id;
  });
  afterAll(() => management.stop());

  const fields = (token: string, principal: string, session: string, daysAgo: number) => ({
    event_id: randomUUID(),
    timestamp: new Date(Date.now() - daysAgo * dayMs).toISOString(),
    request_id: randomUUID(),
    proxy_id: proxyId,
    token,
    principal,
    session,
    user_identity: principal,
    user_group: 'team',
  });
  const planted = (token: string, principal = 'key:1', session = 'a', daysAgo = 0): CanaryPlantedRecord => ({
    kind: 'canary_planted',
    ...fields(token, principal, session, daysAgo),
  });
  const seen = (token: string, principal = 'key:1', session = 'a', daysAgo = 0): CanarySeenRecord => ({
    kind: 'canary_seen',
    ...fields(token, principal, session, daysAgo),
    source: '127.0.0.1',
    target: '/v1/chat/completions',
  });
  const leakages = (query: object = {}) => management.admin.data(listCanaryLeakages, { query });
  const alertsOf = async (token: string) => {
    const { alerts } = await management.admin.data(listAlerts, { query: { category: 'Canary Tokens', limit: 100 } });
    return alerts.filter(({ source }) => source === `canary:${token}`);
  };
  const settle = (alertOnEcho = false) => resolveObservations(management.infrastructure.database, { alertOnEcho });

  test('start without any', async () => {
    expect(await management.admin.data(getCanaryStats)).toEqual({
      days: 30,
      planted: 0,
      seen_again: 0,
      survival_rate: null,
      survival_status: 'unknown',
      leakages: 0,
      leakages_24h: 0,
      by_type: { cross_user: 0, cross_session: 0, stale: 0, memorization: 0 },
    });
    expect(await leakages()).toEqual({ leakages: [], total: 0, limit: 50, offset: 0 });
  });

  test('that come back to another caller are an alert without anybody asking, once', async () => {
    const observation = seen('crossed1', 'key:2', 'b');
    await record(management.infrastructure, [planted('crossed1'), observation]);
    await waitFor(async () => (await alertsOf('crossed1')).length, { what: 'the alert' });
    // SignInDetails twice, and seen again in the same place.
    await record(management.infrastructure, [observation, seen('crossed1', 'key:2', 'b')]);
    await settle();
    const [alert, ...more] = await alertsOf('crossed1');
    expect(more).toEqual([]);
    expect(alert).toMatchObject({
      severity: 'Critical',
      title: 'Canary Token Leakage: cross_user',
      action: 'Monitor',
      category: 'Canary Tokens',
      target: `proxy:${proxyId}`,
      rule_id: 'canary_leakage_cross_user',
      user_identity: 'key:2',
      user_type: 'apikey',
    });
  });

  test.each([
    ['sessions', 'key:1', 'b', 0, 'cross_session', 'Medium'],
    ['stale001', 'key:1', 'b', 8, 'stale', 'High'],
    ['learnt01', 'key:2', 'b', 8, 'memorization', 'Critical'],
  ])('%s, back with %s in %s after %d days, is %s', async (token, principal, session, days, type, severity) => {
    await record(management.infrastructure, [planted(token, 'key:1', 'a', days), seen(token, principal, session)]);
    await settle();
    const found = (await leakages({ type, limit: 1_000 })).leakages.filter((leak) => leak.token === token);
    expect(found).toEqual([
      expect.objectContaining({
        type,
        severity,
        planted: expect.objectContaining({ principal: 'key:1', session: 'a' }),
        seen: expect.objectContaining({ principal, session, proxy_id: proxyId }),
      }),
    ]);
    expect(await alertsOf(token)).toHaveLength(1);
  });

  test('that come back where they belong are counted, and an alert only where that is wanted', async () => {
    await record(management.infrastructure, [planted('echoed01'), seen('echoed01')]);
    await settle();
    expect(await alertsOf('echoed01')).toEqual([]);
    // Before the observation, which the service itself may settle first.
    await management.admin.data(updateSettings, { body: { canaries: { alert_on_echo: true } } });
    await record(management.infrastructure, [planted('echoed02'), seen('echoed02')]);
    await settle(true);
    expect(await alertsOf('echoed02')).toEqual([expect.objectContaining({ severity: 'Low' })]);
    expect(await leakages({ type: 'cross_user' })).toMatchObject({ total: 2 });
  });

  test('that were never planted mean nothing, but wait for a planting that is on its way', async () => {
    await record(management.infrastructure, [seen('late0001', 'key:2', 'b'), seen('nobody01', 'key:2', 'b', 1)]);
    await settle();
    await record(management.infrastructure, [planted('late0001')]);
    await settle();
    expect(await alertsOf('late0001')).toHaveLength(1);
    expect(await alertsOf('nobody01')).toEqual([]);
    const rows = await management.infrastructure.database.kysely
      .selectFrom('canary_sightings')
      .select('meaning')
      .where('token', '=', 'nobody01')
      .execute();
    expect(rows).toEqual([{ meaning: 'unknown' }]);
  });

  test('are counted, by type', async () => {
    const stats = await management.admin.data(getCanaryStats, { query: { days: 30 } });
    expect(stats).toMatchObject({
      planted: 7,
      seen_again: 7,
      survival_rate: 1,
      survival_status: 'healthy',
      by_type: { cross_user: 3, cross_session: 1, stale: 1, memorization: 1 },
      leakages: 6,
    });
    expect(stats.leakages_24h).toBe(6);
    expect(await leakages({ limit: 2, offset: 5 })).toMatchObject({ total: 6, limit: 2, offset: 5 });
    expect(await leakages({ proxy_id: proxyId + 1 })).toMatchObject({ leakages: [], total: 0 });
  });

  test('can be tried without traffic and without alerts', async () => {
    const made = await management.admin.data(testCanaryInjection, {
      body: { user: 'ada', session: 's', text: 'Be kind.' },
    });
    expect(made.text).toBe(`Be kind.\n\n(ref:${made.token})`);
    const detect = (user: string, session: string) =>
      management.admin.data(testCanaryDetection, { body: { user, session, text: `x ${made.text} (ref:nothing1)` } });
    expect(await detect('ada', 's')).toMatchObject({ leakage: false });
    expect(await detect('ada', 't')).toMatchObject({ leakage: true });
    expect(await detect('bob', 's')).toEqual({
      leakage: true,
      candidates: [
        { token: made.token, known: true, type: 'cross_user' },
        { token: 'nothing1', known: false, type: null },
      ],
    });
    expect(await management.admin.data(getCanaryStats)).toMatchObject({ planted: 7 });
  });

  test('are forgotten when they are old, which is written down', async () => {
    const query = { older_than_days: 5 };
    expect(await management.admin.data(purgeCanaries, { query })).toEqual({ purged: 2 });
    expect((await leakages({ type: 'stale' })).leakages).toEqual([expect.objectContaining({ planted: null })]);
    const { logs } = await management.admin.data(listAuditLogs, { query: { event_type: 'canary.purged' } });
    expect(logs).toEqual([expect.objectContaining({ details: { older_than_days: 5, purged: 2 } })]);
  });
});
