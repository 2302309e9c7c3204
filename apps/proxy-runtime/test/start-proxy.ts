import { errorCatalogue } from '@portcullis/contracts/errors';
import type { CreateServer } from '@portcullis/platform/tls/tls';
import type { Trial, TrialRequest } from '@portcullis/contracts/routes/proxy-trials';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type RequestListener, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { SpoolRecord } from '@portcullis/contracts/records';
import { defaultProxySettings } from '@portcullis/contracts/proxy-settings';
import { compileOriginList } from '@portcullis/core/network/origin-list';
import { createTokens } from '@portcullis/platform/identity/tokens';
import { hashKey } from '@portcullis/core/identity/presented-key';
import { parseToolPermissions } from '@portcullis/core/mcp/tool-permissions';
import { ExceptionTable } from '@portcullis/core/policy/exceptions/exception-table';
import { compilePolicies } from '@portcullis/core/policy/compile/compile-policies';
import type { Policy } from '@portcullis/core/policy/policy';
import type { CompiledPrompt } from '@portcullis/core/prompts/decide-injection';
import type { TrafficAnalyser } from '@portcullis/core/traffic-analysis/traffic-analyser';
import { flatRate } from '@portcullis/core/pricing/model-price';
import { createInProcessAccounts } from '@portcullis/platform/coordination/in-process/accounts';
import { createInProcessBuckets } from '@portcullis/platform/coordination/in-process/buckets';
import type { Accounts, Buckets, Bus } from '@portcullis/platform/coordination/coordination';
import type { Spool } from '@portcullis/platform/spool/spool';
import { createClientAddress } from '@portcullis/platform/http/client-address';
import { createGuardrailClient } from '@portcullis/platform/guardrails/guardrail-client';
import type { LocalModels } from '@portcullis/platform/guardrails/local-models/local-models';
import type { GatewayMetrics } from '@portcullis/platform/metrics/gateway-metrics';
import { FairShare } from '@portcullis/platform/http/fair-share';
import { BudgetService } from '../src/budgets/budget-service.ts';
import type { SpendingRule } from '../src/snapshot/spending-rule.ts';
import { CostEstimator } from '../src/budgets/cost-estimator.ts';
import type { SpendingSums } from '../src/budgets/spending-sums.ts';
import { createExplain } from '../src/explain/create-explain.ts';
import { GuardrailService } from '../src/guardrails/guardrail-service.ts';
import { closeServer, createProxyServer, type ClientLimits } from '../src/listeners/proxy-listener.ts';
import { createEndpointPaths } from '../src/mcp/endpoint-paths.ts';
import { LegacySseStreams } from '../src/mcp-streams/legacy-sse-streams.ts';
import { createSealedTexts } from '../src/mcp/sealed-texts.ts';
import { createSessionSeals } from '../src/mcp/session-seals.ts';
import { MalformedRequests, type MalformedRequest } from '../src/listeners/malformed-requests.ts';
import type { SocketLimits } from '../src/mcp-sockets/upgrade-sink.ts';
import { createPipeline, type PipelineParts } from '../src/pipeline.ts';
import { silentLog } from '@portcullis/platform/test/test-database';
import { createEncryption } from '@portcullis/platform/security/encryption';
import type { KeyEntry } from '@portcullis/platform/traffic/traffic-exchange';
import type { ProxyEntry, Snapshot, TargetEntry } from '../src/snapshot/snapshot.ts';
import { compileTrust } from '@portcullis/platform/inspection/text-source';
import type { ProviderTokens } from '../src/identity/check-provider-token.ts';
import type { RefusalAggregator } from '../src/stages/refusal-aggregator.ts';
import { createKeepContent } from '../src/trace-content/keep-content.ts';
import { TextRedactor } from '../src/trace-content/text-redactor.ts';
import { createTrials } from '../src/trials/create-trials.ts';
import { createTrafficHandler } from '../src/traffic/traffic-handler.ts';
import { TargetPools, type TargetPoolOptions } from '../src/target/target-pools.ts';
import { createPriceList } from '../src/usage/price-list.ts';
import type { TokenCounter } from '../src/metering/token-counter.ts';
import { nothingSpent, roughCounter } from './unused-parts.ts';

type GuardrailCount = Parameters<GatewayMetrics['countGuardrailCheck']>[0];

/** A spool that keeps records in memory and tells them written when the test lets it. */
export interface MemorySpool extends Spool {
  readonly records: SpoolRecord[];
  /** While true, nothing counts as written. */
  stuck: boolean;
  letGo(): void;
}

