import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openTcpRelay, type TcpRelay } from '@portcullis/platform/test/tcp-relay';
import { createTestDatabase } from '@portcullis/platform/test/test-database';
import { startGatewayProcess, type GatewayProcess } from '@portcullis/testkit/gateway-process';
import { startTestGateway, testSecrets, type TestGateway } from '@portcullis/testkit/test-gateway';
import { clearRedis } from './start-gateway.ts';

/** Each has an address of its own of this machine, as replicas have hosts. */
const hosts = ['127.0.0.1', '127.0.0.2', '127.0.0.3'] as const;

/** A management API on its stores, and a way to the same stores for replicas that can be taken from them alone. */
export interface Replicas extends AsyncDisposable {
  /** Its own runtime serves until the replicas start. */
  readonly gateway: TestGateway;
  readonly relays: { readonly database: TcpRelay; readonly redis: TcpRelay };
  /** Ends what served so far and starts three replicas. @returns origins of their ports without the port */
  startReplicas(): Promise<readonly string[]>;
}

export async function startReplicas(options: Readonly<Record<string, string>> = {}): Promise<Replicas> {
  await using opened = new AsyncDisposableStack();
  const database = opened.use(await createTestDatabase('server'));
  const [databaseUrl, redisUrl] = [database.url?.reveal() ?? '', await clearRedis()];
  const relayTo = async (address: string) => {
    const url = new URL(address);
    const relay = opened.use(await openTcpRelay(url.hostname, Number(url.port)));
    url.hostname = '127.0.0.1';
    url.port = String(relay.port);
    return { relay, url: url.href };
  };
  const relayed = { database: await relayTo(databaseUrl), redis: await relayTo(redisUrl) };
  const gateway = opened.use(await startTestGateway({ kind: 'services', databaseUrl, redisUrl, beside: [] }, options));
  // Goes on growing after `opened` has moved.
  const processes = opened.use(new AsyncDisposableStack());
  const start = async (host: string): Promise<GatewayProcess> => {
    const directory = await mkdtemp(join(tmpdir(), 'portcullis-replica-'));
    processes.defer(() => rm(directory, { recursive: true, force: true }));
    const environment = { ...testSecrets, DATA_DIR: directory, HOST: host, PORT: '0', ...options };
    const stores = { DATABASE_URL: relayed.database.url, REDIS_URL: relayed.redis.url };
    const replica = await startGatewayProcess('proxy-runtime', { ...environment, ...stores });
    processes.defer(async () => void (await replica.stop('SIGKILL')));
    return replica;
  };
  const resources = opened.move();
  return {
    gateway,
    relays: { database: relayed.database.relay, redis: relayed.redis.relay },
    async startReplicas() {
      await gateway.runtime.stop();
      await Promise.all(hosts.map(start));
      return hosts.map((host) => `http://${host}`);
    },
    [Symbol.asyncDispose]: () => resources.disposeAsync(),
  };
}
