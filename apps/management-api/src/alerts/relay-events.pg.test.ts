import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { deliveryQueue, type DeliveryJob } from '@portcullis/contracts/events';
import type { GatewayEvent } from '@portcullis/contracts/gateway-events';
import { login } from '@portcullis/contracts/routes/auth';
import { updateSettings } from '@portcullis/contracts/routes/settings';
import { recordAudit } from '@portcullis/platform/audit/record-audit';
import { waitFor } from '@portcullis/testkit/wait-for';
import { startManagement, stores, type TestManagement } from '../../test/start-management.ts';

describe.each(stores)('what happens beside alerts (%s)', (store) => {
  let management: TestManagement;
  const told: { readonly channel: string; readonly event: GatewayEvent }[] = [];
  const workers = new AsyncDisposableStack();

  beforeAll(async () => {
    management = await startManagement(store);
    for (const channel of ['siem', 'syslog', 'chat'] as const) {
      const queue = workers.use(management.infrastructure.coordination.queue<DeliveryJob>(deliveryQueue(channel)));
      workers.use(
        queue.process(
          async ({ payload }) => void ('event' in payload && told.push({ channel, event: payload.event })),
          1,
        ),
      );
    }
  });
  afterAll(async () => {
    await workers.disposeAsync();
    await management.stop();
  });

  const set = (body: object) => management.admin.data(updateSettings, { body });
  const wait = (channel: string, name: string, count = 1) =>
    waitFor(
      () => {
        const found = told.filter((one) => one.channel === channel && one.event.event === name);
        return found.length >= count ? found : undefined;
      },
      { what: `${count} ${name} for ${channel}` },
    );
  const failLogin = () =>
    management.anonymous.refusal(login, { body: { username: 'admin', password: 'not the password' } });

  test('leaves nothing behind while no integration takes it', async () => {
    await failLogin();
    const { kysely } = management.infrastructure.database;
    expect(await kysely.selectFrom('outbox').selectAll().execute()).toEqual([]);
    expect(told).toEqual([]);
  });

  test('goes to the integrations that take its kind, with who did it', async () => {
    await set({
      siem: { enabled: true, endpoint: 'https://siem.example' },
      syslog: { enabled: true, host: 'logs.example', events: ['alerts', 'authentication'] },
    });
    const [changed] = await wait('siem', 'settings.updated');
    expect(changed?.event).toMatchObject({
      kind: 'configuration',
      severity: 'Medium',
      result: 'success',
      actor: { type: 'user', name: 'admin', role: 'admin' },
      source_ip: '127.0.0.1',
      timestamp: expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/),
    });
    expect(JSON.stringify(changed)).not.toContain('ENC');

    await failLogin();
    const [one] = await wait('siem', 'auth.login.failed');
    const [other] = await wait('syslog', 'auth.login.failed');
    expect(one?.event).toMatchObject({ kind: 'authentication', severity: 'Medium', result: 'failure' });
    expect(other?.event).toEqual(one?.event);
    expect(told.filter(({ channel, event }) => channel === 'syslog' && event.kind !== 'authentication')).toEqual([]);
    expect(told.filter(({ channel }) => channel === 'chat')).toEqual([]);
  });

  test('is told only when its transaction is in force', async () => {
    const { kysely } = management.infrastructure.database;
    const entry = (name: string) =>
      ({ event_type: 'audit.exported', actor: { type: 'system', id: null, name }, result: 'success' }) as const;
    const failing = kysely.transaction().execute(async (transaction) => {
      await recordAudit(transaction, entry('never'));
      throw new Error('taken back');
    });
    await expect(failing).rejects.toThrow('taken back');
    await recordAudit(kysely, entry('done'));
    const [event] = await wait('siem', 'audit.exported');
    expect(event?.event).toMatchObject({ kind: 'system', message: 'system done: audit.exported' });
    expect(told.filter(({ event: { actor } }) => actor?.name === 'never')).toEqual([]);
  });

  test('has what becomes of services, too, and no echo of what the audit log tells', async () => {
    await management.infrastructure.database.kysely
      .insertInto('service_instances')
      .values({
        instance_id: '018f0000-0000-7000-8000-000000000009',
        service: 'proxy-runtime',
        host: 'elsewhere',
        pid: 1,
        version: '0',
        health: JSON.stringify({ status: 'healthy', problems: [] }),
      })
      .execute();
    const [up] = await wait('siem', 'service.up');
    expect(up?.event).toMatchObject({ kind: 'system', severity: 'Info', details: { service: 'proxy-runtime' } });
    expect(told.filter(({ event: { event } }) => event === 'settings.changed')).toEqual([]);
  });
});
