import { errorCatalogue } from '@portcullis/contracts/errors';
import { callsOf } from '@portcullis/core/mcp/rpc-message';
import type { Denial } from '@portcullis/core/pipeline/stage';
import type { Dispatcher } from 'undici';
import type { Exchange } from '../exchange/exchange.ts';
import { renderDenialFacts, renderRpcRefusal } from '../client/render-denial.ts';
import { renderTargetHeaders, renderTargetPath } from '../target/target-request.ts';
import { hasFindingInId } from '../client/finding-in-id.ts';

/** Requests of a server are answered in an exchange of their own, whose outcome changes nothing here. */
const ignored: Dispatcher.DispatchHandler = {
  onRequestStart: () => undefined,
  onResponseStart: () => undefined,
  onResponseData: () => undefined,
  onResponseEnd: () => undefined,
  onResponseError: () => undefined,
};

/** Headers about the message that went before. */
const ofMessage = new Set([
  'content-length',
  'content-type',
  'content-encoding',
  'accept',
  'last-event-id',
  'mcp-method',
  'mcp-name',
]);

/**
 * Answers a request that a server sent on a stream and that its client never gets: the server would wait
 * for an answer for as long as it waits for anything.
 */
export function sendErrorToServer(exchange: Exchange, dispatcher: Dispatcher, refused: unknown): void {
  const asked = callsOf(refused).some(({ id }) => id !== undefined);
  const error = asked ? renderRpcRefusal(exchange, { reason: 'policy_violation_response' }, refused) : undefined;
  if (error !== undefined) post(exchange, dispatcher, exchange.announcedEndpoint, JSON.stringify(error));
}

/** Tells the server that what its client answered does not come: it waits for that, too. */
export function sendErrorForClient(exchange: Exchange, dispatcher: Dispatcher, denial: Denial): void {
  const error = renderRefusedAnswer(exchange, denial);
  if (error !== undefined) post(exchange, dispatcher, exchange.endpoint, error);
}

/** An error in the place of each answer in the body that is refused for what it says; undefined when there is none. */
export function renderRefusedAnswer(exchange: Exchange, denial: Denial): string | undefined {
  if (errorCatalogue[denial.reason].code !== 'POLICY_VIOLATION' || hasFindingInId(exchange, 'request'))
    return undefined;
  return exchange.dialect.refuseMessage?.(exchange.json, renderDenialFacts(exchange, denial));
}

/** @param endpoint where the exchange itself does not lead to it */
function post(exchange: Exchange, dispatcher: Dispatcher, endpoint: string | undefined, message: string): void {
  const path =
    endpoint ??
    (exchange.targetPath || renderTargetPath(exchange.proxy.target.basePath, exchange.path, exchange.query));
  if (path === undefined) return;
  const body = Buffer.from(message);
  const flat = renderTargetHeaders(exchange);
  const headers = ['content-type', 'application/json', 'accept', 'application/json, text/event-stream'];
  for (let index = 0; index + 1 < flat.length; index += 2) {
    const [name, value] = [flat[index] as string, flat[index + 1] as string];
    if (!ofMessage.has(name)) headers.push(name, value);
  }
  headers.push('content-length', String(body.length));
  dispatcher.dispatch({ path, method: 'POST', headers, body }, ignored);
}
