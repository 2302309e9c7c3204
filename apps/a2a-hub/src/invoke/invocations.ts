import { createPageTokens } from '@portcullis/core/a2a/page-token';
import type { JsonObject } from '@portcullis/core/json/json-object';
import { renderAuditRecord } from '@portcullis/platform/audit/audit-entry';
import { AuditThrottle } from '@portcullis/platform/audit/audit-throttle';
import { addressRuleOf } from '@portcullis/platform/config/config';
import { createInProcessWindows } from '@portcullis/platform/coordination/in-process/windows';
import { createCachedLookup } from '@portcullis/platform/http/cached-lookup';
import type { ServiceApi } from '@portcullis/platform/http/service-api';
import { calledOriginOf } from '@portcullis/platform/http/called-origin';
import { takeRequestId } from '@portcullis/platform/http/request-id';
import type { Infrastructure } from '@portcullis/platform/lifecycle/infrastructure';
import { sharePolicyAnalyst } from '@portcullis/platform/policies/policy-analyst';
import { reportRevisions } from '@portcullis/platform/runtimes/report-revisions';
import { allAgents } from '@portcullis/platform/runtimes/revision-report';
import { createSnapshotFeed } from '@portcullis/platform/snapshot/snapshot-feed';
import { createSnapshotStore } from '@portcullis/platform/snapshot/snapshot-store';
import type { Spool } from '@portcullis/platform/spool/spool';
import { shareBodyRoom } from '@portcullis/platform/traffic/body-room';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { renderSpecifiedCard } from '@portcullis/core/a2a/render-agent-card';
import { problemText } from '@portcullis/platform/lifecycle/problem';
import { join } from 'node:path';
import type { CardRenderer } from '../cards/render-card.ts';
import { publicBase, servedCard } from '../cards/served-card.ts';
import { createHubEndpoint } from '../hub/hub-endpoint.ts';
import { findBodyHolder, identifyCaller } from '../hub/identify-caller.ts';
import type { HubPart } from '../hub-part.ts';
import { createPipeline } from '../pipeline.ts';
import { findAcceptedAgent } from '../registry/agent-queries.ts';
import { loadScope } from '../registry/agent-scope.ts';
import { createHubCompiler } from '../snapshot/compile-hub.ts';
import { emptySnapshot } from '../snapshot/hub-snapshot.ts';
import { hubSources } from '../snapshot/hub-sources.ts';
import type { Logins } from '../stages/identify-caller.ts';
import { CallPlaces } from '../stages/limit-calls.ts';
import { hubSurface } from '../surfaces/hub-surface.ts';
import { startExpiringTasks } from '../tasks/expire-tasks.ts';
import { startFailingSilentTasks } from '../tasks/fail-silent-tasks.ts';
import { taskRecord } from '../tasks/task-record.ts';
import { TaskStore } from '../tasks/task-store.ts';
import { createAgentClient } from '../upstream/agent-client.ts';
import { defaultCallLimits } from '../upstream/call-limits.ts';
import { findSurface } from './find-surface.ts';
import { createInvocationHandler } from './handle-invocation.ts';
import type { Arrival, Invocation } from './invocation.ts';
import { observeInvocations } from './observe-invocations.ts';
import { OpenInvocations } from './open-invocations.ts';

const urlOf = ({ url = '/' }: IncomingMessage): URL => URL.parse(url, 'http://hub') ?? new URL('http://hub');

const bytesPerMiB = 1_048_576;
const keepAliveMs = 25_000;
/** How long an agent may take to cancel what has failed already. */
const cancelMs = 10_000;
/** How long the name of a message stands for its task. */
const keepMessagesMs = 86_400_000;
/** How often repeats of refusals are written out. */
const repeatsEveryMs = 5_000;
/** Of the copy of the configuration on disk. */
const snapshotVersion = 1;

