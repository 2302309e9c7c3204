import { JsonChanges, spliceJson } from '@portcullis/core/json/splice-json';
import type { Holder } from '../mcp/session-seals.ts';
import type { SealedTexts } from '../mcp/sealed-texts.ts';
import type { ResponseStage } from '@portcullis/core/pipeline/stage';
import type { Exchange } from '../exchange/exchange.ts';
import { mayRequestInput } from '../mcp/input-requests.ts';
import { property, textProperty } from '@portcullis/core/json/json-value';
import { createMessageRewriter } from '../framing/unit-filter.ts';
import { parseData } from '../framing/parse-data.ts';
import { callerNumber } from '@portcullis/platform/traffic/caller-number';
import type { StreamUnit } from '../framing/stream-unit.ts';

const stateOf = (message: unknown): string | undefined => textProperty(property(message, 'result'), 'requestState');

function sealState(source: string, holder: Holder, states: SealedTexts): string {
  const state = stateOf(parseData(source));
  // Half a character would not come back as it went.
  if (state?.isWellFormed() !== true) return source;
  const changes = new JsonChanges();
  changes.set(['result', 'requestState'], false, states.seal(holder, state));
  return spliceJson(source, changes);
}

/**
 * Since 2026-07-28 a server that asks back gives its client the state of the call instead of keeping it in a
 * session, so a client that has it goes on with the call of another. Comes behind the policies: they read what the server said.
 */
export const createSealState = (states: SealedTexts): ResponseStage<Exchange, StreamUnit> => ({
  name: 'seal-state',
  open(exchange) {
    const { json, proxy } = exchange;
    const keyId = callerNumber(exchange);
    if (keyId === undefined || !mayRequestInput(json)) return undefined;
    const holder = { proxyId: proxy.id, keyId };
    return createMessageRewriter(
      (message) => stateOf(message) !== undefined,
      (source) => sealState(source, holder, states),
    );
  },
});
