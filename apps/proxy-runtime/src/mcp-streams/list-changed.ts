import { objectOf } from '@portcullis/core/json/json-object';
import { callsOf } from '@portcullis/core/mcp/rpc-message';
import type { Exchange } from '../exchange/exchange.ts';

const method = 'notifications/tools/list_changed';

/**
 * What tells the client of a standing stream that other tools are open to it. Undefined where it must not be
 * told: since 2026-07-28 a client says what it listens for, and servers say first that they have heard.
 */
export function renderListChanged({ json, request, responseBytes }: Exchange): object | undefined {
  if (request.method === 'GET') return { jsonrpc: '2.0', method };
  const listening = callsOf(json).find((call) => call.method === 'subscriptions/listen');
  const wanted = objectOf(listening?.params?.['notifications']);
  if (listening?.id === undefined || wanted?.['toolsListChanged'] !== true || responseBytes === 0) return undefined;
  const _meta = { 'io.modelcontextprotocol/subscriptionId': listening.id };
  return { jsonrpc: '2.0', method, params: { _meta } };
}
