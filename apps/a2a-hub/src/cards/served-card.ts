import type { AgentCard } from '@portcullis/core/a2a/agent-card';
import { rewriteCard } from '@portcullis/core/a2a/gateway-card';
import { trimSlashes } from '@portcullis/core/text/trim-matching';
import type { Config } from '@portcullis/platform/config/config';
import { localBaseOf, type Bases } from '@portcullis/platform/config/public-base';
import type { AgentRow } from '@portcullis/platform/agents/agent-queries';

/** What the address depends on by which the gateway calls itself. */
export interface CallOrigin {
  readonly calledOrigin?: string;
}

/** Where clients reach this gateway, without a slash at its end: what the operator says, else what the client called. */
export const publicBase = (
  { PUBLIC_URL: url }: Pick<Config, 'PUBLIC_URL'>,
  { calledOrigin = '' }: CallOrigin,
): string => trimSlashes(url ?? calledOrigin);

/** Names of the machine itself; what is said of them is true on that machine alone. */
const ownNames: ReadonlySet<string> = new Set(['localhost', '127.0.0.1', '[::1]']);

/**
 * Whether a card that names where the gateway is reached may be signed: a signature over an address that a client made up
 * would vouch for it.
 */
export function isOwnBase(config: Bases, { calledOrigin = '' }: CallOrigin): boolean {
  if (config.PUBLIC_URL !== undefined) return true;
  const local = localBaseOf(config);
  if (local === undefined || !URL.canParse(calledOrigin)) return false;
  const called = new URL(calledOrigin);
  const own = new URL(local);
  return ownNames.has(called.hostname) && called.protocol === own.protocol && called.port === own.port;
}

/** Of an agent as callers of the gateway see it: its card names the gateway only. */
export const servedCard = (row: AgentRow, base: string): AgentCard =>
  rewriteCard(row.card, `${base}/a2a/v1/agents/${row.id}`, {
    upstreamCardSha256: row.card_hash,
    signature: row.signature.status,
    ...(row.signature.key_id !== undefined && { keyId: row.signature.key_id }),
    fetchedAt: row.card_read_at.toISOString(),
  });
