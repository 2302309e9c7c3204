import type { ListenerType } from '@portcullis/contracts/records';
import { randomUUID } from 'node:crypto';
import type { Pipeline as PipelineTable } from '@portcullis/core/pipeline/exchange-driver';
import { row } from '@portcullis/core/pipeline/stage';
import type { TrafficAnalyser } from '@portcullis/core/traffic-analysis/traffic-analyser';
import { AuditThrottle } from '@portcullis/platform/audit/audit-throttle';
import { createAuditRefusal } from '@portcullis/platform/traffic/audit-refusal';
import type { FairShare } from '@portcullis/platform/http/fair-share';
import { LocalSlots, type Slots } from './stages/proxy-slots.ts';
import type { Exchange } from './exchange/exchange.ts';
import { createEndpointPaths, type EndpointPaths } from './mcp/endpoint-paths.ts';
import { createSealedTexts, type SealedTexts } from './mcp/sealed-texts.ts';
import { createSessionSeals, type SessionSeals } from './mcp/session-seals.ts';
import { createAskForUsage } from './stages/ask-for-usage.ts';
import { createAskGuardrails, type GuardrailParts } from './stages/ask-guardrails.ts';
import { createAnalyseTraffic } from './stages/analyse-traffic.ts';
import { checkAccess } from '@portcullis/platform/traffic/check-access';
import { createCheckBudget } from './stages/check-budget.ts';
import { checkFraming } from './stages/check-framing.ts';
import { checkGroup } from '@portcullis/platform/traffic/check-group';
import { checkHeaders } from './stages/check-headers.ts';
import { checkKeys } from './stages/check-keys.ts';
import { checkOrigin } from './stages/check-origin.ts';
import { checkMethods } from './stages/check-methods.ts';
import { checkModels } from './stages/check-models.ts';
import { checkMessages } from './stages/check-messages.ts';
import { createCheckTools } from './stages/check-tools.ts';
import { createFindSession } from './stages/find-session.ts';
import { createSessionIds, type RenderSessionId } from '@portcullis/platform/traffic/session-ids';
import { createFilterTools } from './stages/filter-tools.ts';
import { createFreeBody } from './stages/free-body.ts';
import { createFollowEndpoint } from './stages/follow-endpoint.ts';
import { createFollowSession } from './stages/follow-session.ts';
import { createFollowTasks } from './stages/follow-tasks.ts';
import { createFollowState } from './stages/follow-state.ts';
import { hidePrompt } from './stages/hide-prompt.ts';
import { createIdentifyClient, type ReadToken } from './stages/identify-client.ts';
import type { ProviderTokens } from './identity/check-provider-token.ts';
import { findLimit } from './stages/find-limit.ts';
import { createInjectPrompt, type InjectPromptParts } from './stages/inject-prompt.ts';
import { createInspectExchange } from './stages/inspect-request.ts';
import { inspectResponse } from './stages/inspect-response.ts';
import { createJudgeResponse } from './stages/judge-response.ts';
import { createFreeSlot, createLimitConcurrency } from './stages/limit-concurrency.ts';
import { createLimitRate, type LimitStores } from '@portcullis/platform/traffic/limit-rate';
import { createMeter, type MeterParts } from './stages/meter.ts';
import { createAuditPrompts } from './stages/audit-prompts.ts';
import { createParse } from './stages/parse.ts';
import { createPointEndpoint } from './stages/point-endpoint.ts';
import { noteAnswer } from './stages/note-answer.ts';
import { createPlantCanary } from './stages/plant-canary.ts';
import { raiseAlerts } from '@portcullis/platform/traffic/raise-alerts';
import { RefusalAggregator } from './stages/refusal-aggregator.ts';
import { createRecord } from './stages/record.ts';
import { createRecordContent, type KeepContent } from './stages/record-content.ts';
import { recordGuardrails } from './stages/record-guardrails.ts';
import { recordTools } from './stages/record-tools.ts';
import { recordCanaries } from './stages/record-canaries.ts';
import { createReserveBudget, type ReserveBudgetParts } from './stages/reserve-budget.ts';
import { createSealTasks } from './stages/seal-tasks.ts';
import { createSealState } from './stages/seal-state.ts';
import { createSettleBudget } from './stages/settle-budget.ts';
import { timeInspection } from './stages/time-inspection.ts';
import { watchCanaries } from './stages/watch-canaries.ts';
import { ToolWatch } from './tools/tool-watch.ts';
import { forward, type TargetCall } from './target/forward.ts';
import type { StreamUnit } from './framing/stream-unit.ts';

