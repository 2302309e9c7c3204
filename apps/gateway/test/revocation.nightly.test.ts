import { Agent, createServer, request as ask, type IncomingMessage, type ServerResponse } from 'node:http';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { waitFor } from '@portcullis/testkit/wait-for';
import { startReplicas, type Replicas } from './start-replicas.ts';
import { setUpProxy, type ReadyProxy } from './set-up-proxy.ts';

/** Half of them are answers of a model under way, half stand open for what an MCP server may say. */
const openStreams = 1_000;
/** Each replica is asked so often while the key is revoked. */
const askEveryMs = 10;
/** So long the stores stay away from the replicas once the key is revoked. */
const awayMs = 15_000;
/** How long it takes until a replica that has its database back knows, at the most: a look each second, on a busy machine. */
const mostMs = 30_000;

/** Answers a question at once, and drips a stream until it is told to end them. */
async function openTarget() {
  const dripping = new Set<ServerResponse>();
  const server = createServer((request, response) => {
    let body = '';
    request.setEncoding('utf8').on('data', (piece: string) => (body += piece));
    request.on('end', () => {
      if (request.method !== 'GET' && !body.includes('"stream":true')) {
        const said = { choices: [{ index: 0, message: { role: 'assistant', content: 'hello' } }] };
        return void response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(said));
      }
      response.writeHead(200, { 'content-type': 'text/event-stream' }).write(': open\n\n');
      dripping.add(response);
      response.on('close', () => dripping.delete(response));
    });
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    dripping,
    endAll: () => {
      for (const response of dripping) response.end('data: [DONE]\n\n');
    },
    async [Symbol.asyncDispose]() {
      server.close();
      server.closeAllConnections();
    },
  };
}

interface Stream {
  readonly end: Promise<'in order' | 'cut'>;
  endedAtMs: number | undefined;
}

const agent = new Agent({ maxSockets: Number.POSITIVE_INFINITY });

async function openStream(proxy: ReadyProxy, isModel: boolean): Promise<Stream> {
  const headers = { 'x-api-key': proxy.key, accept: 'application/json, text/event-stream' };
  const asked = isModel
    ? ask(`${proxy.url}/v1/chat/completions`, {
        method: 'POST',
        agent,
        headers: { ...headers, 'content-type': 'application/json' },
      })
    : ask(`${proxy.url}/mcp`, { agent, headers });
  asked.end(isModel ? '{"model":"gpt-4o-mini","stream":true,"messages":[{"role":"user","content":"hi"}]}' : undefined);
  const [response] = (await once(asked, 'response')) as [IncomingMessage];
  if (response.statusCode !== 200) throw new Error(`A stream was answered ${response.statusCode}`);
  const stream: { -readonly [Key in keyof Stream]: Stream[Key] } = {
    end: Promise.resolve('cut'),
    endedAtMs: undefined,
  };
  stream.end = new Promise((resolve) => {
    const ended = (how: 'in order' | 'cut') => () => {
      stream.endedAtMs ??= performance.now();
      resolve(how);
    };
    response.resume().on('end', ended('in order')).on('error', ended('cut')).on('close', ended('cut'));
  });
  return stream;
}

/** Asks a replica again and again; `lastAdmittedMs` tells when the last request went out that was let through. */
function keepAsking(proxy: ReadyProxy) {
  const end = new AbortController();
  let lastAdmittedMs = 0;
  let refusals = 0;
  const asking = (async () => {
    while (!end.signal.aborted) {
      const sentAtMs = performance.now();
      const response = await fetch(`${proxy.url}/v1/chat/completions`, {
        method: 'POST',
        headers: { 'x-api-key': proxy.key, 'content-type': 'application/json' },
        body: '{"model":"gpt-4o-mini","messages":[{"role":"user","content":"hi"}]}',
      });
      await response.arrayBuffer();
      if (response.status === 200) [lastAdmittedMs, refusals] = [Math.max(lastAdmittedMs, sentAtMs), 0];
      else refusals += 1;
      await pause(askEveryMs);
    }
  })();
  return {
    lastAdmittedMs: () => lastAdmittedMs,
    refusals: () => refusals,
    async stop() {
      end.abort();
      await asking;
    },
  };
}

