import { randomUUID } from 'node:crypto';
import type { RequestStage, ResponseStage, SettleStage } from '@portcullis/core/pipeline/stage';
import type { TrafficAnalyser } from '@portcullis/core/traffic-analysis/traffic-analyser';
import { AuditThrottle } from '@portcullis/platform/audit/audit-throttle';
import { createAuditRefusal } from './stages/audit-refusal.ts';
import { LocalSlots, type Slots } from './concurrency/slots.ts';
import type { Exchange } from './exchange.ts';
import { createEndpointPaths, type EndpointPaths } from './mcp/endpoint-paths.ts';
import { createSealedTexts, type SealedTexts } from './mcp/sealed-texts.ts';
import { createSessionSeals, type SessionSeals } from './mcp/session-seals.ts';
import { createAskForUsage } from './stages/ask-for-usage.ts';
import { createAskGuardrails, type GuardrailParts } from './stages/ask-guardrails.ts';
import { createAnalyseTraffic } from './stages/analyse-traffic.ts';
import { checkAccess } from './stages/check-access.ts';
import { createCheckBudget } from './stages/check-budget.ts';
import { checkFraming } from './stages/check-framing.ts';
import { checkGroup } from './stages/check-group.ts';
import { checkHeaders } from './stages/check-headers.ts';
import { checkKeys } from './stages/check-keys.ts';
import { checkOrigin } from './stages/check-origin.ts';
import { checkMessages } from './stages/check-messages.ts';
import { createCheckTools } from './stages/check-tools.ts';
import { createFilterTools } from './stages/filter-tools.ts';
import { createFollowEndpoint } from './stages/follow-endpoint.ts';
import { createFollowSession } from './stages/follow-session.ts';
import { createFollowState } from './stages/follow-state.ts';
import { hidePrompt } from './stages/hide-prompt.ts';
import { identify } from './stages/identify.ts';
import { createInjectPrompt, type InjectPromptParts } from './stages/inject-prompt.ts';
import { inspectRequest } from './stages/inspect-request.ts';
import { inspectResponse } from './stages/inspect-response.ts';
import { createJudgeResponse } from './stages/judge-response.ts';
import { createFreeSlot, createLimitConcurrency } from './stages/limit-concurrency.ts';
import { createLimitRate, type LimitRateParts } from './stages/limit-rate.ts';
import { createMeter, type MeterParts } from './stages/meter.ts';
import { createAuditPrompts } from './stages/audit-prompts.ts';
import { createParse } from './stages/parse.ts';
import { createPointEndpoint } from './stages/point-endpoint.ts';
import { plantCanary } from './stages/plant-canary.ts';
import { raiseAlerts } from './stages/raise-alerts.ts';
import { record } from './stages/record.ts';
import { recordGuardrails } from './stages/record-guardrails.ts';
import { recordTools } from './stages/record-tools.ts';
import { recordCanaries } from './stages/record-canaries.ts';
import { createReserveBudget, type ReserveBudgetParts } from './stages/reserve-budget.ts';
import { createSealState } from './stages/seal-state.ts';
import { createSettleBudget } from './stages/settle-budget.ts';
import { timeInspection } from './stages/time-inspection.ts';
import { watchCanaries } from './stages/watch-canaries.ts';
import { ToolWatch } from './tools/tool-watch.ts';
import type { StreamUnit } from './traffic/stream-unit.ts';

export interface PipelineParts extends LimitRateParts, Partial<InjectPromptParts> {
  /** Whoever has it writes down the repeats that it counted; without one they stay uncounted. */
  readonly refusals?: AuditThrottle;
  /** The same for what becomes of system prompts. */
  readonly promptEvents?: AuditThrottle;
  /** The places of the proxies; counted in this process unless given. */
  readonly slots?: Slots;
  readonly maxBodyBytes: number;
  readonly guardrails: GuardrailParts;
  /** What this process saw of tools. */
  readonly watch?: ToolWatch;
  /** Where the legacySse transport of MCP sends its messages; known to this process alone unless given. */
  readonly endpoints?: EndpointPaths;
  /** How clients know the sessions of MCP servers; known to this process alone unless given. */
  readonly sessions?: SessionSeals;
  /** How clients hold what MCP servers are to be told again; known to this process alone unless given. */
  readonly states?: SealedTexts;
  readonly usage: MeterParts;
  readonly budgets: ReserveBudgetParts;
  /** Absent when nobody wants traffic analysed. */
  readonly analyser: TrafficAnalyser | undefined;
}

