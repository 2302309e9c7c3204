import type { Forwarded } from '@portcullis/core/pipeline/engine';
import type { ForwardStage } from '@portcullis/core/pipeline/stage';
import type { Exchange } from '../exchange/exchange.ts';
import type { TargetPool } from './target-pool.ts';
import { renderTargetPath } from './target-request.ts';

/** An exchange on its way to its target, over whichever wire. */
export interface TargetCall extends Forwarded<Exchange> {
  readonly pool: TargetPool;
  /** Sends it to its path on the target; from here on the call has to tell the pool how it ended. */
  send(): void;
}

/** Name under which the forwarding itself appears among the stages. */
export const stageName = 'forward';

/** Sends the exchange to its target, unless that is out of reach. */
export const forward: ForwardStage<TargetCall> = {
  name: stageName,
  run(call) {
    const { exchange, pool } = call;
    const { target } = exchange.proxy;
    const path =
      exchange.announcedPath === undefined
        ? renderTargetPath(target.basePath, exchange.path, exchange.query)
        : exchange.announcedPath + exchange.query;
    if (path === undefined) {
      void call.deny({ reason: 'bad_request', message: 'The path must begin with / and not climb with ..' }, stageName);
      return;
    }
    const refused = pool.begin();
    if (refused !== undefined) {
      exchange.targetProblem = pool.state.problem ?? undefined;
      const retryAfter = String(Math.max(1, Math.ceil(pool.restsForMs / 1_000)));
      void call.deny({ reason: refused, headers: { 'retry-after': retryAfter } }, stageName);
      return;
    }
    exchange.trace?.beginForward(exchange, path);
    exchange.targetStatus = 0;
    exchange.targetPath = path;
    exchange.forwardedAt = performance.now();
    call.send();
  },
};