export interface PipelineParts extends Partial<InjectPromptParts> {
  /** Reads the tokens of sessions; none counts without it. */
  readonly readToken?: ReadToken;
  /** Checks tokens of providers; none counts without it. */
  readonly providerTokens?: ProviderTokens;
  /** The buckets of keys and tools. */
  readonly limits: LimitStores;
  /** Its owner writes down the repeats that it counted; without one they stay uncounted. */
  readonly refusals?: AuditThrottle;
  /** The same for what becomes of system prompts. */
  readonly promptEvents?: AuditThrottle;
  /** The same for entries of the request log. */
  readonly refusalLog?: RefusalAggregator;
  /** The places of the proxies; counted in this process unless given. */
  readonly slots?: Slots;
  readonly maxBodyBytes: number;
  /** Bytes of large bodies that may be under way. */
  readonly bodyMemory: FairShare;
  readonly guardrails: GuardrailParts;
  /** What this process saw of tools. */
  readonly watch?: ToolWatch;
  /** Where the legacy SSE transport of MCP sends its messages; known to this process alone unless given. */
  readonly endpoints?: EndpointPaths;
  /** How clients know the sessions of MCP servers; known to this process alone unless given. */
  readonly sessions?: SessionSeals;
  /** Names the tasks of agents that requests belong to; as this process alone does unless given. */
  readonly renderSessionId?: RenderSessionId;
  /** How clients know the tasks of MCP servers; known to this process alone unless given. */
  readonly tasks?: SessionSeals;
  /** How clients hold what MCP servers are to be told again; known to this process alone unless given. */
  readonly states?: SealedTexts;
  readonly usage: MeterParts;
  readonly budgets: ReserveBudgetParts;
  /** Keeps what was asked and answered, for traces; nothing does unless given. */
  readonly content?: KeepContent;
  /** Absent when traffic analysis is off. */
  readonly analyser: TrafficAnalyser | undefined;
}

/** Everything the gateway does to traffic, in order: the rows are what runs, and what docs/generated/pipeline.md shows. */
export interface Pipeline extends PipelineTable<Exchange, StreamUnit, TargetCall> {
  /** How the sessions of answers are told to clients. */
  readonly sessions: SessionSeals;
  /** What large bodies may take of memory, for those that come as messages of a socket. */
  readonly bodyMemory: FairShare;
}

const all: readonly ListenerType[] = ['llm', 'mcp'];
const llm: readonly ListenerType[] = ['llm'];
const mcp: readonly ListenerType[] = ['mcp'];

