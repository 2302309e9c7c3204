import { DuplicateKey } from '@portcullis/core/json/visit-json-source';
import { NestedTooDeep } from '@portcullis/core/json/visit-strings';
import type { ResponseFilter, StreamVerdict } from '@portcullis/core/pipeline/stage';
import { NotRewritable } from '@portcullis/platform/inspection/not-rewritable';
import type { StreamUnit } from './stream-unit.ts';
import { rewriteJson } from './rewrite-unit.ts';

const cut: StreamVerdict<StreamUnit> = { kind: 'cut', denial: { reason: 'target_failed' }, units: [] };

interface Rewriting {
  /** Whether a message has something to rewrite. */
  concerns(message: unknown): boolean;
  /** @param source of the message as it stands now: policies may have redacted it */
  rewrite(source: string): string;
}

/** Rewrites messages of an answer, and cuts the answer at one that cannot be rewritten. */
export class AnswerRewriter implements ResponseFilter<StreamUnit> {
  readonly #rewriting: Rewriting;

  constructor(rewriting: Rewriting) {
    this.#rewriting = rewriting;
  }

  push(unit: StreamUnit): StreamVerdict<StreamUnit> {
    const { content } = unit;
    if (content.kind !== 'value' || !this.#rewriting.concerns(content.value)) return { kind: 'release', units: [unit] };
    try {
      return { kind: 'release', units: [rewriteJson(unit, (source) => this.#rewriting.rewrite(source))] };
    } catch (error) {
      if (error instanceof NestedTooDeep || error instanceof DuplicateKey || error instanceof NotRewritable) return cut;
      throw error;
    }
  }

  end(): StreamVerdict<StreamUnit> {
    return { kind: 'release', units: [] };
  }
}
