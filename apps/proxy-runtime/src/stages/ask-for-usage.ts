import { next, type RequestStage } from '@portcullis/core/pipeline/stage';
import type { Exchange } from '../exchange/exchange.ts';

/** How long a target that refused the question is not asked again. */
const rememberedMs = 3_600_000;
/** Targets that are remembered. */
const maxRemembered = 1_000;

/**
 * Makes a stream tell its usage where the dialect leaves that to the client. A client that did not ask never
 * sees the event that tells it. Targets that refuse the question are remembered.
 */
export const createAskForUsage = (nowMs: () => number = () => performance.now()): RequestStage<Exchange> => {
  const refusedUntil = new Map<string, number>();
  const nameOf = ({ proxy, dialect }: Exchange): string =>
    `${dialect.name} ${proxy.target.origin}${proxy.target.basePath}`;
  const refused = (name: string): void => {
    if (refusedUntil.size >= maxRemembered) refusedUntil.clear();
    refusedUntil.set(name, nowMs() + rememberedMs);
  };
  const isRefused = (exchange: Exchange): boolean =>
    refusedUntil.size > 0 && (refusedUntil.get(nameOf(exchange)) ?? 0) > nowMs();

  return {
    name: 'ask-for-usage',
    run(exchange) {
      const { proxy, dialect, json } = exchange;
      const body = exchange.body.bytes;
      if (json === undefined || dialect.askForUsage === undefined || proxy.usageFromStream === 'never') return next;
      if (proxy.usageFromStream === 'auto' && isRefused(exchange)) return next;
      const asking = dialect.askForUsage(body, json);
      if (asking === undefined) return next;
      exchange.body.amend(asking);
      exchange.hidesUsage = true;
      if (proxy.usageFromStream === 'auto') exchange.originalBody = { body, refused: () => refused(nameOf(exchange)) };
      return next;
    },
  };
};
