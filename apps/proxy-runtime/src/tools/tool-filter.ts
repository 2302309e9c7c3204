import { rejectDuplicateKeys } from '@portcullis/core/json/reject-duplicate-keys';
import { answerOf, callsOf, messagesOf } from '@portcullis/core/mcp/rpc-message';
import { editToolLists, toolName } from '@portcullis/core/mcp/tool-list';
import type { ResponseFilter, StreamVerdict } from '@portcullis/core/pipeline/stage';
import type { Exchange } from '../exchange/exchange.ts';
import { mcpAnswerKeys } from '../dialects/shared/known-keys.ts';
import { NotRewritable } from '@portcullis/platform/inspection/not-rewritable';
import { readSource, rewriteJson } from '../framing/rewrite-unit.ts';
import type { StreamUnit } from '../framing/stream-unit.ts';
import { cut, release, releaseRewritten } from '../framing/unit-filter.ts';
import { reviewAnswer, type AnswerReview } from './review-answer.ts';
import type { ToolWatch } from './tool-watch.ts';

/** That are recorded of an exchange. */
const maxHiddenNames = 20;

/**
 * Looks for tools in every message of an answer, regardless of what was asked: on the legacy SSE transports an answer
 * comes on another exchange than its question. Hidden ones go, all else stays byte for byte.
 */
export class ToolFilter implements ResponseFilter<StreamUnit> {
  readonly #exchange: Exchange;
  readonly #watch: ToolWatch;
  readonly #asksForTools: boolean;

  constructor(exchange: Exchange, watch: ToolWatch) {
    this.#exchange = exchange;
    this.#watch = watch;
    this.#asksForTools = callsOf(exchange.json).some(({ method }) => method === 'tools/list');
  }

  push(unit: StreamUnit): StreamVerdict<StreamUnit> {
    const { content } = unit;
    // A stream that stays open obeys the switches of the moment.
    const { proxy, key } = this.#exchange;
    const enforces = proxy.tools?.filtering === 'enforce' || key?.tools !== undefined;
    if (content.kind !== 'value') return enforces && this.#mayHideList(unit) ? cut : release(unit);
    const { value } = content;
    if (typeof value !== 'object' || value === null) return enforces && isBrokenJson(value) ? cut : release(unit);
    return releaseRewritten(() => this.#read(unit, value, enforces));
  }

  end(): StreamVerdict<StreamUnit> {
    return { kind: 'release', units: [] };
  }

  #read(unit: StreamUnit, value: object, enforces: boolean): StreamUnit {
    this.#noteFailures(value);
    const review = reviewAnswer(this.#exchange, value, this.#watch);
    if (!enforces) return unit;
    // A list that stands twice would be looked at once, and one under another spelling not at all.
    rejectDuplicateKeys(readSource(unit), value);
    const problem = mcpAnswerKeys.findConfusion(value);
    if (problem !== undefined) throw new NotRewritable(problem);
    if (review === undefined || review.isAsItCame) return unit;
    this.#noteHidden(review);
    let edited: unknown = value;
    const rewritten = rewriteJson(unit, (source) => {
      const changed = editToolLists(source, review);
      edited = JSON.parse(changed);
      return changed;
    });
    return { ...rewritten, content: { kind: 'value', value: edited } };
  }

  #noteHidden({ hidden }: AnswerReview): void {
    const names = [...hidden].flatMap(([{ tools }, places]) => [...places].flatMap((at) => toolName(tools[at]) ?? []));
    this.#exchange.hiddenTools = [...new Set([...this.#exchange.hiddenTools, ...names])].slice(0, maxHiddenNames);
  }

  #noteFailures(value: object): void {
    const { toolCalls } = this.#exchange;
    if (toolCalls.length === 0) return;
    for (const message of messagesOf(value)) {
      const answer = answerOf(message);
      if (answer?.isError !== true) continue;
      const call = toolCalls.find(({ id }) => id !== undefined && id === answer.id);
      if (call !== undefined) call.failed = true;
    }
  }

  /**
   * Bytes that are not parsed here: too long, of another type, or behind a mark that clients skip. Without a brace they
   * are no message: servers of the official packages acknowledge a POST of 2024-11-05 with the text `Accepted`.
   */
  #mayHideList({ bytes }: StreamUnit): boolean {
    if (this.#exchange.statusCode >= 300 || !bytes.includes(openBrace)) return false;
    if (this.#exchange.streamForm === 'events') return bytes[0] === byteOrderMark;
    return this.#asksForTools;
  }
}

/** The first byte of U+FEFF in UTF-8. */
const byteOrderMark = 0xef;

/** In every encoding that clients of MCP may take for JSON. */
const openBrace = 0x7b;

/**
 * Something that looks like a message and cannot be parsed: clients may be more lenient. Some read UTF-16 and UTF-32,
 * in which a brace comes behind a mark, which is no UTF-8, or behind zeros.
 */
const isBrokenJson = (value: unknown): boolean => typeof value === 'string' && /^[\s\uFEFF\uFFFD\0]*[[{]/.test(value);
