import type { Express } from 'express';
import { createAuditRefusals } from '../audit/audit-refusals.ts';
import { createBrowserSessions, type BrowserSessions } from '../identity/browser-sessions.ts';
import { useDownloadLink } from '../identity/download-links.ts';
import { identifyKeyOrThrow } from '../identity/identify-key.ts';
import { createIdentity, type Identity } from '../identity/identity.ts';
import { startKeyUsage } from '../identity/key-usage.ts';
import { createTokens, type Tokens } from '../identity/tokens.ts';
import type { Infrastructure } from './infrastructure.ts';
import type { Logger } from '../log/logger.ts';
import { createAwaitChange } from '../runtimes/await-change.ts';
import { createStateReports, type StateReports } from '../runtimes/state-reports.ts';
import { shareBodyMemory } from '../http/body-memory.ts';
import { createClientAddress, type ClientAddress } from '../http/client-address.ts';
import { createEdgeSeal } from '../http/edge-seal.ts';
import { createOriginRule, type OriginRule } from '../routes/cors.ts';
import type { Refusal } from '../routes/error-handler.ts';
import { mountRoutes, type MountOptions } from '../routes/mount-routes.ts';
import type { Authentication } from '../routes/role-check.ts';
import { auditedCallOf, browserRequestOf } from '../routes/browser-request.ts';

/** What every service has around its routes, so that logins, keys, roles, audit and metrics are the same in all. */
export interface ServiceApi extends AsyncDisposable {
  readonly tokens: Tokens;
  readonly identity: Identity;
  readonly browserSessions: BrowserSessions;
  readonly allowsOrigin: OriginRule;
  /** Also where the process with the public edge has handed the request on. */
  readonly clientAddress: ClientAddress;
  /** What the proxy runtimes report. */
  readonly reports: StateReports;
  /** Who stands behind a login token or an API key. */
  readonly authentication: Authentication;
  /** Takes down for the audit log what was refused, where no route does it. */
  refused(refusal: Refusal): void;
  start(): Promise<void>;
  /** Builds the handler of routes; as `mountRoutes`. @throws when a route has no handler */
  mount(routes: Pick<MountOptions, 'contract' | 'bound' | 'elsewhere' | 'aliases' | 'frontPage'>): Express;
}

const bytesPerMiB = 1_048_576;

/** @param log names the service */
export function createServiceApi(infrastructure: Infrastructure, log: Logger): ServiceApi {
  const { config, database, coordination, metrics } = infrastructure;
  const tokens = createTokens(config.JWT_SECRET.reveal(), config.JWT_SECRET_PREVIOUS?.reveal());
  const identity = createIdentity(database, tokens);
  const browserSessions = createBrowserSessions({ database, bus: coordination.bus, log, config });
  const allowsOrigin = createOriginRule(config);
  const seal = createEdgeSeal(config.JWT_SECRET.reveal(), config.JWT_SECRET_PREVIOUS?.reveal());
  const clientAddress = createClientAddress(config.TRUSTED_PROXIES, seal);
  const reports = createStateReports(database);
  const refusals = createAuditRefusals(database, log);
  const keyUsage = startKeyUsage({ database, log });
  const authentication: Authentication = {
    user: async (token) => (await identity.identifyOrThrow(token)).caller,
    async apiKey(key) {
      const caller = await identifyKeyOrThrow(database, key);
      keyUsage.count(caller.id);
      return caller;
    },
    async browser(request) {
      const caller = await useDownloadLink(database, { method: request.method, url: request.originalUrl });
      if (caller !== undefined) return { caller };
      return browserSessions.identify(browserRequestOf(request), auditedCallOf(request, clientAddress));
    },
  };

  return {
    tokens,
    identity,
    browserSessions,
    allowsOrigin,
    clientAddress,
    reports,
    authentication,
    refused: (refusal) => refusals.add(refusal),
    start: () => reports.start(),
    mount: (routes) =>
      mountRoutes({
        ...routes,
        authentication,
        allowsOrigin,
        clientAddress,
        maxBodyBytes: config.MAX_REQUEST_SIZE_MB * bytesPerMiB,
        bodyMemory: shareBodyMemory(infrastructure),
        log,
        onRefused: (refusal) => refusals.add(refusal),
        settle: createAwaitChange({ database, reports }),
        observe: (observation) => metrics.gateway.observeRequest(observation),
      }),
    async [Symbol.asyncDispose]() {
      await using parts = new AsyncDisposableStack();
      for (const part of [keyUsage, refusals, reports]) parts.use(part);
    },
  };
}
