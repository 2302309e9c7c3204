import { join } from 'node:path';
import type { UsageRecord } from '@portcullis/contracts/records';
import { createTrafficAnalyser } from '@portcullis/core/traffic-analysis/traffic-analyser';
import { renderAuditRecord } from '@portcullis/platform/audit/audit-entry';
import { AuditThrottle } from '@portcullis/platform/audit/audit-throttle';
import { createInProcessAccounts } from '@portcullis/platform/coordination/in-process/accounts';
import { createInProcessBuckets } from '@portcullis/platform/coordination/in-process/buckets';
import { createCachedLookup } from '@portcullis/platform/http/cached-lookup';
import { createClientAddress } from '@portcullis/platform/http/client-address';
import { createGuardrailClient } from '@portcullis/platform/guardrails/guardrail-client';
import type { Infrastructure } from '@portcullis/platform/lifecycle/infrastructure';
import type { Service } from '@portcullis/platform/lifecycle/service';
import { tellStep } from '@portcullis/platform/lifecycle/tell-step';
import { problemText } from '@portcullis/platform/lifecycle/problem';
import { sharePolicyAnalyst } from '@portcullis/platform/policies/policy-analyst';
import { createSnapshotFeed } from '@portcullis/platform/snapshot/snapshot-feed';
import { createSnapshotStore } from '@portcullis/platform/snapshot/snapshot-store';
import type { Spool } from '@portcullis/platform/spool/spool';
import { LocalSlots, type Slots } from './concurrency/slots.ts';
import { countWorkersOrThrow, readRuntimeConfig } from './config.ts';
import { BudgetService } from './budgets/budget-service.ts';
import { CostGuess } from './budgets/estimate-cost.ts';
import { createSpendingFeed } from './budgets/spending-sums.ts';
import { createExplain } from './explain/create-explain.ts';
import { GuardrailService } from './guardrails/guardrail-service.ts';
import { versionsIn } from './guardrails/versions-in.ts';
import { createEndpointPaths } from './mcp/endpoint-paths.ts';
import { LegacySseStreams } from './mcp/legacy-sse-streams.ts';
import { createSealedTexts } from './mcp/sealed-texts.ts';
import { createSessionSeals } from './mcp/session-seals.ts';
import { createListenerSet } from './listeners/listener-set.ts';
import { createProxyFigures, type FigureSource } from './listeners/proxy-figures.ts';
import { createReconciler } from './listeners/reconciler.ts';
import { createStateReporter, type StateReporter } from './listeners/state-reporter.ts';
import { MalformedRequests } from './listeners/malformed-requests.ts';
import { withdrawStates } from './listeners/withdraw-states.ts';
import { FairShare } from './concurrency/fair-share.ts';
import { createPipeline } from './pipeline.ts';
import { createBrokenPromptWarning } from './stages/broken-prompt-warning.ts';
import { createSnapshotCompiler } from './snapshot/compile-snapshot.ts';
import { emptySnapshot, type Snapshot } from './snapshot/snapshot.ts';
import { snapshotSources, snapshotVersion } from './snapshot/snapshot-sources.ts';
import { adoptSpools } from './spools/adopt-spools.ts';
import { spoolNameOf } from './spools/spool-name.ts';
import { createTrafficHandler } from './traffic/handle-exchange.ts';
import type { TargetNews } from './traffic/target-pool.ts';
import { createTargetPools } from './traffic/target-pools.ts';
import { createTrafficCounts } from './traffic/traffic-counts.ts';
import { createTrafficObserver, observeLinks } from './traffic/traffic-observer.ts';
import { loadLibraryPrices, type FindLibraryPrice } from './usage/library-prices.ts';
import { createPriceList } from './usage/price-list.ts';
import { tellUnpriced } from './usage/tell-unpriced.ts';
import { createTokenCounter } from './usage/token-counter.ts';
import { createSupervisor } from './workers/supervisor.ts';

const serviceName = 'proxy-runtime';
/** How often the figures of the proxies are written out. */
const figuresEveryMs = 5_000;
/** How long what an earlier process has recorded may take into the database before budgets go on without it. */
const backlogMs = 60_000;

/** What differs between a runtime that is one process and a worker of one that is several. */
interface DataPlaneParts {
  /** Number of the worker; undefined for a runtime that is one process. */
  readonly worker?: number;
  readonly createReporter: (figures: FigureSource) => StateReporter;
  readonly slots: Slots;
  /** How workers tell each other what they learn of targets. */
  readonly news?: {
    send(news: TargetNews): void;
    onHeard(listener: (news: TargetNews) => void): void;
  };
}

