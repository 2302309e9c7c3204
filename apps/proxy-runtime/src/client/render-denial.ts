import { errorCatalogue, type ErrorReason } from '@portcullis/contracts/errors';
import { property } from '@portcullis/core/json/json-value';
import type { Failure } from '@portcullis/contracts/envelope';
import type { Denial, Reply } from '@portcullis/core/pipeline/stage';
import { renderNativeRefusal } from '../budgets/render-refusal.ts';
import type { Exchange } from '../exchange/exchange.ts';
import { isStateless } from '../mcp/protocol-revision.ts';
import { answerEach, readsAnswers, requestIdOf } from '../mcp/rpc-answers.ts';
import { renderUnknownTool, unknownToolErrors } from '../tools/render-unknown-tool.ts';
import { denialSentence } from '../dialects/shared/denial-sentence.ts';
import type { RenderedDenial } from '../dialects/shared/dialect.ts';
import { renderStatusText } from '../http/status-text.ts';

export const renderDenialFacts = (exchange: Exchange, denial: Denial): RenderedDenial => ({
  ...errorCatalogue[denial.reason],
  message: denial.message,
  requestId: exchange.id,
  rpcId: exchange.json === undefined ? exchange.refusedId : requestIdOf(exchange.json),
  nextSequence: exchange.sequence + 1,
});

/** The failure envelope; `message` is where several client libraries look. On MCP with the keys that JSON-RPC clients parse beside it. */
const renderEnvelope = (exchange: Exchange, facts: RenderedDenial) => {
  const envelope: Failure = {
    success: false,
    error: facts.text,
    error_code: facts.code,
    message: facts.message ?? facts.text,
    request_id: facts.requestId,
  };
  if (exchange.proxy.type !== 'mcp') return envelope;
  return { ...envelope, jsonrpc: '2.0', id: facts.rpcId };
};

/** A refusal whole in JSON-RPC, and the status that goes with it; undefined where the envelope says more. */
function renderInProtocol(exchange: Exchange, denial: Denial, facts: RenderedDenial) {
  const { proxy, request, json } = exchange;
  if (proxy.type !== 'mcp') return undefined;
  if (denial.reason === 'header_mismatch') {
    return { status: facts.status, value: answerEach(json, renderError(headerMismatch, facts)) ?? {} };
  }
  if (denial.reason === 'session_unknown' || denial.reason === 'session_foreign') {
    const { error } = renderError(unknownSession, facts)();
    return { status: facts.status, value: { jsonrpc: '2.0', id: facts.rpcId, error } };
  }
  const code = protocolErrors[denial.reason];
  if (code !== undefined) return renderProtocolError(exchange, denial.reason, renderError(code, facts));
  if (denial.reason === 'origin_denied') {
    return { status: facts.status, value: { jsonrpc: '2.0', id: facts.rpcId, ...renderError(refusedCode, facts)() } };
  }
  const isBlocked = facts.code === 'POLICY_VIOLATION' && proxy.blockResponse !== 'http';
  // The legacy SSE transport answers on another stream, so its clients read no body here.
  if (!isBlocked || !readsAnswers(request.headers.accept)) return undefined;
  const value = renderBlocked(exchange, facts, json);
  return value === undefined ? undefined : { status: 200, value };
}

/** Reasons that servers have errors for themselves. */
const protocolErrors: Partial<Record<ErrorReason, number>> = {
  unknown_method: -32_601,
  task_unknown: -32_602,
  task_foreign: -32_602,
};

/** Clients of a revision with sessions take 404 for the end of theirs. */
function renderProtocolError({ request, json }: Exchange, reason: ErrorReason, render: () => object) {
  const { accept } = request.headers;
  const hasStatus = reason === 'unknown_method' && isStateless(request.headers);
  const value = answerEach(json, render);
  if (value === undefined) return { status: 202, value: {} };
  return { status: hasStatus || !readsAnswers(accept) ? errorCatalogue[reason].status : 200, value };
}

const renderBlocked = ({ proxy }: Exchange, facts: RenderedDenial, body: unknown): object | undefined => {
  const renderBlockedCall = renderError(blockedCode, facts);
  return answerEach(body, ({ method }) =>
    proxy.blockResponse === 'tool_error' && method === 'tools/call'
      ? { result: { content: [{ type: 'text', text: facts.text }], isError: true } }
      : renderBlockedCall(),
  );
};

/**
 * A refusal where there is no HTTP to say it: an error for every request in the body.
 * @returns undefined when no client waits for an answer
 */
export function renderRpcRefusal(exchange: Exchange, denial: Denial, body: unknown): object | undefined {
  if (denial.reason === 'unknown_tool') return unknownToolErrors(exchange);
  const facts = renderDenialFacts(exchange, denial);
  if (facts.code === 'POLICY_VIOLATION') return renderBlocked(exchange, facts, body);
  const code = protocolErrors[denial.reason];
  if (code !== undefined) return answerEach(body, renderError(code, facts));
  if (unreadable.has(denial.reason)) return { jsonrpc: '2.0', id: null, ...renderError(parseError, facts)() };
  return answerEach(body, renderError(refusedCode, facts));
}

/** Reasons of messages whose id is unknown. */
const unreadable: ReadonlySet<ErrorReason> = new Set([
  'invalid_json',
  'ambiguous_json',
  'payload_too_large',
  'unsupported_media_type',
]);

const renderError =
  (code: number, { text, message, code: errorCode, requestId }: RenderedDenial) =>
  () => ({
    error: {
      code,
      message: text,
      data: { error_code: errorCode, ...(message !== undefined && { detail: message }), request_id: requestId },
    },
  });

/** JSON-RPC leaves -32000 to -32019 to servers; the specification of MCP gave a contradiction its own. */
const [refusedCode, blockedCode, headerMismatch, parseError] = [-32_000, -32_001, -32_020, -32_700];
/** Servers made of the official packages say it like that. */
const unknownSession = -32_001;

/** A refusal as a whole response: the gateway's envelope, or the client's dialect where the proxy says so. */
export function renderDenial(exchange: Exchange, denial: Denial): Reply {
  if (denial.reason === 'unknown_tool') return renderUnknownTool(exchange);
  const facts = renderDenialFacts(exchange, denial);
  const { status, value } = renderInProtocol(exchange, denial, facts) ?? {
    status: facts.status,
    value: envelopeOrNative(exchange, facts),
  };
  return {
    status,
    ...(status >= 400 && { statusText: renderStatusText(denialSentence(facts)) }),
    headers: {
      'content-type': 'application/json; charset=utf-8',
      ...(status === 401 && { 'www-authenticate': plainChallenge }),
      ...denial.headers,
    },
    body: Buffer.from(JSON.stringify(value)),
  };
}

/** Where nothing is said of a place to sign in there is none: a key is sent as a bearer token. */
const plainChallenge = 'Bearer realm="gateway"';

const envelopeOrNative = (exchange: Exchange, facts: RenderedDenial): unknown =>
  exchange.proxy.nativeErrors ? renderNative(exchange, facts) : renderEnvelope(exchange, facts);

/** A spent budget has the documented error object in each dialect's own body. */
function renderNative({ budget, dialect }: Exchange, facts: RenderedDenial): unknown {
  const native = dialect.renderNativeError(facts);
  if (facts.code !== 'BUDGET_EXCEEDED' || budget === undefined) return native;
  const status = property(native.error, 'status');
  return { ...native, error: { ...renderNativeRefusal(budget, facts), ...(status !== undefined && { status }) } };
}
