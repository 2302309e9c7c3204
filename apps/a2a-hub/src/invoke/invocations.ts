import type { ServiceApi } from '@portcullis/platform/service/service-api';
import type { Infrastructure } from '@portcullis/platform/service/infrastructure';
import type { Spool } from '@portcullis/platform/spool/spool';
import type { CardRenderer } from '../cards/render-card.ts';
import type { HubPart } from '../hub-part.ts';
import { startExpiringTasks } from '../tasks/expire-tasks.ts';
import { startFailingSilentTasks } from '../tasks/fail-silent-tasks.ts';
import { taskRecord } from '../tasks/task-record.ts';
import { TaskStore } from '../tasks/task-store.ts';
import { createHubResources, type HubResources } from './hub-resources.ts';
import { openInvocationHandler } from './open-invocation-handler.ts';
import { createCallRouter, type CallRouter } from './route-calls.ts';

/** How long an agent may take to cancel what has failed already. */
const cancelMs = 10_000;
/** How long the name of a message stands for its task. */
const keepMessagesMs = 86_400_000;
/** How often repeats of refusals are written out. */
const repeatsEveryMs = 5_000;

/** What there is from the start on. */
interface Running extends AsyncDisposable {
  readonly spool: Spool;
  readonly serve: CallRouter;
}

/** Invocation of agents and their tasks, on every surface. */
export function createInvocations(
  infrastructure: Infrastructure,
  api: Pick<ServiceApi, 'identity' | 'clientAddress'>,
  cards: Pick<CardRenderer, 'renderAgent'>,
): HubPart {
  const resources = createHubResources(infrastructure, api);
  let running: Running | undefined;
  return {
    prefixes: ['/a2a/v1'],
    serve: (request, response) => running?.serve(request, response) ?? false,
    async start() {
      await resources.load();
      running = await run(infrastructure, { api, cards, resources });
    },
    problems() {
      const state = running?.spool.state();
      const reason = resources.feed.problem();
      return [
        ...(state?.status === 'degraded' ? [`spool of the hub: ${state.reason}`] : []),
        ...(reason === null ? [] : [`configuration of the hub: ${reason}`]),
      ];
    },
    async [Symbol.asyncDispose]() {
      await resources.underWay.end(infrastructure.config.SHUTDOWN_TIMEOUT);
      await running?.[Symbol.asyncDispose]();
      await resources[Symbol.asyncDispose]();
    },
  };
}

interface Means {
  readonly api: Pick<ServiceApi, 'clientAddress'>;
  readonly cards: Pick<CardRenderer, 'renderAgent'>;
  readonly resources: HubResources;
}

/** Opens the spool and all that writes to it; the spool closes last. */
async function run(infrastructure: Infrastructure, { api, cards, resources }: Means): Promise<Running> {
  const { database } = infrastructure;
  await using opened = new AsyncDisposableStack();
  const spool = opened.use(await infrastructure.openSpool('a2a-hub'));
  const writeRepeats = (nowMs: number): void => spool.append(resources.refusals.takeRecords(nowMs));
  opened.defer(() => writeRepeats(Number.POSITIVE_INFINITY));
  const store = opened.use(new TaskStore({ database, keep: (task) => spool.append([taskRecord(task)]) }));
  startJobs(infrastructure, resources, opened);
  const timer = setInterval(() => writeRepeats(performance.now()), repeatsEveryMs).unref();
  opened.defer(() => clearInterval(timer));
  const handle = openInvocationHandler(infrastructure, { resources, cards, spool, store });
  const serve = createCallRouter(infrastructure, { api, resources, handle });
  const running = opened.move();
  return { spool, serve, [Symbol.asyncDispose]: () => running.disposeAsync() };
}

/** Removes tasks whose time is over, and fails those that no agent speaks of any more. */
function startJobs(
  { config, database, log }: Infrastructure,
  { feed, client }: HubResources,
  jobs: AsyncDisposableStack,
): void {
  const cancel = async (agentId: number, upstreamId: string): Promise<void> => {
    const agent = feed.current().agents.get(agentId);
    if (agent?.status !== 'active') return;
    await client.cancelTask(agent, { operation: 'cancel', id: upstreamId }, { signal: AbortSignal.timeout(cancelMs) });
  };
  jobs.use(startExpiringTasks({ database, log, keepMs: config.AGENT_TASK_RETENTION, keepMessagesMs }));
  // A call that is under way may be silent for as long as it may take.
  const silentMs = Math.max(config.AGENT_TASK_TIMEOUT, config.AGENT_CALL_TIMEOUT);
  jobs.use(startFailingSilentTasks({ database, log, silentMs, cancel }));
}