const table: string[][] = [
  [
    'away from the replicas',
    'answered after',
    'last admitted after the answer',
    'after the stores were back',
    'streams of MCP ended',
    'answers that came whole',
  ],
];
let world: Replicas;
let origins: readonly string[];
let target: Awaited<ReturnType<typeof openTarget>>;

beforeAll(async () => {
  target = await openTarget();
  world = await startReplicas();
  origins = await world.startReplicas();
});
afterAll(async () => {
  const widths = (table[0] as string[]).map((_, column) => Math.max(...table.map((row) => row[column]?.length ?? 0)));
  const lines = table.map((row) => row.map((cell, column) => cell.padEnd(widths[column] ?? 0)).join('  '));
  process.stderr.write(`\n${lines.join('\n')}\n`);
  await world[Symbol.asyncDispose]();
  await target[Symbol.asyncDispose]();
});

const inMs = (ms: number): string => `${Math.round(ms)} ms`;

test.each([
  ['nothing', [], false],
  ['Redis', ['redis'], false],
  ['the database', ['database'], true],
  ['the database and Redis', ['database', 'redis'], true],
] as const)(
  'a key is revoked during 1,000 open streams on three replicas, with %s away from them',
  async (what, away, isLate) => {
    const { admin } = world.gateway;
    const model = await setUpProxy(admin, target.url);
    const tools = await setUpProxy(admin, target.url, { type: 'mcp' });
    // One key for both.
    await admin.expect('POST', `/user-groups/${model.groupId}/proxy-access`, {
      proxy_config_id: tools.id,
      rate_limit: 0,
    });
    const on = (proxy: ReadyProxy, origin: string) => ({ ...proxy, key: model.key, url: `${origin}:${proxy.port}` });
    const [answers, standing] = await Promise.all(
      [model, tools].map((proxy) =>
        Promise.all(
          Array.from({ length: openStreams / 2 }, (_, index) =>
            openStream(on(proxy, origins[index % origins.length] as string), proxy === model),
          ),
        ),
      ),
    );
    await waitFor(() => target.dripping.size === openStreams, { what: 'all streams' });
    const askers = origins.map((origin) => keepAsking(on(model, origin)));
    await waitFor(() => askers.every(({ lastAdmittedMs }) => lastAdmittedMs() > 0), { what: 'all replicas' });

    for (const store of away) await world.relays[store].cut();
    const askedAtMs = performance.now();
    const revoked = await admin.call('POST', `/api-keys/${model.keyId}/revoke`);
    const answeredAtMs = performance.now();
    expect(revoked.status).toBe(200);
    if (away.length > 0) await pause(awayMs);
    const backAtMs = performance.now();
    for (const store of away) await world.relays[store].restore();
    await waitFor(() => askers.every(({ refusals }) => refusals() >= 100), {
      what: 'the key to be refused everywhere',
    });
    await Promise.all((standing ?? []).map(({ end }) => end));
    const lastMs = Math.max(...askers.map(({ lastAdmittedMs }) => lastAdmittedMs()));
    for (const asker of askers) await asker.stop();
    const endedAtMs = Math.max(...(standing ?? []).map(({ endedAtMs: atMs }) => atMs ?? 0));

    // What was asked before is answered still.
    expect((answers ?? []).filter(({ endedAtMs: atMs }) => atMs !== undefined)).toEqual([]);
    target.endAll();
    const ends = await Promise.all((answers ?? []).map(({ end }) => end));
    expect(ends.every((how) => how === 'in order')).toBe(true);

    // What is answered is in force, but in runtimes that the database has lost sight of: in those it is when they have it back.
    expect(lastMs).toBeLessThanOrEqual(isLate ? backAtMs + mostMs : answeredAtMs);
    table.push([
      what,
      `${inMs(answeredAtMs - askedAtMs)}${'pending' in revoked ? ', pending' : ''}`,
      inMs(Math.max(0, lastMs - answeredAtMs)),
      away.length === 0 ? '' : inMs(Math.max(0, lastMs - backAtMs)),
      `${standing?.length} after ${inMs(endedAtMs - answeredAtMs)}`,
      `${ends.length}`,
    ]);
  },
);
