import { a2aError } from '@portcullis/core/a2a/a2a-error';
import { parseHttpCall } from '@portcullis/core/a2a/parse-http-call';
import { parseRpcCall } from '@portcullis/core/a2a/parse-rpc-call';
import { renderHttpError } from '@portcullis/core/a2a/render-error';
import { renderSendResult, renderStreamEvent, renderTask, renderTaskPage } from '@portcullis/core/a2a/render-task';
import { httpErrorOf, protocolError, rpcErrorOf } from './failure-texts.ts';
import { rpcReplies } from './rpc-replies.ts';
import type { Failure, Outcome, Reading, Surface, Replies } from './surface.ts';

const base = /^\/a2a\/v1\/agents\/(\d{1,10})(\/.*)?$/i;

/** The agent of a path below which an agent is served as a standard endpoint, and the rest of the path. */
export function findAgentPath(path: string): { readonly agentId: number; readonly rest: string } | undefined {
  const found = base.exec(path);
  return found === null ? undefined : { agentId: Number(found[1]), rest: found[2] ?? '/' };
}

/** A registered agent as a standard endpoint of JSON-RPC. */
export const rpcSurface: Surface = {
  name: 'jsonrpc',
  mayBeEmpty: false,
  replies: rpcReplies(null, 'current'),
  read({ path, body }): Reading {
    const { id, dialect, call, error } = parseRpcCall(body);
    const replies = rpcReplies(id, dialect);
    if (call === undefined) return { replies, failure: { reason: 'bad_request', error } };
    return { replies, asked: { agentId: findAgentPath(path)?.agentId ?? 0, call, isNamed: true } };
  },
};

/** Of 1.0 alone: clients of 0.3 know no media type of their own. */
const a2aJson = 'application/a2a+json';

const acceptsA2aJson = (accept: string): boolean =>
  accept.split(',').some((range) => /^\s*application\/a2a\+json\s*(?:;(?!.*\bq=0(?:\.0*)?\s*$).*)?$/i.test(range));

type HttpForm = 'current' | 'draft';

/** The same over HTTP+JSON, of 1.0 below its address and of 0.3 below `/v1` there. */
export const httpSurface: Surface = {
  name: 'http+json',
  mayBeEmpty: true,
  replies: httpReplies('current'),
  read({ method, path, query, accept, body }): Reading {
    const { agentId = 0, rest = '/' } = findAgentPath(path) ?? {};
    const { form, call, error } = parseHttpCall({ method, path: rest, query, body });
    const replies = httpReplies(form === 'draft' ? 'draft' : 'current', accept);
    if (call === undefined) {
      const reason = error?.reason === 'METHOD_NOT_FOUND' ? 'not_found' : 'bad_request';
      return { replies, failure: { reason, error: error ?? a2aError('INVALID_REQUEST') } };
    }
    return { replies, asked: { agentId, call, isNamed: true } };
  },
};

function httpReplies(form: HttpForm, accept = ''): Replies {
  const version = form === 'current' ? '1.0' : '0.3';
  const type = form === 'current' && acceptsA2aJson(accept) ? { 'content-type': a2aJson } : {};
  return {
    version,
    outcome: (outcome) => ({ status: 200, headers: type, body: renderOutcome(outcome, form) }),
    failure(failure) {
      const { headers = {} } = failure;
      const error = protocolError(failure);
      const { status, body } = error === undefined ? ownError(failure, form) : renderHttpError(error, version);
      return { status, headers: { ...headers, ...type }, body };
    },
    event: (event) => renderStreamEvent(event, form),
    failedEvent: (failure) => ({ error: rpcErrorOf(failure, version) }),
  };
}

function ownError(failure: Failure, form: HttpForm): { readonly status: number; readonly body: object } {
  const { status, body } = httpErrorOf(failure);
  return form === 'current' ? { status, body } : { status, body: rpcErrorOf(failure, '0.3') };
}

function renderOutcome(outcome: Outcome, form: HttpForm): object {
  switch (outcome.kind) {
    case 'sent':
      return renderSendResult(
        outcome.message === undefined ? { task: outcome.task } : { message: outcome.message },
        form,
      );
    case 'task':
      return renderTask(outcome.task, form);
    case 'page':
      return renderTaskPage(outcome.page, form);
    case 'card':
      return outcome.card;
  }
}
