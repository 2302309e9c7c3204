import { errorCatalogue } from '@portcullis/contracts/errors';
import type { Failure } from '@portcullis/contracts/envelope';
import type { Denial, Reply } from '@portcullis/core/pipeline/stage';
import type { Exchange } from '../exchange.ts';
import { property } from '../protocols/json-value.ts';
import type { RenderedDenial } from '../protocols/protocol.ts';

export const renderDenialFacts = (exchange: Exchange, denial: Denial): RenderedDenial => ({
  ...errorCatalogue[denial.reason],
  message: denial.message,
  requestId: exchange.id,
});

/** The failure envelope; on MCP with the keys that JSON-RPC clients parse beside it. */
const renderEnvelope = (exchange: Exchange, facts: RenderedDenial) => {
  const envelope: Failure = {
    success: false,
    error: facts.text,
    error_code: facts.code,
    ...(facts.message === undefined ? {} : { message: facts.message }),
    request_id: facts.requestId,
  };
  if (exchange.proxy.type !== 'mcp') return envelope;
  const id = property(exchange.json, 'id');
  return { ...envelope, jsonrpc: '2.0', id: typeof id === 'string' || typeof id === 'number' ? id : null };
};

/** A refusal as a whole response: the gateway's envelope, or the client's dialect where the proxy says so. */
export function renderDenial(exchange: Exchange, denial: Denial): Reply {
  const facts = renderDenialFacts(exchange, denial);
  const value = exchange.proxy.nativeErrors
    ? exchange.protocol.renderNativeError(facts)
    : renderEnvelope(exchange, facts);
  return {
    status: facts.status,
    headers: { 'content-type': 'application/json; charset=utf-8', ...denial.headers },
    body: Buffer.from(JSON.stringify(value)),
  };
}
