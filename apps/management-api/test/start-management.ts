import { login } from '@portcullis/contracts/routes/auth';
import type { UserRole } from '@portcullis/contracts/route';
import { parseConfigOrThrow } from '@portcullis/platform/config/config';
import { Secret } from '@portcullis/platform/config/secret';
import { openCoordination } from '@portcullis/platform/hosting/open-coordination';
import { openLocalModels } from '@portcullis/platform/guardrails/local-models/local-models';
import type { Infrastructure } from '@portcullis/platform/service/infrastructure';
import { openPublicEdge } from '@portcullis/platform/hosting/public-edge';
import type { Service } from '@portcullis/platform/service/service';
import { createMetrics } from '@portcullis/platform/metrics/metrics';
import { createEncryption } from '@portcullis/platform/security/encryption';
import { openTls } from '@portcullis/platform/tls/open-tls';
import { hashPassword } from '@portcullis/platform/security/password';
import { openTestDatabase, silentLog, type DatabaseKind } from '@portcullis/platform/test/test-database';
import { randomUUID } from 'node:crypto';
import { createManagementService, type ManagementOptions } from '../src/service.ts';
import { createApiClient, type ApiClient } from './api-client.ts';

export { stores, type DatabaseKind as Store } from '@portcullis/platform/test/test-database';

/** A management service on a port of its own, over fresh stores. */
export interface TestManagement {
  readonly origin: string;
  readonly service: Service;
  readonly infrastructure: Infrastructure;
  /** Of the database; undefined for the embedded one. */
  readonly databaseUrl: Secret | undefined;
  /** Signed in as the first admin. */
  readonly admin: ApiClient;
  readonly adminToken: string;
  /** A client that is not signed in. */
  readonly anonymous: ApiClient;
  /** Makes a user of the role and signs them in. */
  signIn(role: UserRole): Promise<string>;
  /** Starts another replica over the same stores, and answers its origin. */
  addReplica(): Promise<string>;
  stop(): Promise<void>;
}

export const adminPassword = 'correct horse battery';

/** `server` is PostgreSQL with Redis, `embedded` both in this process. */
export async function startManagement(
  store: DatabaseKind,
  environment: Readonly<Record<string, string>> = {},
  options: ManagementOptions = {},
): Promise<TestManagement> {
  await using opened = new AsyncDisposableStack();
  const keyPrefix = `test-${randomUUID()}:`;
  const { databaseUrl, ...infrastructure } = await openTestInfrastructure(store, environment, keyPrefix, opened);
  const service = createManagementService(infrastructure, options);
  opened.defer(() => service[Symbol.asyncDispose]());
  await service.start();
  const origin = await listen(service, opened);

  const anonymous = createApiClient(origin, undefined);
  const tokenOf = async (username: string) =>
    (await anonymous.data(login, { body: { username, password: adminPassword } })).token;
  const adminToken = await tokenOf(infrastructure.config.ADMIN_USERNAME);
  const resources = opened.move();
  return {
    origin,
    service,
    infrastructure,
    databaseUrl,
    adminToken,
    admin: anonymous.as(adminToken),
    anonymous,
    async signIn(role) {
      const username = `${role}-${randomUUID()}`;
      const row = { username, email: `${username}@localhost`, role, password_hash: await hashPassword(adminPassword) };
      await infrastructure.database.kysely.insertInto('users').values(row).execute();
      return tokenOf(username);
    },
    async addReplica() {
      const coordination = await openTestCoordination(store, infrastructure.dataDirectory, keyPrefix);
      resources.use(coordination);
      const replica = createManagementService(
        { ...infrastructure, coordination, metrics: createMetrics(), instanceId: randomUUID() },
        options,
      );
      resources.defer(() => replica[Symbol.asyncDispose]());
      await replica.start();
      return listen(replica, resources);
    },
    stop: () => resources.disposeAsync(),
  };
}

async function openTestInfrastructure(
  store: DatabaseKind,
  environment: Readonly<Record<string, string>>,
  keyPrefix: string,
  opened: AsyncDisposableStack,
): Promise<Infrastructure & Pick<TestManagement, 'databaseUrl'>> {
  const config = parseConfigOrThrow({
    CONSOLE: 'off',
    JWT_SECRET: 'j'.repeat(40),
    ENCRYPTION_KEY: 'e'.repeat(32),
    ADMIN_PASSWORD: adminPassword,
    ...environment,
  });
  const database = opened.use(await openTestDatabase(store));
  const { dataDirectory } = database.address;
  const coordination = opened.use(await openTestCoordination(store, dataDirectory, keyPrefix));
  return {
    config: {
      ...config,
      JWT_SECRET: config.JWT_SECRET ?? missing(),
      ENCRYPTION_KEY: config.ENCRYPTION_KEY ?? missing(),
    },
    log: silentLog,
    metrics: createMetrics(),
    database,
    databaseUrl: database.address.url,
    coordination,
    encryption: createEncryption('e'.repeat(32)),
    tls: await openTls({ config, log: silentLog }),
    localModels: opened.use(openLocalModels(config)),
    dataDirectory,
    openSpool: () => Promise.reject(new Error('The management API has no spool')),
    instanceId: randomUUID(),
  };
}

const openTestCoordination = (store: DatabaseKind, dataDirectory: string, keyPrefix: string) =>
  openCoordination({
    redisUrl: store === 'server' ? testRedisUrl() : undefined,
    dataDirectory,
    log: silentLog,
    keyPrefix,
  });

export function testRedisUrl(): Secret {
  const url = process.env['TEST_REDIS_URL'];
  if (url === undefined) throw new Error('TEST_REDIS_URL is not set; `npm test` brings a server and sets it');
  return new Secret(url);
}

function missing(): never {
  throw new Error('The test environment lacks a secret');
}

export async function listen({ mounts = [] }: Pick<Service, 'mounts'>, opened: AsyncDisposableStack): Promise<string> {
  const edge = opened.use(await openPublicEdge('127.0.0.1', 0));
  edge.serve(mounts);
  return `http://127.0.0.1:${edge.port}`;
}
