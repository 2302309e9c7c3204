import { callsOf } from '@portcullis/core/mcp/rpc-message';
import type { Dispatcher } from 'undici';
import type { Exchange } from '../exchange.ts';
import { renderRpcRefusal } from '../traffic/render-denial.ts';
import { renderTargetHeaders, renderTargetPath } from '../traffic/target-request.ts';

/** Requests of a server are answered in an exchange of their own, whose outcome changes nothing here. */
const ignored: Dispatcher.DispatchHandler = {
  onRequestStart: () => undefined,
  onResponseStart: () => undefined,
  onResponseData: () => undefined,
  onResponseEnd: () => undefined,
  onResponseError: () => undefined,
};

/** Headers about the message that went before. */
const ofMessage = new Set(['content-length', 'content-type', 'accept', 'last-event-id', 'mcp-method', 'mcp-name']);

/**
 * Answers a request that a server sent on a stream and that its client never gets: the server would wait
 * for an answer for as long as it waits for anything.
 */
export function answerTarget(exchange: Exchange, dispatcher: Dispatcher, refused: unknown): void {
  const asked = callsOf(refused).some(({ id }) => id !== undefined);
  const error = asked ? renderRpcRefusal(exchange, { reason: 'policy_violation_response' }, refused) : undefined;
  const { basePath } = exchange.proxy.target;
  const path = exchange.announcedEndpoint ?? renderTargetPath(basePath, exchange.path, exchange.query);
  if (error === undefined || path === undefined) return;
  const body = Buffer.from(JSON.stringify(error));
  const flat = renderTargetHeaders(exchange);
  const headers = ['content-type', 'application/json', 'accept', 'application/json, text/event-stream'];
  for (let index = 0; index + 1 < flat.length; index += 2) {
    const [name, value] = [flat[index] as string, flat[index + 1] as string];
    if (!ofMessage.has(name)) headers.push(name, value);
  }
  headers.push('content-length', String(body.length));
  dispatcher.dispatch({ path, method: 'POST', headers, body }, ignored);
}