/** Invocation of agents and their tasks, on every surface. */
export function createInvocations(
  infrastructure: Infrastructure,
  api: Pick<ServiceApi, 'identity' | 'clientAddress'>,
  cards: Pick<CardRenderer, 'renderAgent'>,
): HubPart {
  const { config, database, coordination, encryption, metrics, log, dataDirectory, instanceId } = infrastructure;
  const revisions = reportRevisions({ database, log, reporter: { instanceId, service: 'a2a-hub' } });
  const analyst = sharePolicyAnalyst(infrastructure, log);
  const feed = createSnapshotFeed({
    database,
    sources: hubSources,
    compiler: createHubCompiler({ encryption, analyst, log }),
    store: createSnapshotStore({
      path: join(dataDirectory, 'a2a-hub-snapshot.json'),
      sources: hubSources,
      version: snapshotVersion,
    }),
    empty: emptySnapshot,
    log,
    onChange: ({ revision, policies }) =>
      void revisions.report({ revision, behind: new Set(policies.areBehind ? [allAgents] : []) }),
  });
  const client = createAgentClient(
    {
      ...addressRuleOf(config),
      connections: config.TARGET_CONNECTIONS,
      connectTimeoutMs: config.TARGET_CONNECT_TIMEOUT,
      lookup: createCachedLookup(),
    },
    {
      ...defaultCallLimits,
      headersTimeoutMs: config.TARGET_HEADERS_TIMEOUT,
      idleTimeoutMs: config.TARGET_IDLE_TIMEOUT,
      totalTimeoutMs: config.AGENT_CALL_TIMEOUT,
    },
  );
  const refusals = new AuditThrottle();
  const bodyRoom = shareBodyRoom(infrastructure);
  const underWay = new OpenInvocations();
  const logins: Logins = {
    user: async (token) => (await api.identity.identifyOrThrow(token)).caller,
    groupsOf: async (user) => (await loadScope(database, user)) ?? [],
  };
  let spool: Spool | undefined;
  let timer: NodeJS.Timeout | undefined;
  const jobs = new AsyncDisposableStack();
  let handle: ReturnType<typeof createInvocationHandler> | undefined;

  const writeRepeats = (nowMs: number): void =>
    spool?.append(refusals.takeRepeats(nowMs).map((entry) => renderAuditRecord(entry)));

  const cancel = async (agentId: number, upstreamId: string): Promise<void> => {
    const agent = feed.current().agents.get(agentId);
    if (agent?.status !== 'active') return;
    await client.cancelTask(agent, { operation: 'cancel', id: upstreamId }, { signal: AbortSignal.timeout(cancelMs) });
  };
  const loadCard = async ({ proxy, request, words }: Invocation): Promise<JsonObject | undefined> => {
    const row = await findAcceptedAgent(database, proxy.id);
    const header = () => words.version;
    return row && cards.renderAgent(row, { calledOrigin: calledOriginOf(request), header });
  };

  const store = new TaskStore({ database, keep: (task) => spool?.append([taskRecord(task)]) });
  const open = (opened: Spool) =>
    createInvocationHandler({
      pipeline: createPipeline({
        logins,
        maxBodyBytes: config.MAX_REQUEST_SIZE_MB * bytesPerMiB,
        bodyRoom,
        windows: { shared: coordination.windows, local: createInProcessWindows() },
        adminPerMinute: config.AGENT_ADMIN_RATE_LIMIT,
        places: new CallPlaces(config.AGENT_CALLS_PER_GROUP),
        maxOpenTasks: config.AGENT_OPEN_TASKS,
        partRules: {
          rule: addressRuleOf(config),
          refusedUrls: config.AGENT_REFUSED_URLS,
          activeFiles: config.AGENT_ACTIVE_FILES,
        },
        refusals,
        client,
        store,
        pageTokens: createPageTokens(config.JWT_SECRET.reveal()),
        loadCard,
      }),
      observer: observeInvocations(log, metrics.gateway),
      underWay,
      spool: opened,
      clientStallMs: config.CLIENT_STALL_TIMEOUT,
      keepAliveMs,
    });

  const call = (
    request: IncomingMessage,
    response: ServerResponse,
    place: Pick<Arrival, 'surface' | 'body' | 'heldBody'>,
  ): void => {
    const { pathname: path, searchParams: query } = urlOf(request);
    const clientIp = api.clientAddress(request);
    handle?.(
      { request, requestId: takeRequestId(request), snapshot: feed.current(), path, query, clientIp, ...place },
      response,
    );
  };
  const serveHub = createHubEndpoint({
    database,
    maxBodyBytes: config.MAX_REQUEST_SIZE_MB * bytesPerMiB,
    bodyRoom,
    findHolder: (request) => findBodyHolder(request, logins, feed.current()),
    identify: (request) => identifyCaller(request, logins, database),
    renderCard: (row, request) =>
      renderSpecifiedCard(servedCard(row, publicBase(config, { calledOrigin: calledOriginOf(request) }))),
    invoke: (request, response, body, heldBody) => call(request, response, { surface: hubSurface, body, heldBody }),
    log: (error) => void log.error('the hub failed', { reason: problemText(error) }),
  });
  const serve = (request: IncomingMessage, response: ServerResponse): boolean => {
    const { pathname: path } = urlOf(request);
    if (handle === undefined) return false;
    if (/^\/a2a\/v1\/?$/.test(path) && request.method === 'POST') {
      void serveHub(request, response);
      return true;
    }
    const surface = findSurface(request.method ?? '', path);
    if (surface !== undefined) call(request, response, { surface });
    return surface !== undefined;
  };

  return {
    prefixes: ['/a2a/v1'],
    serve,
    async start() {
      const opened = await infrastructure.openSpool('a2a-hub');
      spool = opened;
      await analyst.load();
      await feed.start();
      handle = open(opened);
      jobs.use(startExpiringTasks({ database, log, keepMs: config.AGENT_TASK_RETENTION, keepMessagesMs }));
      // A call that is under way may be silent for as long as it may take.
      const silentMs = Math.max(config.AGENT_TASK_TIMEOUT, config.AGENT_CALL_TIMEOUT);
      jobs.use(startFailingSilentTasks({ database, log, silentMs, cancel }));
      timer = setInterval(() => writeRepeats(performance.now()), repeatsEveryMs).unref();
    },
    problems() {
      const state = spool?.state();
      return [
        ...(state?.status === 'degraded' ? [`spool of the hub: ${state.reason}`] : []),
        ...(feed.problem() === null ? [] : [`configuration of the hub: ${feed.problem()}`]),
      ];
    },
    async [Symbol.asyncDispose]() {
      clearInterval(timer);
      await underWay.end(config.SHUTDOWN_TIMEOUT);
      await jobs.disposeAsync();
      await store[Symbol.asyncDispose]();
      await analyst[Symbol.asyncDispose]();
      await feed[Symbol.asyncDispose]();
      await revisions[Symbol.asyncDispose]();
      await client[Symbol.asyncDispose]();
      writeRepeats(Number.POSITIVE_INFINITY);
      await spool?.[Symbol.asyncDispose]();
    },
  };
}
