import { randomInt } from 'node:crypto';
import { createCanaryToken, renderCanary } from '@portcullis/core/canary/canary-token';
import { CanaryWatch } from '@portcullis/core/canary/canary-watch';
import { next, type RequestStage } from '@portcullis/core/pipeline/stage';
import { principalOf, sessionOf } from '../canaries/conversation.ts';
import type { Exchange } from '../exchange.ts';

/** For the drawing of lots; a token itself is drawn from a source that cannot be foretold. */
const drawn = (rate: number): boolean => rate >= 1 || Math.random() < rate;

/** Finding the place takes as long as the body is: longer ones go without. */
const longestPlanted = 131_072;

/**
 * Hides a token in the system prompt of some conversations: one that comes back elsewhere shows that
 * something carries texts from one conversation into another.
 */
export const plantCanary: RequestStage<Exchange> = {
  name: 'plant-canary',
  run(exchange) {
    const { canaryRate } = exchange.proxy;
    if (canaryRate === 0 || exchange.json === undefined) return next;
    exchange.canaries = {
      principal: principalOf(exchange),
      session: sessionOf(exchange),
      planted: undefined,
      watch: new CanaryWatch(),
    };
    if (exchange.body.bytes.length > longestPlanted || !drawn(canaryRate)) return next;
    const token = createCanaryToken(randomInt);
    const canary = renderCanary(token);
    const body = exchange.dialect.addSystemText(exchange.body.text, exchange.json, canary, 'end');
    if (body === undefined) return next;
    const own = exchange.dialect.readInstructions?.(exchange.json) ?? null;
    exchange.added = { ...(exchange.added ?? { prompts: '', own }), canary };
    exchange.body.amend(body);
    exchange.canaries.planted = token;
    return next;
  },
};
