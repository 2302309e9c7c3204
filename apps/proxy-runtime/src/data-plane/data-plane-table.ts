import { join } from 'node:path';
import { createFlushJob } from '@portcullis/platform/service/flush-job';
import { runEvery } from '@portcullis/platform/event-loop/run-every';
import { createJob, type ServicePart } from '@portcullis/platform/service/service-part';
import { logSlowStep } from '@portcullis/platform/process/log-slow-step';
import { sharePolicyAnalyst, type PolicyAnalyst } from '@portcullis/platform/policies/policy-analyst';
import { createSnapshotFeed, type SnapshotFeed } from '@portcullis/platform/snapshot/snapshot-feed';
import { createSnapshotStore } from '@portcullis/platform/snapshot/snapshot-store';
import { NewBudgets } from '../budgets/load-new-budgets.ts';
import { listProviderVersions } from '../guardrails/provider-versions.ts';
import { StatsJob } from '../listeners/stats-job.ts';
import { ListenerSet } from '../listeners/listener-set.ts';
import { MalformedRequests } from '../listeners/malformed-requests.ts';
import { createProxyStats } from '../listeners/proxy-stats.ts';
import { createReconciler, type Reconciler } from '../listeners/reconciler.ts';
import { removeStates } from '../listeners/remove-states.ts';
import { problemText } from '@portcullis/platform/errors/problem';
import { serveTrials } from '@portcullis/platform/trials/trial-bus';
import { publicBaseOf } from '@portcullis/platform/config/public-base';
import { createSnapshotCompiler } from '../snapshot/compile-snapshot.ts';
import { snapshotSources, snapshotVersion } from '../snapshot/snapshot-sources.ts';
import { emptySnapshot, type Snapshot } from '../snapshot/snapshot.ts';
import { adoptSpools } from './adopt-spools.ts';
import { spoolNameOf } from './spool-name.ts';
import type { TargetPools } from '../target/target-pools.ts';
import { createTargetPools } from './create-target-pools.ts';
import { createTraffic, createTrafficTrials } from './create-traffic.ts';
import { serviceName, type DataPlaneParts } from './data-plane-parts.ts';

const budgetLookMs = 5_000;

/** All that starts and ends with a data plane: in this order it starts, and in reverse it ends. */
export function createDataPlaneTable(parts: DataPlaneParts): readonly ServicePart[] {
  const { infrastructure, options, log, spool, current, spending, catchUp, budgets } = parts;
  const pools = createTargetPools(parts, () => stats.runNow());
  const reporter = options.createReporter(
    createProxyStats(parts.counts, (proxyId) => poolStateOf(parts, pools, proxyId)),
  );
  const listeners = createListeners(parts, pools);
  const reconciler = createReconciler(listeners, reporter, log);
  const stats = new StatsJob({ states: reconciler, reporter, log });
  const analyst = sharePolicyAnalyst(infrastructure, log);
  const feed = createFeed(parts, analyst);
  const newBudgets = followChanges(parts, listeners, reconciler);

  return [
    { [Symbol.asyncDispose]: () => removeStates(reporter, log) },
    createJob(() => adoptOthers(parts)),
    spool,
    { start: () => infrastructure.metrics.gateway.watchSpool(() => spool.state()) },
    { start: () => infrastructure.metrics.gateway.watchUninspected(() => countUninspected(current.value)) },
    createFlushJob([parts.refusals, parts.promptEvents, parts.refusalLog], (records) => spool.append(records)),
    { start: async () => void (await Promise.all([parts.libraryPrices.start(), spending.start(), budgets.look()])) },
    { start: () => void catchUp.catchUpOnce(), [Symbol.asyncDispose]: () => spending[Symbol.asyncDispose]() },
    createJob(() => runEvery(() => budgets.look(), { intervalMs: budgetLookMs, later: true, onFault: () => {} })),
    parts.counter,
    parts.guardrails,
    parts.providerTokens,
    pools,
    createJob(() => listenForStreams(parts)),
    { [Symbol.asyncDispose]: () => listeners.closeAll() },
    { problems: () => reconciler.problems(), [Symbol.asyncDispose]: () => reconciler.idle() },
    { start: () => analyst.load() },
    feedPart(parts, feed),
    // Ends before the feed, which waits for what it analyses.
    { [Symbol.asyncDispose]: () => analyst[Symbol.asyncDispose]() },
    { start: () => logSlowStep(log, 'Opening the ports of the proxies', () => reconciler.idle()) },
    createJob(() => serveTrialsOf(parts, pools)),
    createJob(() => reopenMendedPorts(parts, () => reconciler.request(current.value))),
    stats,
    { [Symbol.asyncDispose]: async () => [catchUp, newBudgets].forEach((part) => part[Symbol.dispose]()) },
  ];
}

