import type { Dialect } from './dialect.ts';

type PatternRow = readonly [path: Pick<RegExp, 'test'>, dialect: Dialect];

/** Where a provider's dialects are spoken: request paths without their query, normalised (`normalisePath`), in lower case. */
export interface DialectPaths {
  /** How paths end. Where several fit, the longest counts. */
  readonly ends: Readonly<Record<string, Dialect>>;
  /** Paths with an id in them that are looked at before all ends. */
  readonly first?: readonly PatternRow[];
  /** The same, where no end fits. */
  readonly last?: readonly PatternRow[];
}
