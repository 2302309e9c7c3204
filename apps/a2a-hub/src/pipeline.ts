import type { ProxyType } from '@portcullis/contracts/records';
import {
  row,
  type ForwardStage,
  type RequestStage,
  type ResponseStage,
  type Row,
  type SettleStage,
} from '@portcullis/core/pipeline/stage';
import type { AuditThrottle } from '@portcullis/platform/audit/audit-throttle';
import { createAuditRefusal } from '@portcullis/platform/traffic/audit-refusal';
import type { FairShare } from '@portcullis/platform/http/fair-share';
import { createLimitRate, type LimitStores } from '@portcullis/platform/traffic/limit-rate';
import type { RenderSessionId } from '@portcullis/platform/traffic/session-ids';
import { raiseAlerts } from '@portcullis/platform/traffic/raise-alerts';
import { createForward, type CallInHand, type ForwardParts } from './forward/answer-call.ts';
import type { EventUnit } from './invocation/event-unit.ts';
import type { Invocation } from './invocation/invocation.ts';
import type { PartRules } from './parts/find-in-parts.ts';
import { auditInvocation } from './stages/audit-invocation.ts';
import { checkAgentAccess } from './stages/check-agent-access.ts';
import { checkCallerGroup } from './stages/check-caller-group.ts';
import { checkHops } from './stages/check-hops.ts';
import { createCheckAnsweredParts, createCheckParts } from './stages/check-parts.ts';
import { createFindAgentLimit } from './stages/find-agent-limit.ts';
import { createFindTask } from './stages/find-task.ts';
import { createIdentifyCaller, type Logins } from './stages/identify-caller.ts';
import { freeBody } from './stages/free-body.ts';
import { createFreeCall, createLimitCalls, type CallSlots } from './stages/limit-calls.ts';
import { inspectAnswer } from './stages/inspect-answer.ts';
import { inspectMessage } from './stages/inspect-message.ts';
import { createParseCall } from './stages/parse-call.ts';
import { createRecallMessage } from './stages/recall-message.ts';
import { findAgent } from './stages/find-agent.ts';
import { createRecordInvocation } from './stages/record-invocation.ts';
import { createAlertDowngrade } from './stages/alert-downgrade.ts';
import { alertForeignTasks } from './stages/alert-foreign-tasks.ts';

export interface PipelineParts extends ForwardParts {
  readonly logins: Logins;
  readonly maxBodyBytes: number;
  readonly bodyMemory: FairShare;
  readonly windows: LimitStores<number>;
  /** Calls per minute of an admin to one agent; 0 is no limit. */
  readonly adminPerMinute: number;
  readonly slots: CallSlots;
  readonly maxOpenTasks: number;
  readonly partRules: PartRules;
  readonly refusals: AuditThrottle;
  readonly renderSessionId: RenderSessionId;
}

/** Everything the hub does to calls of agents, in order: the rows are what runs, and what docs/generated/pipeline.md shows. */
export interface Pipeline {
  readonly request: readonly Row<RequestStage<Invocation>>[];
  readonly forward: Row<ForwardStage<CallInHand>>;
  readonly response: readonly Row<ResponseStage<Invocation, EventUnit>>[];
  readonly settle: readonly Row<SettleStage<Invocation>>[];
}

const a2a: readonly ProxyType[] = ['a2a'];

// prettier-ignore
export const createPipeline = ({
  logins, maxBodyBytes, bodyMemory, windows, adminPerMinute, slots, maxOpenTasks, partRules, refusals, renderSessionId, ...forward
}: PipelineParts): Pipeline => ({
  request: [
    row(createIdentifyCaller(logins),                     a2a, { onFault: 'deny', status: [401, 403, 503] }),
    row(checkCallerGroup,                                 a2a, { onFault: 'deny', status: [401] }),
    row(checkHops,                                        a2a, { onFault: 'deny', status: [400] }),
    row(createParseCall(maxBodyBytes, bodyMemory),          a2a, { onFault: 'deny', status: [400, 404, 413, 415, 499, 503] }),
    row(findAgent,                                        a2a, { onFault: 'deny', status: [403, 404] }),
    row(checkAgentAccess,                                 a2a, { onFault: 'deny', status: [403] }),
    row(createLimitRate(windows, createFindAgentLimit(adminPerMinute)), a2a, { onFault: 'degrade', status: [429] }),
    row(createLimitCalls(slots),                         a2a, { onFault: 'degrade', status: [429] }),
    row(createFindTask({ store: forward.store, maxOpenTasks }), a2a, { onFault: 'deny', status: [400, 404, 429, 503] }),
    row(createCheckParts(partRules),                      a2a, { onFault: 'deny', status: [403] }),
    row(inspectMessage,                                   a2a, { onFault: 'deny', status: [400, 403] }),
    row(createRecallMessage(forward.store),               a2a, { onFault: 'deny', status: [400, 409] }),
  ],
  forward: row(createForward(forward),                    a2a, { onFault: 'deny', status: [400, 404, 502, 503, 504] }),
  response: [
    row(createCheckAnsweredParts(partRules),              a2a, { onFault: 'deny', status: [403] }),
    row(inspectAnswer,                                    a2a, { onFault: 'deny', status: [403, 502] }),
  ],
  settle: [
    row(raiseAlerts,                                      a2a),
    row(alertForeignTasks,                                 a2a),
    row(createAlertDowngrade(),                            a2a),
    row(createAuditRefusal(refusals),                     a2a),
    row(auditInvocation,                                  a2a),
    row(createRecordInvocation(renderSessionId),          a2a),
    row(createFreeCall(slots),                           a2a),
    row(freeBody,                                         a2a),
  ],
});
