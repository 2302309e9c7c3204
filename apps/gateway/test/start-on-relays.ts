import { createTestDatabase } from '@portcullis/platform/test/test-database';
import { openTcpRelay, type TcpRelay } from '@portcullis/platform/test/tcp-relay';
import { startLlmPeer, type LlmPeer } from '@portcullis/testkit/llm-peer';
import { startTestGateway, type ServiceApp, type TestGateway } from '@portcullis/testkit/test-gateway';
import { waitFor } from '@portcullis/testkit/wait-for';
import type { ReadyProxy } from './set-up-proxy.ts';
import { clearRedis } from './start-gateway.ts';

/** Services on a database and a Redis that can be taken away. */
export interface RelayedServices extends AsyncDisposable {
  readonly gateway: TestGateway;
  readonly target: LlmPeer;
  readonly relays: { readonly database: TcpRelay; readonly redis: TcpRelay };
}

/** @param beside services that are processes of their own beside the management API and the data plane */
export async function startOnRelays(
  options: Readonly<Record<string, string>> = {},
  beside?: readonly ServiceApp[],
): Promise<RelayedServices> {
  await using opened = new AsyncDisposableStack();
  const database = opened.use(await createTestDatabase('server'));
  const [databaseUrl, redisUrl] = [new URL(database.url?.reveal() ?? ''), new URL(await clearRedis())];
  const relayTo = async (url: URL) => {
    const relay = opened.use(await openTcpRelay(url.hostname, Number(url.port)));
    url.hostname = '127.0.0.1';
    url.port = String(relay.port);
    return relay;
  };
  const relays = { database: await relayTo(databaseUrl), redis: await relayTo(redisUrl) };
  const target = opened.use(await startLlmPeer());
  const gateway = opened.use(
    await startTestGateway(
      { kind: 'services', databaseUrl: databaseUrl.href, redisUrl: redisUrl.href, ...(beside && { beside }) },
      options,
    ),
  );
  const resources = opened.move();
  return { gateway, target, relays, [Symbol.asyncDispose]: () => resources.disposeAsync() };
}

export interface Seen {
  readonly id: string;
  readonly status: number;
  readonly tookMs: number;
  /** What the answer says of the limit. */
  readonly limit: string | null;
}

export async function chat(proxy: ReadyProxy, id: string, key = proxy.key): Promise<Seen> {
  const startedAt = performance.now();
  const response = await fetch(`${proxy.url}/v1/chat/completions`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'x-api-key': key, 'x-request-id': id },
    body: JSON.stringify({ model: 'gpt-4o-mini', messages: [{ role: 'user', content: 'hello' }] }),
  });
  await response.arrayBuffer();
  const limit = response.headers.get('x-ratelimit-limit');
  return { id, status: response.status, tookMs: performance.now() - startedAt, limit };
}

/** One after the other. */
export async function chats(proxy: ReadyProxy, name: string, count: number): Promise<Seen[]> {
  const seen: Seen[] = [];
  for (let number = 1; number <= count; number += 1) seen.push(await chat(proxy, `${name}-${number}`));
  return seen;
}

/** Each id has one entry in the log, and there are no others. */
export async function expectLoggedOnce(gateway: TestGateway, proxy: ReadyProxy, ids: readonly string[]): Promise<void> {
  const listed = async () => {
    const logs = await gateway.admin.expect<{ request_id: string }[]>('GET', `/proxies/${proxy.id}/logs?limit=1000`);
    return logs.map(({ request_id: id }) => id);
  };
  const found = await waitFor(
    async () => {
      const all = await listed();
      return ids.every((id) => all.includes(id)) ? all : undefined;
    },
    { what: 'the records of the outage' },
  );
  const [logged, wanted] = [found.toSorted().join(' '), ids.toSorted().join(' ')];
  if (logged !== wanted) throw new Error(`Logged are ${logged}, and not ${wanted}`);
}
