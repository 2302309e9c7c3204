import { endsWithCrc32 } from './checksums-of-tokens.ts';
import groups from './token-groups.json' with { type: 'json' };
import type { TokenRow } from './token-row.ts';

/** Tokens of services of one kind, which one detector finds. */
export interface TokenGroup {
  /** Of the detector, of its rule, and of placeholders in capitals. */
  readonly name: string;
  readonly description: string;
  readonly rows: readonly TokenRow[];
}

const githubKinds = { p: 'GitHub', o: 'OAuth', u: 'user to server', s: 'server to server', r: 'refresh' };
const githubTokens = Object.entries(githubKinds).map(([letter, vendor]): TokenRow => ({
  vendor,
  shape: `gh${letter}_{alnum:36,255}`,
  checksum: endsWithCrc32,
}));
const npmTokens: readonly TokenRow[] = [{ vendor: 'npm', shape: 'npm_{alnum:36}', checksum: endsWithCrc32 }];

/** Tokens that tell by themselves whether they were ever issued. Their rules have more to look for than these rows. */
export const checkedGroups: readonly TokenGroup[] = [
  { name: 'github-token', description: 'GitHub token', rows: githubTokens },
  { name: 'npm-token', description: 'npm token', rows: npmTokens },
];

export const tokenGroups: readonly TokenGroup[] = groups;
