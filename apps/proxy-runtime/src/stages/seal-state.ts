import { RepeatedKey } from '@portcullis/core/json/visit-json-source';
import { NestedTooDeep } from '@portcullis/core/json/visit-strings';
import { JsonChanges, spliceJson } from '@portcullis/core/json/splice-json';
import type { Holder } from '../mcp/session-seals.ts';
import type { SealedTexts } from '../mcp/sealed-texts.ts';
import type { ResponseFilter, ResponseStage, StreamVerdict } from '@portcullis/core/pipeline/stage';
import type { Exchange } from '../exchange.ts';
import { mayBeAskedBack } from '../mcp/stateless-calls.ts';
import { property, textProperty } from '@portcullis/core/json/json-value';
import { NotRewritable } from '@portcullis/platform/inspection/not-rewritable';
import { rewriteJson } from '../redaction/rewrite-unit.ts';
import { parseData } from '../traffic/readers/parse-data.ts';
import { callerNumber } from '@portcullis/platform/traffic/caller-number';
import type { StreamUnit } from '../traffic/stream-unit.ts';

const cut: StreamVerdict<StreamUnit> = { kind: 'cut', denial: { reason: 'target_failed' }, units: [] };

const stateOf = (message: unknown): string | undefined => textProperty(property(message, 'result'), 'requestState');

class StateSealer implements ResponseFilter<StreamUnit> {
  readonly #holder: Holder;
  readonly #states: SealedTexts;

  constructor(holder: Holder, states: SealedTexts) {
    this.#holder = holder;
    this.#states = states;
  }

  push(unit: StreamUnit): StreamVerdict<StreamUnit> {
    const { content } = unit;
    if (content.kind !== 'value' || stateOf(content.value) === undefined) return { kind: 'release', units: [unit] };
    try {
      return { kind: 'release', units: [rewriteJson(unit, (source) => this.#seal(source))] };
    } catch (error) {
      if (error instanceof NestedTooDeep || error instanceof RepeatedKey || error instanceof NotRewritable) return cut;
      throw error;
    }
  }

  end(): StreamVerdict<StreamUnit> {
    return { kind: 'release', units: [] };
  }

  /** Of what stands there now: policies may have redacted it. */
  #seal(source: string): string {
    const state = stateOf(parseData(source));
    // Half a character would not come back as it went.
    if (state?.isWellFormed() !== true) return source;
    const changes = new JsonChanges();
    changes.set(['result', 'requestState'], false, this.#states.seal(this.#holder, state));
    return spliceJson(source, changes);
  }
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
    if (keyId === undefined || !mayBeAskedBack(json)) return undefined;
    return new StateSealer({ proxyId: proxy.id, keyId }, states);
  },
});
