import { renderCanary } from '@portcullis/core/canary/canary-token';
import { CanaryWatch } from '@portcullis/core/canary/canary-watch';
import { next, type RequestStage } from '@portcullis/core/pipeline/stage';
import { ConversationCanaries } from '../inspection/conversation-canaries.ts';
import { principalOf } from '@portcullis/platform/traffic/principal';
import { sessionOf } from '../exchange/conversation.ts';
import type { Exchange } from '../exchange/exchange.ts';

/** Finding the place takes as long as the body is: longer ones go without. */
const longestPlanted = 131_072;

/**
 * Hides a token in the system prompt of some conversations: one that comes back elsewhere shows that
 * something carries texts from one conversation into another.
 */
export const createPlantCanary = (conversations = new ConversationCanaries()): RequestStage<Exchange> => ({
  name: 'plant-canary',
  run(exchange) {
    const { canaryRate } = exchange.proxy;
    if (canaryRate === 0 || exchange.json === undefined) return next;
    const [principal, session] = [principalOf(exchange), sessionOf(exchange)];
    exchange.canaries = { principal, session, planted: undefined, watch: new CanaryWatch() };
    if (exchange.body.bytes.length > longestPlanted) return next;
    const planted = conversations.find(JSON.stringify([exchange.proxy.id, principal, session]), canaryRate);
    if (planted === undefined) return next;
    const canary = renderCanary(planted.token);
    // Behind what the application has marked for the provider's cache.
    const body = exchange.dialect.addSystemText(exchange.body.text, exchange.json, canary, 'end');
    if (body === undefined) return next;
    const own = exchange.dialect.readInstructions?.(exchange.json) ?? null;
    exchange.added = { ...(exchange.added ?? { prompts: '', own }), canary };
    exchange.body.amend(body);
    exchange.canaries.planted = planted;
    return next;
  },
});
