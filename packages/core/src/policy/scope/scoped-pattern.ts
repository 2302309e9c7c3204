import type { CompiledPattern, PatternUse } from '../plan/compiled-pattern.ts';

/** A pattern and what it is used for in one scope. */
export interface ScopedPattern {
  readonly compiled: CompiledPattern;
  readonly uses: readonly PatternUse[];
  /** A stream must not release the beginning of its matches. */
  readonly enforced: boolean;
}
