import sections from './named-tokens.json' with { type: 'json' };
import type { NamedTokenRow } from './token-row.ts';

/** Services whose tokens are letters and digits like any others, so that their name has to stand before them. */
export const namedTokens: readonly NamedTokenRow[] = Object.values(sections).flat();
