import { endsWithCrc32 } from './checksums-of-tokens.ts';
import type { TokenRow } from './token-row.ts';

/** Tokens that tell by themselves whether they were ever issued. */
export const githubTokens: readonly TokenRow[] = [
  ['GitHub', 'ghp_{alnum:36,255}', endsWithCrc32],
  ['GitHub, OAuth', 'gho_{alnum:36,255}', endsWithCrc32],
  ['GitHub, user to server', 'ghu_{alnum:36,255}', endsWithCrc32],
  ['GitHub, server to server', 'ghs_{alnum:36,255}', endsWithCrc32],
  ['GitHub, refresh', 'ghr_{alnum:36,255}', endsWithCrc32],
];

export const npmTokens: readonly TokenRow[] = [['npm', 'npm_{alnum:36}', endsWithCrc32]];
