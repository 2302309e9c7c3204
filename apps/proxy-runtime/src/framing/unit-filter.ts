import { DuplicateKey } from '@portcullis/core/json/visit-json-source';
import { NestedTooDeep } from '@portcullis/core/json/visit-strings';
import type { ResponseFilter, StreamVerdict } from '@portcullis/core/pipeline/stage';
import { NotRewritable } from '@portcullis/platform/inspection/not-rewritable';
import { rewriteJson } from './rewrite-unit.ts';
import type { StreamUnit } from './stream-unit.ts';

type UnitVerdict = StreamVerdict<StreamUnit>;

export const release = (unit: StreamUnit): UnitVerdict => ({ kind: 'release', units: [unit] });

/** What cannot be read as its client will read it does not leave. */
export const cut: UnitVerdict = { kind: 'cut', denial: { reason: 'target_failed' }, units: [] };

/** A filter that decides about each unit as it comes and holds none back. */
export const createUnitFilter = (push: (unit: StreamUnit) => UnitVerdict): ResponseFilter<StreamUnit> => ({
  push,
  end: () => ({ kind: 'release', units: [] }),
});

/** Releases what `rewrite` answers; cuts the answer at a unit that cannot be rewritten. */
export function releaseRewritten(rewrite: () => StreamUnit): UnitVerdict {
  try {
    return release(rewrite());
  } catch (error) {
    if (error instanceof NestedTooDeep || error instanceof DuplicateKey || error instanceof NotRewritable) return cut;
    throw error;
  }
}

/**
 * Rewrites the messages of an answer that have something to rewrite.
 * @param rewrite is given the source as it stands now: policies may have redacted it
 */
export const createMessageRewriter = (
  hasPlaces: (message: unknown) => boolean,
  rewrite: (source: string) => string,
): ResponseFilter<StreamUnit> =>
  createUnitFilter((unit) => {
    const { content } = unit;
    if (content.kind !== 'value' || !hasPlaces(content.value)) return release(unit);
    return releaseRewritten(() => rewriteJson(unit, rewrite));
  });
