import { replaceJson } from '@portcullis/core/json/replace-json';
import { visitStrings, type JsonPath } from '@portcullis/core/json/visit-strings';
import { JsonChanges, spliceJson } from '@portcullis/core/json/splice-json';
import type { ResponseFilter, ResponseStage, StreamVerdict } from '@portcullis/core/pipeline/stage';
import type { Exchange } from '../exchange/exchange.ts';
import { ownInstructions, spellingsOf } from '../dialects/shared/own-instructions.ts';
import { parseData, tooMany } from '../framing/parse-data.ts';
import { rewriteJson } from '../framing/rewrite-unit.ts';
import type { StreamUnit } from '../framing/stream-unit.ts';
import { cut, release, releaseRewritten } from '../framing/unit-filter.ts';

class PromptHider implements ResponseFilter<StreamUnit> {
  readonly #exchange: Exchange;
  /** JSON source of what the client sees where its dialect shows it a system prompt. */
  readonly #own: string;

  constructor(exchange: Exchange) {
    this.#exchange = exchange;
    this.#own = JSON.stringify(ownInstructions(exchange));
  }

  push(unit: StreamUnit): StreamVerdict<StreamUnit> {
    const { content, form } = unit;
    if (unit.unreadable === tooMany && this.#exchange.dialect.findEchoes !== undefined) return cut;
    if (content.kind === 'value') return releaseRewritten(() => this.#hide(unit, content.value));
    // An answer that is too large to be read as a whole, or says that it is something else.
    const isUnread = form === 'text' && this.#exchange.streamForm === undefined && !this.#failed();
    return isUnread && this.#exchange.dialect.findEchoes !== undefined ? cut : release(unit);
  }

  end(): StreamVerdict<StreamUnit> {
    return { kind: 'release', units: [] };
  }

  #failed(): boolean {
    return (this.#exchange.targetStatus ?? 0) >= 400;
  }

  #hide(unit: StreamUnit, value: unknown): StreamUnit {
    const places = this.#exchange.dialect.findEchoes?.(value) ?? [];
    const quotes = this.#failed() ? this.#findQuotes(value) : undefined;
    if (places.length === 0 && quotes === undefined) return unit;
    let hidden: unknown;
    const changed = rewriteJson(unit, (source) => {
      const unquoted = quotes === undefined ? source : spliceJson(source, quotes);
      const result = this.#replace(unquoted, places);
      hidden = parseData(result);
      return result;
    });
    return { ...changed, content: { kind: 'value', value: hidden } };
  }

  #replace(source: string, places: readonly JsonPath[]): string {
    return places.reduce((changed, place) => replaceJson(changed, place, this.#own) ?? changed, source);
  }

  /** Targets quote what they refuse, some the whole request. */
  #findQuotes(value: unknown): JsonChanges | undefined {
    const added = spellingsOf(this.#exchange);
    const changes = new JsonChanges();
    visitStrings(value, (text, path, isKey) => {
      const left = added.reduce((rest, each) => rest.replaceAll(each, ''), text);
      if (left !== text) changes.set(path, isKey, left);
    });
    return changes.size === 0 ? undefined : changes;
  }
}

/** A stored answer may hold a prompt of any earlier request, and what its client wrote is not remembered. */
const mayShowStoredPrompt = ({ dialect, request, proxy, access }: Exchange): boolean =>
  (dialect.isStored === true || (request.method === 'GET' && dialect.findEchoes !== undefined)) &&
  (proxy.prompt !== undefined || access?.prompt !== undefined || proxy.canaryRate > 0);

/**
 * Answers show the client the system prompt that it sent, never what the gateway put into it. Comes before
 * all other filters: they read the answer as it would be without.
 */
export const hidePrompt: ResponseStage<Exchange, StreamUnit> = {
  name: 'hide-prompt',
  open: (exchange) =>
    exchange.added !== undefined || mayShowStoredPrompt(exchange) ? new PromptHider(exchange) : undefined,
};
