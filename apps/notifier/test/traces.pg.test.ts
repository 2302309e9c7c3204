import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import type { RequestLogRecord, UsageRecord } from '@portcullis/contracts/records';
import { traceContentContext, type TraceContent } from '@portcullis/contracts/trace-content';
import { openSpool } from '@portcullis/platform/spool/open-spool';
import type { Spool } from '@portcullis/platform/spool/spool';
import { silentLog } from '@portcullis/platform/test/test-database';
import { startLangfusePeer, type LangfusePeer } from '@portcullis/testkit/langfuse-peer';
import { waitFor } from '@portcullis/testkit/wait-for';
import { join } from 'node:path';
import { openTraceDestination, type TraceDestination } from '../src/traces/trace-destination.ts';
import { createHttpSender } from '../src/senders/http-sender.ts';
import { openDeliveryQueues } from '@portcullis/platform/deliveries/delivery-queues';
import type { Destination } from '../src/channels/shared/channel.ts';
import { loadIntegrationStates } from '../src/integrations/integration-states.ts';
import { startNotifier, stores } from './start-notifier.ts';

const dashed = (id: string): string => id.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5');

const keys = { publicKey: 'pk-lf-1', secretKey: 'sk-lf-2' };

describe.each(stores)('traces of requests to models, on %s', (kind) => {
  let notifier: Awaited<ReturnType<typeof startNotifier>>;
  let langfuse: LangfusePeer;
  let spool: Spool & AsyncDisposable;
  let llm = 0;
  let mcp = 0;

  beforeAll(async () => {
    notifier = await startNotifier(kind);
    langfuse = await startLangfusePeer(keys);
    const { database, dataDirectory } = notifier.infrastructure;
    spool = await openSpool({
      directory: join(dataDirectory, 'spool'),
      database,
      maxBytes: 64_000_000,
      log: silentLog,
      onRejected: () => undefined,
    });
    const ids = await database.kysely
      .insertInto('proxies')
      .values(
        (['llm', 'mcp'] as const).map((type, index) => ({
          name: type,
          type,
          target: 'http://target.example',
          port: 8_100 + index,
        })),
      )
      .returning('id')
      .execute();
    [llm, mcp] = ids.map(({ id }) => id) as [number, number];
  });
  afterAll(async () => {
    for (const opened of [spool, notifier, langfuse]) await opened?.[Symbol.asyncDispose]();
  });

  const set = async (change: object): Promise<void> => {
    const { database, encryption } = notifier.infrastructure;
    const document = JSON.stringify({
      enabled: true,
      host: langfuse.url,
      public_key: keys.publicKey,
      secret_key: encryption.encrypt(keys.secretKey, 'settings.llm_observability.secret_key'),
      ...change,
    });
    await database.kysely
      .insertInto('settings')
      .values({ section: 'llm_observability', document })
      .onConflict((conflict) => conflict.column('section').doUpdateSet({ document }))
      .execute();
  };

  /** Records requests as a runtime does. @returns the ids of their traces */
  const record = async (count: number, { proxy = llm, model = 'gpt-4o-mini' } = {}): Promise<readonly string[]> => {
    const events = Array.from({ length: count }, () => randomUUID());
    const timestamp = new Date().toISOString();
    const same = { timestamp, proxy_id: proxy, api_key_id: null, user_group_id: null };
    spool.append(
      events.flatMap((id): [RequestLogRecord, UsageRecord] => [
        {
          kind: 'request_log',
          event_id: id,
          request_id: `r-${id}`,
          method: 'POST',
          path: '/v1/chat/completions',
          status_code: 200,
          duration_ms: 12.5,
          request_size: 10,
          response_size: 20,
          client_ip: '127.0.0.1',
          user_agent: null,
          ...same,
        },
        {
          kind: 'usage',
          event_id: id,
          request_id: `r-${id}`,
          protocol: 'openai-chat',
          model,
          input_tokens: 7,
          output_tokens: 3,
          total_tokens: 10,
          cost_micro_usd: 500,
          priced: true,
          estimated: false,
          ...same,
        },
      ]),
    );
    await waitFor(() => spool.state().pendingRecords === 0, { what: 'the records to be saved' });
    return events.map((id) => id.replaceAll('-', ''));
  };
  const arrive = (ids: readonly string[]) =>
    waitFor(() => ids.every((id) => langfuse.traces.has(id)), { what: 'all traces' });
  const waiting = async () =>
    (await notifier.infrastructure.database.kysely.selectFrom('llm_trace_queue').select('id').execute()).length;
  const metric = async (outcome: string): Promise<number> =>
    Number(
      new RegExp(`^gateway_llm_traces_total\\{outcome="${outcome}"\\} (\\d+)$`, 'm').exec(
        await notifier.metrics(),
      )?.[1] ?? 0,
    );

  test('are not kept while nothing takes them', async () => {
    await record(3);
    expect(await waiting()).toBe(0);
  });

  test('arrive batch after batch, of models alone, with their usage', async () => {
    await set({});
    const ids = await record(450);
    const others = await record(2, { proxy: mcp });
    await arrive(ids);
    expect(others.some((id) => langfuse.traces.has(id))).toBe(false);
    await waitFor(async () => (await waiting()) === 0, { what: 'an empty queue' });
    expect(langfuse.requests.filter(({ method }) => method === 'POST').length).toBeGreaterThanOrEqual(3);
    expect(langfuse.traces.get(ids[0] ?? '')).toMatchObject({
      name: 'chat gpt-4o-mini',
      durationMs: 12.5,
      attributes: { 'gen_ai.usage.input_tokens': '7', 'portcullis.cost_usd': 0.000_5, 'portcullis.proxy.name': 'llm' },
    });
    await arrive(await record(5));
  });

  test('hold what was asked and answered only while an admin wants that', async () => {
    const { encryption } = notifier.infrastructure;
    const keep = (id: string, sealedFor = id) =>
      spool.append([
        {
          kind: 'trace_content',
          event_id: dashed(id),
          timestamp: new Date().toISOString(),
          content: encryption.encrypt(
            JSON.stringify({ input: [{ role: 'user', parts: [`asked by ${id}`] }], cut: false } satisfies TraceContent),
            traceContentContext(dashed(sealedFor)),
          ),
        },
      ]);
    const inputs = (ids: readonly string[]) =>
      ids.map((id) => langfuse.traces.get(id)?.attributes['gen_ai.input.messages']);

    await set({ include_content: true });
    const [first, second, third = '', ...others] = await record(5);
    const told = [first, second] as [string, string];
    for (const id of told) keep(id);
    keep(third, first);
    keep(randomUUID());
    await arrive([...told, third, ...others]);
    expect(inputs(told)).toEqual(
      told.map((id) => JSON.stringify([{ role: 'user', parts: [{ type: 'text', content: `asked by ${id}` }] }])),
    );
    expect(inputs([third, ...others])).toEqual([undefined, undefined, undefined]);

    await set({ include_content: false });
    const [quiet = ''] = await record(1);
    keep(quiet);
    await arrive([quiet]);
    expect(inputs([quiet])).toEqual([undefined]);
  });

  test('of long contents go in posts that the service takes', async () => {
    const { encryption } = notifier.infrastructure;
    await set({ include_content: true });
    const posts = langfuse.requests.length;
    langfuse.behave('unavailable');
    const ids = await record(150);
    const part = Array.from({ length: 3_000 }, () => randomUUID())
      .join(' ')
      .slice(0, 32_000);
    spool.append(
      ids.map((id) => ({
        kind: 'trace_content' as const,
        event_id: dashed(id),
        timestamp: new Date().toISOString(),
        content: encryption.encrypt(
          JSON.stringify({ input: [{ role: 'user', parts: [part] }], cut: true } satisfies TraceContent),
          traceContentContext(dashed(id)),
        ),
      })),
    );
    await waitFor(() => spool.state().pendingRecords === 0, { what: 'the contents to be saved' });
    langfuse.behave('well');
    await arrive(ids);
    expect(langfuse.requests.slice(posts).every(({ body }) => body.length < 4_000_000)).toBe(true);
    expect(langfuse.traces.get(ids.at(-1) ?? '')?.attributes['gen_ai.input.messages']).toContain(part);
  });

  test('wait while the service is away, and none is lost', async () => {
    langfuse.behave('unavailable');
    const ids = await record(30);
    await waitFor(async () => (await state()).last_error?.includes('503') === true, { what: 'the failure to be told' });
    expect(await waiting()).toBe(30);
    // Which the other integrations are told, once it has failed three times in a row.
    await waitFor(async () => (await status())?.status === 'failing', { what: 'the integration to count as failing' });
    expect((await status())?.reason).toContain('503');
    expect(await listed()).toMatchObject({ state: 'failing', last_error_at: expect.stringMatching(/^\d{4}-.*Z$/) });
    langfuse.behave('well');
    await arrive(ids);
    await waitFor(async () => (await status())?.status === 'working', { what: 'the integration to count as working' });
    await waitFor(async () => (await state()).last_error === null, { what: 'the failure to be over' });
    expect(await listed()).toMatchObject({ state: 'ok', last_error: null, last_error_at: null });
  });

  test('one that is refused costs no other', async () => {
    langfuse.refuse('chat poison');
    const [first, , last] = [await record(20), await record(1, { model: 'poison' }), await record(20)];
    await arrive([...first, ...last]);
    await waitFor(async () => (await waiting()) === 0, { what: 'an empty queue' });
    expect(await metric('refused')).toBe(1);
  });

  test('are sent again after a stop in the middle, and kept once', async () => {
    langfuse.behave('hang');
    const ids = await record(10);
    const before = langfuse.requests.length;
    await waitFor(() => langfuse.requests.length > before, { what: 'a post under way' });
    await notifier.restart();
    langfuse.behave('well');
    await arrive(ids);
    expect(langfuse.traces.size).toBeLessThanOrEqual(langfuse.received());
  });

  test('a test says what is wrong in words', async () => {
    await using http = createHttpSender({ allowPrivate: true });
    const verify = async (change: object) => {
      await set(change);
      return (await openTraceDestination(notifier.infrastructure, http)).verify(AbortSignal.timeout(5_000));
    };
    expect(await verify({})).toMatchObject({ kind: 'delivered' });
    expect(await verify({ public_key: 'pk-lf-other' })).toMatchObject({
      kind: 'refused',
      reason: expect.stringContaining('it does not know the credentials'),
    });
    expect(await verify({ service: 'otlp' })).toMatchObject({
      kind: 'refused',
      reason: expect.stringContaining('nothing at this address'),
    });
    expect(await verify({ public_key: '' })).toMatchObject({ reason: 'No public key of Langfuse is set' });
    expect(await verify({ host: 'http://169.254.169.254' })).toMatchObject({ kind: 'refused' });
  });

  const status = () =>
    notifier.infrastructure.database.kysely
      .selectFrom('integration_states')
      .select(['status', 'reason'])
      .where('channel', '=', 'llm_observability')
      .executeTakeFirst();
  /** As the API lists it, beside channels that are switched off. */
  const listed = async () => {
    const { database, coordination } = notifier.infrastructure;
    const queues = openDeliveryQueues(coordination);
    const openTraces = async () => ({ enabled: true }) as TraceDestination;
    const off = async () => ({ enabled: false }) as Destination;
    const states = await loadIntegrationStates({ database, queues, openTraces, circuitOf: () => 'closed' }, off);
    expect(states.slice(0, -1).every((each) => each.state === 'off')).toBe(true);
    return states.at(-1);
  };
  const state = async () =>
    (await notifier.infrastructure.database.kysely
      .selectFrom('llm_trace_state')
      .select('last_error')
      .executeTakeFirst()) ?? { last_error: null };
});