// prettier-ignore
export const createPipeline = ({
  maxBodyBytes, bodyMemory, analyser, guardrails, usage, budgets, brokenPrompt = () => undefined,
  watch = new ToolWatch(guardrails.appendLate), endpoints = createEndpointPaths(randomUUID()), slots = new LocalSlots(),
  sessions = createSessionSeals(randomUUID()), states = createSealedTexts(randomUUID(), 'mcp state'),
  tasks = createSessionSeals(randomUUID(), undefined, 'mcp task'), renderSessionId = createSessionIds(randomUUID()), readToken = () => undefined, providerTokens, content = () => undefined, refusals = new AuditThrottle(), promptEvents = new AuditThrottle(), refusalLog = new RefusalAggregator(), limits }: PipelineParts): Pipeline => ({
  request: [
    row(checkFraming,                         all, { onFault: 'deny', status: [400, 426] }),
    row(checkOrigin,                          mcp, { onFault: 'deny', status: [403] }),
    row(createIdentifyClient(readToken, providerTokens), all, { onFault: 'deny', status: [401, 503] }),
    row(checkGroup,                           all, { onFault: 'deny', status: [401] }),
    row(checkAccess,                          all, { onFault: 'deny', status: [403] }),
    row(createCheckBudget(budgets.service),   all, { onFault: 'degrade', status: [402] }),
    row(createLimitRate(limits, findLimit),   all, { onFault: 'degrade', status: [429, 503] }),
    row(createLimitConcurrency(slots),        all, { onFault: 'degrade', status: [503] }),
    row(createFollowEndpoint(endpoints),      mcp, { onFault: 'deny', status: [404] }),
    row(createParse(maxBodyBytes, bodyMemory), all, { onFault: 'deny', status: [400, 413, 415, 499, 503] }),
    row(checkMessages,                        mcp, { onFault: 'deny', status: [400, 415] }),
    row(checkKeys,                            all, { onFault: 'deny', status: [400] }),
    row(checkModels,                          llm, { onFault: 'deny', status: [403] }),
    row(createFollowSession(sessions),        mcp, { onFault: 'deny', status: [404] }),
    row(createFindSession(renderSessionId),   all, { onFault: 'degrade' }),
    row(checkHeaders,                         mcp, { onFault: 'deny', status: [400] }),
    row(createFollowState(states),            mcp, { onFault: 'deny', status: [403] }),
    row(createFollowTasks(tasks),             mcp, { onFault: 'deny', status: [400, 404] }),
    row(createCheckTools(watch, limits),      mcp, { onFault: 'deny', status: [400, 403, 404, 429] }),
    row(createInjectPrompt(brokenPrompt),     llm, { onFault: 'deny', status: [400] }),
    row(timeInspection(createInspectExchange()), all, { onFault: 'deny', status: [400, 403, 415] }),
    row(checkMethods,                         mcp, { onFault: 'deny', status: [404] }),
    row(createAskGuardrails(guardrails),      all, { onFault: 'deny', status: [403] }),
    row(createPlantCanary(),                  llm, { onFault: 'degrade' }),
    row(createAskForUsage(),                  llm, { onFault: 'degrade' }),
    row(createReserveBudget(budgets),         llm, { onFault: 'degrade', status: [402, 403, 503] }),
  ],
  forward: row(forward,                       all, { onFault: 'deny', status: [400, 502, 503, 504] }),
  response: [
    row(hidePrompt,                           llm, { onFault: 'deny', status: [502] }),
    row(createPointEndpoint(endpoints),       mcp, { onFault: 'deny', status: [502] }),
    row(createFilterTools(watch),             mcp, { onFault: 'deny', status: [502] }),
    row(inspectResponse,                      all, { onFault: 'deny', status: [403, 502] }),
    row(createJudgeResponse(guardrails),      all, { onFault: 'deny', status: [403] }),
    row(createSealState(states),              mcp, { onFault: 'deny', status: [502] }),
    row(createSealTasks(tasks),               mcp, { onFault: 'deny', status: [502] }),
    row(watchCanaries,                        llm, { onFault: 'degrade' }),
    row(noteAnswer,                           llm, { onFault: 'degrade' }),
  ],
  settle: [
    row(createMeter(usage),                   llm),
    row(createSettleBudget(budgets),          llm),
    row(raiseAlerts,                          all, { whileOpen: true }),
    row(recordTools,                          mcp),
    row(recordGuardrails,                     all),
    row(createAnalyseTraffic(analyser),       all),
    row(createAuditRefusal(refusals),         all),
    row(createAuditPrompts(promptEvents),     llm),
    row(recordCanaries,                       llm),
    row(createRecord(refusalLog, renderSessionId), all),
    row(createRecordContent(content),         llm),
    row(createFreeSlot(slots),                all),
    row(createFreeBody(bodyMemory),           all),
  ], sessions, bodyMemory });
