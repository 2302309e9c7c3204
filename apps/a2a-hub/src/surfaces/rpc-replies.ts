import { errorCatalogue, type ErrorReason } from '@portcullis/contracts/errors';
import type { RpcDialect, RpcId } from '@portcullis/core/a2a/parse-rpc-call';
import { renderSendResult, renderStreamEvent, renderTask, renderTaskPage } from '@portcullis/core/a2a/render-task';
import { protocolError, rpcErrorOf } from './failure-texts.ts';
import type { Failure, Outcome, Replies } from './surface.ts';

/** JSON-RPC of the standard endpoints, in the generation that the caller speaks. */
export function rpcReplies(id: RpcId, dialect: RpcDialect): Replies {
  const version = dialect === 'current' ? '1.0' : '0.3';
  const answer = (result: object): object => ({ jsonrpc: '2.0', id, result });
  const failed = (failure: Failure): object => ({ jsonrpc: '2.0', id, error: rpcErrorOf(failure, version) });
  return {
    version,
    outcome: (outcome) => ({ status: 200, body: answer(renderOutcome(outcome, dialect)) }),
    failure: (failure) => ({ status: statusOf(failure), headers: failure.headers ?? {}, body: failed(failure) }),
    event: (event) => answer(renderStreamEvent(event, dialect)),
    failedEvent: failed,
  };
}

/** Errors of the protocol are answers; what stands before the protocol has the status of HTTP that says so. */
const statusOf = (failure: Failure): number =>
  protocolError(failure) === undefined || beforeProtocol.has(failure.reason)
    ? errorCatalogue[failure.reason].status
    : 200;

const beforeProtocol: ReadonlySet<ErrorReason> = new Set(['payload_too_large', 'unsupported_media_type']);

function renderOutcome(outcome: Outcome, dialect: RpcDialect): object {
  switch (outcome.kind) {
    case 'sent':
      return renderSendResult(
        outcome.message === undefined ? { task: outcome.task } : { message: outcome.message },
        dialect,
      );
    case 'task':
      return renderTask(outcome.task, dialect);
    case 'page':
      return renderTaskPage(outcome.page, dialect);
    case 'card':
      return outcome.card;
  }
}