/** Everything the gateway does to traffic, in order. Each stage says which protocols it serves. */
export interface Pipeline {
  readonly request: readonly RequestStage<Exchange>[];
  readonly response: readonly ResponseStage<Exchange, StreamUnit>[];
  readonly settle: readonly SettleStage<Exchange>[];
  /** How the sessions of answers are told to clients. */
  readonly sessions: SessionSeals;
}

// prettier-ignore
export const createPipeline = ({
  maxBodyBytes, analyser, guardrails, usage, budgets, brokenPrompt = () => undefined,
  watch = new ToolWatch(guardrails.appendLate), endpoints = createEndpointPaths(randomUUID()), slots = new LocalSlots(),
  sessions = createSessionSeals(randomUUID()), states = createSealedTexts(randomUUID(), 'mcp state'),
  refusals = new AuditThrottle(), promptEvents = new AuditThrottle(), ...limits
}: PipelineParts): Pipeline => ({
  request: [                          // protocols  on fault  refuses with
    checkFraming,                     // llm mcp    deny      400
    checkOrigin,                      //     mcp    deny      403
    identify,                         // llm mcp    deny      401
    checkGroup,                       // llm mcp    deny      401
    checkAccess,                      // llm mcp    deny      403
    createCheckBudget(budgets.service),  // llm mcp    degrade   402
    createLimitRate(limits),          // llm mcp    degrade   429
    createLimitConcurrency(slots),    // llm mcp    degrade   503
    createFollowEndpoint(endpoints),  //     mcp    deny      404
    createParse(maxBodyBytes),        // llm mcp    deny      400 413 415
    checkMessages,                    //     mcp    deny      400 415
    checkKeys,                        // llm mcp    deny      400
    createFollowSession(sessions),    //     mcp    deny      404
    checkHeaders,                     //     mcp    deny      400
    createFollowState(states),        //     mcp    deny      403
    createCheckTools(watch, limits),  //     mcp    deny      400 429, a JSON-RPC error
    createInjectPrompt(brokenPrompt), // llm        degrade   400
    timeInspection(inspectRequest),   // llm mcp    deny      403
    createAskGuardrails(guardrails),  // llm mcp    deny      403
    plantCanary,                      // llm        degrade
    createAskForUsage(),              // llm        degrade
    createReserveBudget(budgets),     // llm        degrade   402 403
  ],
  // ... and here the request is forwarded to the target (traffic/forward.ts) ...
  response: [
    hidePrompt,                       // llm        deny      502, or the stream is broken off
    createPointEndpoint(endpoints),   //     mcp    deny      502
    createFilterTools(watch),         //     mcp    deny      502, or the stream is broken off
    inspectResponse,                  // llm mcp    deny      403, or the stream is broken off
    createJudgeResponse(guardrails),  // llm mcp    deny      403, or the stream is broken off
    createSealState(states),          //     mcp    deny      502, or the stream is broken off
    watchCanaries,                    // llm        degrade
  ],
  settle: [
    createMeter(usage),               // llm
    createSettleBudget(budgets),      // llm
    raiseAlerts,                      // llm mcp
    recordTools,                      //     mcp
    recordGuardrails,                 // llm mcp
    createAnalyseTraffic(analyser),   // llm mcp
    createAuditRefusal(refusals),     // llm mcp
    createAuditPrompts(promptEvents), // llm
    recordCanaries,                   // llm
    record,                           // llm mcp
    createFreeSlot(slots),            // llm mcp
  ],
  sessions,
});
