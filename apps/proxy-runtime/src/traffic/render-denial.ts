import { errorCatalogue } from '@portcullis/contracts/errors';
import type { Failure } from '@portcullis/contracts/envelope';
import type { Denial, Reply } from '@portcullis/core/pipeline/stage';
import { renderNativeRefusal } from '../budgets/render-refusal.ts';
import type { Exchange } from '../exchange.ts';
import { property } from '../protocols/json-value.ts';
import { renderUnknownTool } from '../tools/render-unknown-tool.ts';
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

/** A blocked message of MCP as its clients expect failures: within JSON-RPC, where HTTP succeeded. */
function renderInProtocol(exchange: Exchange, facts: RenderedDenial): object | undefined {
  const { type, blockResponse } = exchange.proxy;
  const id = property(exchange.json, 'id');
  const asked = typeof id === 'string' || typeof id === 'number';
  if (type !== 'mcp' || blockResponse === 'http' || facts.code !== 'POLICY_VIOLATION' || !asked) return undefined;
  if (blockResponse === 'tool_error' && property(exchange.json, 'method') === 'tools/call') {
    return { jsonrpc: '2.0', id, result: { content: [{ type: 'text', text: facts.text }], isError: true } };
  }
  const data = { error_code: facts.code, request_id: facts.requestId };
  return { jsonrpc: '2.0', id, error: { code: blockedCode, message: facts.text, data } };
}

/** JSON-RPC leaves -32000 to -32099 to servers. */
const blockedCode = -32_001;

/** A refusal as a whole response: the gateway's envelope, or the client's dialect where the proxy says so. */
export function renderDenial(exchange: Exchange, denial: Denial): Reply {
  if (denial.reason === 'unknown_tool') return renderUnknownTool(exchange);
  const facts = renderDenialFacts(exchange, denial);
  const inProtocol = renderInProtocol(exchange, facts);
  const value = inProtocol ?? envelopeOrNative(exchange, facts);
  return {
    status: inProtocol === undefined ? facts.status : 200,
    headers: { 'content-type': 'application/json; charset=utf-8', ...denial.headers },
    body: Buffer.from(JSON.stringify(value)),
  };
}

const envelopeOrNative = (exchange: Exchange, facts: RenderedDenial): unknown =>
  exchange.proxy.nativeErrors ? renderNative(exchange, facts) : renderEnvelope(exchange, facts);

/** A spent budget has one shape for all dialects. */
const renderNative = ({ budget, protocol }: Exchange, facts: RenderedDenial): unknown =>
  facts.code === 'BUDGET_EXCEEDED' && budget !== undefined
    ? renderNativeRefusal(budget)
    : protocol.renderNativeError(facts);
