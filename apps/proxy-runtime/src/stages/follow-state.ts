import { NestedTooDeep } from '@portcullis/core/json/visit-strings';
import { DuplicateKey } from '@portcullis/core/json/visit-json-source';
import { JsonChanges, spliceJson } from '@portcullis/core/json/splice-json';
import { deny, next, type RequestStage } from '@portcullis/core/pipeline/stage';
import type { Exchange } from '../exchange/exchange.ts';
import type { SealedTexts } from '../mcp/sealed-texts.ts';
import { property, textProperty } from '@portcullis/core/json/json-value';
import { callerNumber } from '@portcullis/platform/traffic/caller-number';

/**
 * Gives a server the state back that it told the client of this key, and refuses that of another. What was not
 * sealed here goes on as it is: servers know what they made.
 */
export const createFollowState = (states: SealedTexts): RequestStage<Exchange> => ({
  name: 'follow-state',
  run(exchange) {
    const { json, proxy } = exchange;
    const keyId = callerNumber(exchange);
    const state = textProperty(property(json, 'params'), 'requestState');
    if (state === undefined || keyId === undefined) return next;
    const opened = states.open({ proxyId: proxy.id, keyId }, state);
    if (opened.kind === 'foreign') return deny('state_foreign');
    if (opened.kind === 'unknown') return next;
    const changes = new JsonChanges();
    changes.set(['params', 'requestState'], false, opened.value);
    try {
      exchange.body.rewrite(spliceJson(exchange.body.text, changes));
      return next;
    } catch (error) {
      if (error instanceof DuplicateKey || error instanceof NestedTooDeep) {
        return deny('bad_request', { message: error.message });
      }
      throw error;
    }
  },
});
