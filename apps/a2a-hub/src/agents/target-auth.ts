import type { TargetAuth } from '@portcullis/contracts/routes/proxies';
import type { Encryption } from '@portcullis/platform/security/encryption';
import { agentAuthPlace } from '@portcullis/platform/security/sealed-places';
import type { AgentRow } from '@portcullis/platform/agents/agent-queries';
import { calledCard, originsOf } from '@portcullis/platform/agents/called-card';

interface SealedAuth extends TargetAuth {
  /** Where it may be sent: the origins that were called, and that of the card, when it was given. */
  readonly origins: readonly string[];
}

/** What is stored of the credentials for an agent; they are nothing in another row. */
export function sealTargetAuth(
  { id, card, target_url: targetUrl, card_url: cardUrl, base_url: baseUrl }: AuthenticatedAgent,
  auth: TargetAuth,
  encryption: Encryption,
): string {
  const origins = new Set(originsOf(calledCard(card, targetUrl)));
  const cardOrigin = URL.parse(cardUrl ?? baseUrl ?? '')?.origin;
  if (cardOrigin !== undefined) origins.add(cardOrigin);
  const sealed: SealedAuth = { ...auth, origins: [...origins] };
  return encryption.encrypt(JSON.stringify(sealed), agentAuthPlace(id)[0]);
}

type AuthenticatedAgent = Pick<AgentRow, 'id' | 'card' | 'target_url' | 'card_url' | 'base_url'>;

/** The header that lets the gateway in at an address of an agent; none where the address is not what it was given for. */
export function openTargetAuth(
  { id, target_auth: sealed }: { readonly id: number; readonly target_auth: string | null },
  url: string,
  encryption: Encryption,
): Readonly<Record<string, string>> {
  if (sealed === null) return {};
  const auth = JSON.parse(encryption.decrypt(sealed, ...agentAuthPlace(id))) as SealedAuth;
  return auth.origins.includes(new URL(url).origin) ? renderTargetAuth(auth) : {};
}

export function renderTargetAuth({ header, value }: TargetAuth): Readonly<Record<string, string>> {
  return header === undefined ? { authorization: `Bearer ${value}` } : { [header.toLowerCase()]: value };
}