export function createMemorySpool(): MemorySpool {
  const records: SpoolRecord[] = [];
  let waiting: (() => void)[] = [];
  return {
    records,
    stuck: false,
    append(added, written = () => undefined) {
      records.push(...added);
      if (this.stuck) waiting.push(written);
      else setImmediate(written);
    },
    letGo() {
      this.stuck = false;
      for (const written of waiting) written();
      waiting = [];
    },
    state: () => ({
      status: 'healthy',
      reason: null,
      pendingRecords: 0,
      pendingBytes: 0,
      shedRecords: 0,
      lostRecords: 0,
      rejectedRecords: 0,
    }),
    drained: () => Promise.resolve(),
    [Symbol.asyncDispose]: () => Promise.resolve(),
  };
}

export interface Peer extends AsyncDisposable {
  readonly origin: string;
  readonly server: Server;
}

export const listen = (handler: RequestListener): Promise<Peer> => listenOn(createServer(handler));

async function listenOn(server: Server): Promise<Peer> {
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    server,
    origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    async [Symbol.asyncDispose]() {
      if (!server.listening) return;
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}

/** Signs the tokens of users. */
export const explainSecret = 's'.repeat(40);

export const goodKey = 'gw_good';
/** Of the same team. */
export const secondKey = 'gw_second';

const key = (id: number, changes: Partial<KeyEntry> = {}): KeyEntry => ({
  id,
  name: `key ${id}`,
  groupId: 1,
  active: true,
  expiresAtMs: Number.POSITIVE_INFINITY,
  ...changes,
});

export interface StartOptions {
  readonly target: string;
  readonly policies?: readonly Policy[];
  /** Names of policies in shadow mode. */
  readonly shadow?: readonly string[];
  readonly proxy?: Partial<ProxyEntry>;
  readonly targetEntry?: Partial<TargetEntry>;
  readonly links?: Partial<TargetPoolOptions>;
  readonly trustedProxies?: readonly string[];
  readonly limits?: Partial<ClientLimits>;
  /** How the server of the port is made; in clear unless given. */
  readonly createServer?: CreateServer;
  readonly rateLimit?: number;
  /** Of the access entry. */
  readonly permissions?: string;
  readonly buckets?: Pick<Buckets, 'take'>;
  readonly maxBodyBytes?: number;
  readonly bodyMemory?: FairShare;
  readonly maxInspectedBytes?: number;
  readonly clientStallMs?: number;
  readonly sockets?: Partial<SocketLimits>;
  readonly keepAliveMs?: number;
  readonly headersTimeoutMs?: number;
  readonly analyser?: TrafficAnalyser | undefined;
  /** Refusals that the log does not have yet. */
  readonly refusalLog?: RefusalAggregator;
  /** The system prompt of the team. */
  readonly teamPrompt?: CompiledPrompt;
  /** Of the team. */
  readonly budget?: SpendingRule;
  readonly snapshot?: Partial<Snapshot>;
  readonly accounts?: Accounts;
  readonly sums?: Partial<SpendingSums>;
  readonly counter?: TokenCounter;
  readonly providerTokens?: ProviderTokens;
  readonly localModels?: LocalModels;
  /** What it shares with the other workers of its installation. */
  readonly shared?: { readonly secret: string; readonly bus: Bus };
  /** USD per million tokens, read and written; other models have no price. */
  readonly prices?: Readonly<Record<string, readonly [input: number, output: number]>>;
}

const redactor = new TextRedactor();
/** Seals the contents of traces. */
export const contentEncryption = createEncryption('e'.repeat(32));

const unlimited: Pick<Buckets, 'take'> = { take: () => ({ allowed: true, remaining: 1, retryAfterMs: 0 }) };

export interface RunningProxy extends Peer {
  /** What the port does first when it closes. */
  readonly standDown: () => void;
  /** Closes the port; resolves when it is closed. */
  readonly close: (drainMs: number) => Promise<void>;
  /** Gives it another configuration. */
  readonly change: (changed: (current: Snapshot) => Partial<Snapshot>) => void;
  /** Tries a request. */
  readonly attempt: (request: TrialRequest) => Promise<Trial>;
  readonly spool: MemorySpool;
  readonly budgetService: BudgetService;
  /** Faults and target failures that the observer was told. */
  readonly problems: string[];
  /** Models without a price, as they were told. */
  readonly unpriced: readonly string[];
  /** Questions to guardrail providers, as they were counted. */
  readonly counted: readonly GuardrailCount[];
}

/** One proxy port over a snapshot made by hand. */
export async function startProxy(options: StartOptions): Promise<RunningProxy> {
  const target = new URL(options.target);
  const proxy: ProxyEntry = {
    id: 7,
    name: 'proxy',
    type: 'llm',
    target: {
      origin: target.origin,
      host: target.host,
      basePath: target.pathname.replace(/\/+$/, ''),
      auth: undefined,
      timeouts: { connectMs: null, headersMs: null, idleMs: null },
      ca: undefined,
      ...options.targetEntry,
    },
    port: 0,
    wanted: true,
    generation: 0,
    tlsPair: null,
    access: new Map([
      [
        1,
        {
          permissions: options.permissions ?? '{}',
          rateLimit: options.rateLimit ?? 0,
          tools: parseToolPermissions(options.permissions ?? '{}'),
          prompt: options.teamPrompt,
        },
      ],
    ]),
    tools: undefined,
    origins: compileTrust(options.proxy?.type ?? 'llm', undefined),
    prompt: undefined,
    promptLimits: { maxBodyBytes: 102_400, maxMessages: 10 },
    policyNames: (options.policies ?? []).map(({ name }) => name),
    guardrails: undefined,
    policies: options.policies === undefined ? undefined : compilePolicies(options.policies, new Set(options.shadow)),
    explains: false,
    canaryRate: 0,
    nativeErrors: false,
    allowedMethods: undefined,
    allowsOrigin: compileOriginList(defaultProxySettings.allowed_origins),
    blockResponse: 'http',
    refill: 'literal',
    denyWithoutStore: false,
    forwardGatewayKey: false,
    maxConcurrent: 0,
    promptWithoutPlace: 'deny',
    passesUnread: false,
    usageFromStream: 'auto',
    ...options.proxy,
  };
  let snapshot: Snapshot = {
    revision: 1,
    behind: new Set(),
    keysByHash: new Map([
      [hashKey(goodKey), key(1)],
      [hashKey(secondKey), key(6)],
      [hashKey('gw_revoked'), key(2, { active: false })],
      [hashKey('gw_expired'), key(3, { expiresAtMs: 1 })],
      [hashKey('gw_idle_group'), key(4, { groupId: 2 })],
      [hashKey('gw_other_group'), key(5, { groupId: 3 })],
    ]),
    groups: new Map([
      [1, { id: 1, name: 'team', active: true, budget: options.budget }],
      [2, { id: 2, name: 'idle', active: false, budget: undefined }],
      [3, { id: 3, name: 'other', active: true, budget: undefined }],
    ]),
    groupsBySubject: new Map(),
    logins: { sessions: new Map(), users: new Map(), groups: new Map() },
    oauth: { keys: new Map(), grants: new Map(), providers: new Map(), identities: new Map() },
    exceptions: new ExceptionTable(Date.now),
    proxies: new Map([[7, proxy]]),
    budgets: { organization: undefined, resets: new Map() },
    pricing: { overrides: new Map(), blocksUnknown: false },
    tracesContent: false,
    ...options.snapshot,
  };
  const spool = createMemorySpool();
  const problems: string[] = [];
  const unpriced: string[] = [];
  const prices = createPriceList({
    findLibraryPrice({ model }) {
      const [input, output] = options.prices?.[model] ?? [];
      if (input === undefined || output === undefined) return undefined;
      const none = { cachedInput: undefined, cacheWrite: undefined, longCacheWrite: undefined };
      return { ...none, input: flatRate(input), output: flatRate(output) };
    },
    onUnpriced: (model) => unpriced.push(model),
  });
  const counted: GuardrailCount[] = [];
  const guardrails = createGuardrailClient({ allowPrivate: true }, options.localModels);
  const links = new TargetPools({
    connections: 128,
    headersTimeoutMs: options.headersTimeoutMs ?? 60_000,
    bodyTimeoutMs: 60_000,
    connectTimeoutMs: 60_000,
    allowPrivate: true,
    breaker: { maxFailures: 0, restMs: 0 },
    onChange: (link) => problems.push(`link ${link.state.state}: ${link.state.problem}`),
    ...options.links,
  });
  const { secret, bus } = options.shared ?? { secret: 'its own' };
  const legacySse = new LegacySseStreams(bus);
  const stopHearing = await legacySse.listen();
  const budgetService = new BudgetService({
    accounts: options.accounts ?? createInProcessAccounts(),
    localAccounts: createInProcessAccounts(),
    sums: { ...nothingSpent, ...options.sums },
  });
  await budgetService.look();
  const pipelineParts: PipelineParts = {
    readToken: createTokens(explainSecret).find,
    ...(options.providerTokens && { providerTokens: options.providerTokens }),
    limits: { shared: options.buckets ?? unlimited, local: createInProcessBuckets() },
    endpoints: createEndpointPaths(secret),
    sessions: createSessionSeals(secret),
    tasks: createSessionSeals(secret, undefined, 'mcp task'),
    states: createSealedTexts(secret, 'mcp state'),
    maxBodyBytes: options.maxBodyBytes ?? 100_000,
    bodyMemory: options.bodyMemory ?? new FairShare(100_000_000),
    analyser: options.analyser,
    ...(options.refusalLog && { refusalLog: options.refusalLog }),
    guardrails: {
      service: new GuardrailService(guardrails, (check) => counted.push(check)),
      appendLate: (records) => spool.append(records),
    },
    usage: {
      prices,
      counter: options.counter ?? roughCounter,
      appendLate: (records) => spool.append(records),
      onUsage: () => undefined,
    },
    budgets: {
      service: budgetService,
      costs: new CostEstimator(),
      prices,
    },
    brokenPrompt: (prompt) => problems.push(`broken prompt ${prompt.name}`),
    content: createKeepContent({
      redactor,
      encryption: contentEncryption,
      append: (records) => spool.append(records),
      log: silentLog,
    }),
  };
  const pipeline = createPipeline(pipelineParts);
  /** Refusals with a status that the row of their stage does not tell. */
  const unreported = new Set<string>();
  const tellsOf = (name: string) => {
    const rows = [...pipeline.request, pipeline.forward, ...pipeline.response];
    return rows.find(({ stage }) => stage.name === name)?.status ?? [];
  };
  const rules = {
    clientAddress: createClientAddress(options.trustedProxies ?? []),
    maxInspectedBytes: options.maxInspectedBytes ?? 1_000_000,
    maxMessageBytes: options.maxBodyBytes ?? 100_000,
    clientStallMs: options.clientStallMs ?? 60_000,
    keepAliveMs: options.keepAliveMs ?? 25_000,
    sockets: { maxSockets: 100, maxPending: 1_000, ...options.sockets },
    currentSnapshot: () => snapshot,
    poolFor: (entry: TargetEntry) => links.poolFor(entry),
  };
  const handlerFor = createTrafficHandler({
    ...rules,
    pipeline,
    observer: {
      fault: (stage, _onFault, error) => problems.push(`fault ${stage}: ${String(error)}`),
      denied(stage, { reason }) {
        const { status } = errorCatalogue[reason];
        if (reason !== 'internal_error' && !tellsOf(stage).includes(status))
          unreported.add(`${stage} refuses with ${status} (${reason})`);
      },
      settled: () => undefined,
      targetFailed: (_exchange, error) => problems.push(`target: ${error.message}`),
    },
    spool,
    legacySse,
    explain: createExplain(explainSecret),
  });
  const trials = createTrials({ traffic: rules, pipeline: pipelineParts, log: silentLog, timeoutMs: 1_000 });
  const handler = handlerFor(7);
  const limits = {
    headersTimeoutMs: 15_000,
    requestTimeoutMs: 120_000,
    maxHeaderBytes: 32_768,
    maxConnections: 1_000,
    ...options.limits,
  };
  const unreadable = new MalformedRequests({
    append: (records) => spool.append(records),
    count: (reason) => void problems.push(`unreadable: ${reason}`),
    log: silentLog,
  });
  const onMalformed = (request: MalformedRequest) => unreadable.take(7, request);
  const peer = await listenOn(
    createProxyServer(
      { limits, onMalformed, ...(options.createServer && { createServer: options.createServer }) },
      handler,
    ),
  );
  return {
    ...peer,
    standDown: () => handler.standDown(),
    close: (drainMs) => closeServer(peer.server, handler, drainMs),
    change(changed) {
      snapshot = { ...snapshot, revision: snapshot.revision + 1, ...changed(snapshot) };
      handler.reconsider();
    },
    attempt: (request) => trials.run({ id: `trial-${randomUUID()}`, proxyId: 7, sentAtMs: Date.now(), request }),
    spool,
    budgetService,
    problems,
    unpriced,
    counted,
    async [Symbol.asyncDispose]() {
      handler.cut();
      await stopHearing();
      await peer[Symbol.asyncDispose]();
      await links[Symbol.asyncDispose]();
      await guardrails[Symbol.asyncDispose]();
      if (unreported.size > 0) throw new Error(`pipeline.ts does not say that ${[...unreported].join(', ')}`);
    },
  };
}