/** The runtime: in this process, or in as many workers as RUNTIME_WORKERS says. */
export function createProxyRuntimeService(infrastructure: Infrastructure): Service {
  const { database, instanceId } = infrastructure;
  const workers = countWorkersOrThrow(infrastructure.config);
  if (workers > 1) return createSupervisor(infrastructure, workers);
  return createDataPlane(infrastructure, {
    createReporter: (figures) => createStateReporter(database, instanceId, figures),
    slots: new LocalSlots(),
  });
}

/** Between the trials of two workers of a target that rests: longer than the word of one takes to the other. */
const turnMs = 100;

/** The data plane of one process: one listener per running proxy, and the pipeline behind each. */
export function createDataPlane(infrastructure: Infrastructure, parts: DataPlaneParts): Service {
  const { database, coordination, encryption, metrics, tls, dataDirectory } = infrastructure;
  const { worker, slots } = parts;
  const config = readRuntimeConfig(infrastructure.config);
  const log = infrastructure.log.child({ service: serviceName, worker });

  const { JWT_SECRET, JWT_SECRET_PREVIOUS } = infrastructure.config;
  const jwtSecrets = [JWT_SECRET.reveal(), JWT_SECRET_PREVIOUS?.reveal()] as const;
  const counts = createTrafficCounts();
  const links = createTargetPools({
    ...config.target,
    breaker: { ...config.target.breaker, turnMs: turnMs * ((worker ?? 1) - 1) },
    lookup: createCachedLookup(),
    onChange: observeLinks(log, metrics.gateway, () => writeFigures()),
    ...(parts.news !== undefined && { onNews: (news) => parts.news?.send(news) }),
  });
  parts.news?.onHeard((news) => links.hear(news));
  const linkOf = (proxyId: number) => {
    const proxy = feed.current().proxies.get(proxyId);
    return proxy && links.findLink(proxy.target)?.state;
  };
  const reporter = parts.createReporter(createProxyFigures(counts, linkOf));
  const refusals = new AuditThrottle();
  const guardrails = createGuardrailClient(config.target);
  const service = new GuardrailService(guardrails, (check) => metrics.gateway.countGuardrailCheck(check));
  const promptEvents = new AuditThrottle();
  const legacySse = new LegacySseStreams(coordination.bus);
  let stopHearing: (() => Promise<void>) | undefined;
  let spool: Spool | undefined;
  let adopted: AsyncDisposable | undefined;
  let ended = false;

  const spending = createSpendingFeed({
    database,
    path: join(dataDirectory, `${spoolNameOf(worker)}-spending.json`),
    log,
  });
  const budgetService = new BudgetService({
    accounts: coordination.accounts,
    localAccounts: createInProcessAccounts(),
    sums: { spentSince: (account) => spending.spentSince(account), caughtUp: () => catchUp() },
  });
  const catchUp = async (): Promise<void> => {
    const drained = await spool?.drained(backlogMs).then(
      () => true,
      () => false,
    );
    // While records wait for their database, what they cost has to be held.
    return drained === false && !ended ? catchUp() : spending.refresh();
  };
  const counter = createTokenCounter(log);
  const countUsage = (record: UsageRecord): void => metrics.gateway.countUsage(record);
  let findLibraryPrice: FindLibraryPrice = () => undefined;
  const prices = createPriceList({
    findLibraryPrice: (place) => findLibraryPrice(place),
    onUnpriced: (model) => tellUnpriced({ log, bus: coordination.bus }, model),
  });

  const handlerFor = (opened: Spool) =>
    createTrafficHandler({
      pipeline: createPipeline({
        limits: { shared: coordination.buckets, local: createInProcessBuckets() },
        slots,
        maxBodyBytes: config.maxBodyBytes,
        bodyRoom: new FairShare(config.maxHeldBytes),
        endpoints: createEndpointPaths(...jwtSecrets),
        sessions: createSessionSeals(...jwtSecrets),
        states: createSealedTexts(jwtSecrets[0], 'mcp state', jwtSecrets[1]),
        analyser: config.analysesTraffic ? createTrafficAnalyser() : undefined,
        refusals,
        guardrails: { service, appendLate: (records) => opened.append(records) },
        usage: {
          prices,
          counter,
          appendLate: (records) => opened.append(records),
          onUsage: countUsage,
          onImpossible: (proxyId, { inputTokens, outputTokens }) =>
            log.warn('the target told a usage that cannot be; it is estimated', { proxyId, inputTokens, outputTokens }),
        },
        budgets: { service: budgetService, guess: new CostGuess(), prices },
        promptEvents,
        brokenPrompt: createBrokenPromptWarning(log),
      }),
      observer: createTrafficObserver(log, counts, metrics.gateway),
      spool: opened,
      maxInspectedBytes: config.maxInspectedBytes,
      maxMessageBytes: config.maxBodyBytes,
      clientStallMs: config.clientStallMs,
      sockets: config.sockets,
      clientAddress: createClientAddress(infrastructure.config.TRUSTED_PROXIES),
      legacySse,
      explain: createExplain(...jwtSecrets),
      currentSnapshot: () => feed.current(),
      linkFor: (target) => links.linkFor(target),
    });

  const listeners = createListenerSet({
    host: config.host,
    drainMs: config.drainMs,
    limits: config.clients,
    unreadable: new MalformedRequests({
      append: (records) => spool?.append(records),
      count: (reason) => metrics.gateway.countDenial('listener', reason),
      log,
    }),
    handlerFor: (proxyId) => handler(proxyId),
    tls,
    log,
  });
  let handler: ReturnType<typeof createTrafficHandler>;
  const reconciler = createReconciler(listeners, reporter, log);

  let knownProxies: Snapshot['proxies'] | undefined;
  const onChange = (snapshot: Snapshot): void => {
    if (budgetsChanged(snapshot)) void spending.refresh();
    // Most changes concern no proxy, and there may be thousands of them.
    if (snapshot.proxies !== knownProxies) {
      links.keepOnly([...snapshot.proxies.values()].map((proxy) => proxy.target));
      guardrails.keepOnly(versionsIn(snapshot));
      knownProxies = snapshot.proxies;
    }
    listeners.reconsider();
    reconciler.request(snapshot);
  };
  const analyst = sharePolicyAnalyst(infrastructure, log);
  const feed = createSnapshotFeed({
    database,
    sources: snapshotSources,
    empty: emptySnapshot,
    compiler: createSnapshotCompiler({
      encryption,
      analyst,
      log,
      onPlan: (known) => metrics.gateway.countCache('policy_plans', known),
    }),
    store: createSnapshotStore({
      path: join(dataDirectory, `${serviceName}-snapshot.json`),
      sources: snapshotSources,
      version: snapshotVersion,
      writer: worker,
    }),
    log,
    onChange,
  });

  const writeFigures = (): void => {
    const write = async () => {
      await reconciler.reportLost();
      await reporter.reportFigures();
    };
    write().catch((error: unknown) => {
      log.debug('figures could not be written', { reason: problemText(error) });
    });
  };
  const recordRepeats = (nowMs: number): void =>
    spool?.append(
      [refusals, promptEvents].flatMap((events) => events.takeRepeats(nowMs)).map((entry) => renderAuditRecord(entry)),
    );
  let figuresTimer: NodeJS.Timeout | undefined;
  let knownBudgets: Snapshot['budgets'] | undefined;
  const budgetsChanged = ({ budgets: current }: Snapshot): boolean => {
    const changed = current !== knownBudgets;
    knownBudgets = current;
    return changed;
  };

  return {
    name: serviceName,
    opensPorts: true,

    async start() {
      const opened = await infrastructure.openSpool(spoolNameOf(worker));
      // Whoever supervises workers sees to what former ones left.
      if (worker === undefined) adopted = await adoptSpools(infrastructure, new Set([spoolNameOf()]), log);
      spool = opened;
      handler = handlerFor(opened);
      metrics.gateway.watchSpool(() => opened.state());
      [findLibraryPrice] = await Promise.all([loadLibraryPrices(), spending.start(), budgetService.look()]);
      // What this process had recorded when it ended last counts once it is in the database.
      void opened.drained(backlogMs).then(spending.refresh, () => undefined);
      stopHearing = await legacySse.listen();
      await analyst.load();
      await tellStep(log, 'Loading the configuration and compiling its policies', () => feed.start());
      await tellStep(log, 'Opening the ports of the proxies', () => reconciler.idle());
      tls.onMended(() => {
        if (!ended) reconciler.request(feed.current());
      });
      figuresTimer = setInterval(() => {
        writeFigures();
        recordRepeats(performance.now());
        void budgetService.look();
      }, figuresEveryMs);
    },

    health() {
      const state = spool?.state();
      const problems = [
        ...(state?.status === 'degraded' ? [`spool: ${state.reason}`] : []),
        ...(feed.problem() === null ? [] : [`configuration: ${feed.problem()}`]),
        ...reconciler.problems(),
        ...tls.problems(),
      ];
      return { status: problems.length === 0 ? 'healthy' : 'degraded', problems };
    },

    async [Symbol.asyncDispose]() {
      ended = true;
      clearInterval(figuresTimer);
      await analyst[Symbol.asyncDispose]();
      await feed[Symbol.asyncDispose]();
      await reconciler.idle();
      await listeners.closeAll();
      await stopHearing?.();
      await links[Symbol.asyncDispose]();
      await guardrails[Symbol.asyncDispose]();
      await counter[Symbol.asyncDispose]();
      await spending[Symbol.asyncDispose]();
      recordRepeats(Number.POSITIVE_INFINITY);
      await spool?.[Symbol.asyncDispose]();
      await adopted?.[Symbol.asyncDispose]();
      await withdrawStates(reporter, log);
    },
  };
}
