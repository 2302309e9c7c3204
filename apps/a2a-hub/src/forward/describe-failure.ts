import type { ErrorReason } from '@portcullis/contracts/errors';
import { a2aError } from '@portcullis/core/a2a/a2a-error';
import type { AgentFailure, AgentFailureKind } from '../upstream/agent-failure.ts';
import type { Failure } from '../surfaces/surface.ts';

const reasons: Readonly<Record<AgentFailureKind, ErrorReason>> = {
  refused: 'agent_unreachable',
  unreachable: 'agent_unreachable',
  timeout: 'agent_timeout',
  broken: 'agent_failed',
  too_large: 'agent_invalid_answer',
  nonsense: 'agent_invalid_answer',
  status: 'agent_error',
  error: 'agent_error',
  redirected: 'agent_redirected',
  left: 'client_closed',
};

/** Errors of the protocol that say something of the call rather than of the agent. */
const ofTheCall: ReadonlyMap<string, ErrorReason> = new Map([
  ['TASK_NOT_FOUND', 'task_not_found'],
  ['TASK_NOT_CANCELABLE', 'task_not_cancelable'],
  ['UNSUPPORTED_OPERATION', 'bad_request'],
  ['CONTENT_TYPE_NOT_SUPPORTED', 'bad_request'],
  ['INVALID_PARAMS', 'bad_request'],
]);

/**
 * What an agent's failure is to the caller. An error of the protocol passes by its name; the agent's own words do not,
 * since no policy has read them.
 */
export function describeFailure({ kind, error }: AgentFailure): Omit<Failure, 'requestId'> {
  const name = error?.reason;
  if (name === undefined) return { reason: reasons[kind] };
  const reason = ofTheCall.get(name);
  return reason === undefined ? { reason: reasons[kind] } : { reason, error: a2aError(name) };
}
