import { isStanding, mayStream } from '../mcp/message-streams.ts';
import type { ForwardStage } from '@portcullis/core/pipeline/stage';
import type { Dispatcher } from 'undici';
import { renderTargetHeaders, renderTargetPath } from './target-request.ts';
import { stageName, TargetAnswer, type TargetAnswerParts } from './target-answer.ts';
import { UsageTrial } from './usage-trial.ts';

/** Sends the exchange to its target and the answer through the response chain to the client. */
export const forward: ForwardStage<TargetAnswerParts> = {
  name: stageName,
  run(parts) {
    const { exchange, writer, link } = parts;
    const { target } = exchange.proxy;
    const path =
      exchange.announcedPath === undefined
        ? renderTargetPath(target.basePath, exchange.path, exchange.query)
        : exchange.announcedPath + exchange.query;
    if (path === undefined) {
      writer.deny({ reason: 'bad_request', message: 'The path must begin with / and not climb with ..' }, stageName);
      return;
    }
    const refused = link.begin();
    if (refused !== undefined) {
      exchange.targetProblem = link.state.problem ?? undefined;
      const retryAfter = String(Math.max(1, Math.ceil(link.restsForMs / 1_000)));
      writer.deny({ reason: refused, headers: { 'retry-after': retryAfter } }, stageName);
      return;
    }
    exchange.trace?.beginForward(exchange, path);
    exchange.targetStatus = 0;
    const render = () => ({
      path,
      method: exchange.request.method ?? 'GET',
      headers: renderTargetHeaders(exchange),
      body: exchange.body.bytes.length > 0 ? exchange.body.bytes : null,
      headersTimeout: isStanding(exchange) ? 0 : target.timeouts.headersMs,
      bodyTimeout: mayStream(exchange) ? 0 : target.timeouts.idleMs,
    });
    const send = (handler: Dispatcher.DispatchHandler): void => void link.dispatcher.dispatch(render(), handler);
    const answer = new TargetAnswer(parts, () => send(handler));
    const handler = exchange.unasked === undefined ? answer : new UsageTrial(exchange, answer, send);
    parts.onSent(answer);
    send(handler);
  },
};
