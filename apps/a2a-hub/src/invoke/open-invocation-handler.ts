import { createSessionIds } from '@portcullis/platform/traffic/session-ids';
import { createPageTokens } from '@portcullis/core/a2a/page-token';
import { addressRuleOf } from '@portcullis/platform/config/config';
import { createInProcessWindows } from '@portcullis/platform/coordination/in-process/windows';
import { calledOriginOf } from '@portcullis/platform/http/called-origin';
import type { Infrastructure } from '@portcullis/platform/service/infrastructure';
import type { Spool } from '@portcullis/platform/spool/spool';
import type { CardRenderer } from '../cards/render-card.ts';
import { createPipeline, type PipelineParts } from '../pipeline.ts';
import { findAcceptedAgent } from '@portcullis/platform/agents/agent-queries';
import { CallSlots } from '../stages/limit-calls.ts';
import type { TaskStore } from '../tasks/task-store.ts';
import { createInvocationHandler } from './handle-invocation.ts';
import type { HubResources } from './hub-resources.ts';
import { observeInvocations } from './observe-invocations.ts';

const bytesPerMiB = 1_048_576;
const keepAliveMs = 25_000;

/** Largest body of a call, in bytes. */
export const maxBodyBytesOf = ({ MAX_REQUEST_SIZE_MB }: Infrastructure['config']): number =>
  MAX_REQUEST_SIZE_MB * bytesPerMiB;

interface HandlerMeans {
  readonly resources: HubResources;
  readonly cards: Pick<CardRenderer, 'renderAgent'>;
  readonly spool: Spool;
  readonly store: TaskStore;
}

/** The handler of calls over the pipeline, once the spool for their records is open. */
export function openInvocationHandler(
  infrastructure: Infrastructure,
  { resources, cards, spool, store }: HandlerMeans,
): ReturnType<typeof createInvocationHandler> {
  const { config, log, metrics } = infrastructure;
  return createInvocationHandler({
    pipeline: createPipeline(partsOf(infrastructure, { resources, cards, store })),
    observer: observeInvocations(log, metrics.gateway),
    underWay: resources.underWay,
    spool,
    clientStallMs: config.CLIENT_STALL_TIMEOUT,
    keepAliveMs,
  });
}

const partsOf = (
  { config, database, coordination }: Infrastructure,
  { resources: { logins, bodyMemory, refusals, client }, cards, store }: Omit<HandlerMeans, 'spool'>,
): PipelineParts => ({
  logins,
  maxBodyBytes: maxBodyBytesOf(config),
  bodyMemory: bodyMemory.all,
  windows: { shared: coordination.windows, local: createInProcessWindows() },
  adminPerMinute: config.AGENT_ADMIN_RATE_LIMIT,
  slots: new CallSlots(config.AGENT_CALLS_PER_GROUP),
  maxOpenTasks: config.AGENT_OPEN_TASKS,
  partRules: {
    rule: addressRuleOf(config),
    refusedUrls: config.AGENT_REFUSED_URLS,
    activeFiles: config.AGENT_ACTIVE_FILES,
  },
  refusals,
  client,
  store,
  renderSessionId: createSessionIds(config.JWT_SECRET.reveal()),
  pageTokens: createPageTokens(config.JWT_SECRET.reveal()),
  async loadCard({ proxy, request, replies }) {
    const row = await findAcceptedAgent(database, proxy.id);
    const header = () => replies.version;
    return row && cards.renderAgent(row, { calledOrigin: calledOriginOf(request), header });
  },
});