/** The process that supervises workers sees to what former ones left. */
function adoptOthers({ infrastructure, options, log }: DataPlaneParts): Promise<AsyncDisposable> | undefined {
  return options.worker === undefined ? adoptSpools(infrastructure, new Set([spoolNameOf()]), log) : undefined;
}

/** Proxies that run without a policy. */
const countUninspected = ({ proxies }: Snapshot): number =>
  proxies.values().reduce((count, { wanted, policies }) => count + (wanted && policies === undefined ? 1 : 0), 0);

const poolStateOf = ({ current }: DataPlaneParts, pools: TargetPools, proxyId: number) => {
  const proxy = current.value.proxies.get(proxyId);
  return proxy && pools.findPool(proxy.target)?.state;
};

function createListeners(parts: DataPlaneParts, pools: TargetPools): ListenerSet {
  const { infrastructure, config, log, spool } = parts;
  return new ListenerSet({
    host: config.host,
    drainMs: config.drainMs,
    limits: config.clients,
    unreadable: new MalformedRequests({
      append: (records) => spool.append(records),
      count: (reason) => infrastructure.metrics.gateway.countDenial('listener', reason),
      log,
    }),
    handlerFor: createTraffic(parts, pools),
    tls: infrastructure.tls,
    log,
  });
}

function createFeed(parts: DataPlaneParts, analyst: PolicyAnalyst): SnapshotFeed<Snapshot> {
  const { infrastructure, options, log, current } = parts;
  const { database, encryption, metrics, dataDirectory } = infrastructure;
  return createSnapshotFeed({
    database,
    sources: snapshotSources,
    empty: emptySnapshot,
    compiler: createSnapshotCompiler({
      encryption,
      publicBase: publicBaseOf(infrastructure.config),
      analyst,
      log,
      onPlan: (known) => metrics.gateway.countCache('policy_plans', known),
    }),
    store: createSnapshotStore({
      path: join(dataDirectory, `${serviceName}-snapshot.json`),
      sources: snapshotSources,
      version: snapshotVersion,
      writer: options.worker,
    }),
    log,
    onChange: (snapshot) => current.set(snapshot),
  });
}

/** The newest configuration last: what it leads to is reported when all else follows it. */
function followChanges(parts: DataPlaneParts, listeners: ListenerSet, reconciler: Reconciler): NewBudgets {
  const { current, spending, catchUp, budgets: service, guardrails, redactor } = parts;
  const newBudgets = new NewBudgets({ catchUp, service, onLoaded: () => reconciler.request(current.value) });
  current.follow(
    ({ budgets }) => budgets,
    () => void spending.refresh(),
  );
  current.follow(
    ({ proxies }) => proxies,
    () => guardrails.keepOnly(listProviderVersions(current.value)),
  );
  current.follow(
    ({ tracesContent }) => tracesContent,
    (isOn) => void (isOn && redactor.prepare()),
  );
  current.follow(
    (snapshot) => snapshot,
    (snapshot) => {
      listeners.reconsider();
      newBudgets.follow(snapshot);
      if (!newBudgets.isLoading) reconciler.request(snapshot);
    },
  );
  return newBudgets;
}

const feedPart = ({ log }: DataPlaneParts, feed: SnapshotFeed<Snapshot>): ServicePart => ({
  start: () => logSlowStep(log, 'Loading the configuration and compiling its policies', () => feed.start()),
  problems: () => (feed.problem() === null ? [] : [`configuration: ${feed.problem()}`]),
  [Symbol.asyncDispose]: () => feed[Symbol.asyncDispose](),
});

async function listenForStreams({ legacySse }: DataPlaneParts): Promise<AsyncDisposable> {
  const stop = await legacySse.listen();
  return { [Symbol.asyncDispose]: stop };
}

function serveTrialsOf(parts: DataPlaneParts, pools: TargetPools): Promise<AsyncDisposable> {
  return serveTrials(parts.infrastructure, {
    ...createTrafficTrials(parts, pools),
    onFault: (error) => void parts.log.error('a trial failed', { reason: problemText(error) }),
  });
}

/** A port whose certificate could not be used opens as soon as it can be. */
function reopenMendedPorts({ infrastructure }: DataPlaneParts, mended: () => void): AsyncDisposable {
  const end = new AbortController();
  infrastructure.tls.onMended(() => {
    if (!end.signal.aborted) mended();
  });
  return { [Symbol.asyncDispose]: async () => end.abort() };
}
