import type { Dispatcher } from 'undici';
import { isStanding, mayStream } from '../mcp-streams/stream-kind.ts';
import type { Exchange } from '../exchange/exchange.ts';
import { RedirectFollower } from '../target/redirect-follower.ts';
import { TargetAnswer, type TargetAnswerParts } from './target-answer.ts';
import { renderTargetHeaders } from '../target/target-request.ts';
import { UsageOptionRetry } from '../target/usage-option-retry.ts';

/** Sends the request of an exchange over HTTP; its answer goes through the response chain to the client. */
export function sendRequest(parts: TargetAnswerParts): TargetAnswer {
  const { exchange, pool } = parts.call;
  const { timeouts } = exchange.proxy.target;
  // Rendered anew each time: a trial may change what is sent.
  const send = (handler: Dispatcher.DispatchHandler): void =>
    void pool.dispatcher.dispatch(
      {
        path: exchange.targetPath,
        method: exchange.request.method ?? 'GET',
        headers: renderTargetHeaders(exchange),
        body: exchange.body.bytes.length > 0 ? exchange.body.bytes : null,
        headersTimeout: isStanding(exchange) ? 0 : timeouts.headersMs,
        bodyTimeout: mayStream(exchange) ? 0 : timeouts.idleMs,
      },
      handler,
    );
  const answer = new TargetAnswer(parts, () => send(handler));
  const handler = openHandler(exchange, answer, send);
  send(handler);
  return answer;
}

/** What stands before the answer, where it may take another request to get it. */
function openHandler(
  exchange: Exchange,
  answer: TargetAnswer,
  send: (handler: Dispatcher.DispatchHandler) => void,
): Dispatcher.DispatchHandler {
  if (exchange.originalBody !== undefined) return new UsageOptionRetry(exchange, answer, send);
  return exchange.proxy.type === 'mcp' ? new RedirectFollower(exchange, answer, send) : answer;
}
