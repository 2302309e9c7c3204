import type { TargetAuth } from '@portcullis/contracts/routes/proxies';
import type { AgentCard } from '@portcullis/core/a2a/agent-card';
import type { Encryption } from '@portcullis/platform/security/encryption';
import { agentAuthPlace } from '@portcullis/platform/security/sealed-places';

interface SealedAuth extends TargetAuth {
  /** Where it may be sent: the origins of the interfaces that the card had when it was given. */
  readonly origins: readonly string[];
}

/** What is stored of the credentials for an agent; they are nothing in another row. */
export const sealTargetAuth = (id: number, auth: TargetAuth, card: AgentCard, encryption: Encryption): string => {
  const sealed: SealedAuth = { ...auth, origins: [...originsOf(card)] };
  return encryption.encrypt(JSON.stringify(sealed), agentAuthPlace(id)[0]);
};

/** The header that lets the gateway in at an agent's interface; none where the interface is not where it was given for. */
export function openTargetAuth(
  { id, target_auth: sealed }: { readonly id: number; readonly target_auth: string | null },
  url: string,
  encryption: Encryption,
): Readonly<Record<string, string>> {
  if (sealed === null) return {};
  const auth = JSON.parse(encryption.decrypt(sealed, ...agentAuthPlace(id))) as SealedAuth;
  if (!auth.origins.includes(new URL(url).origin)) return {};
  const { header = 'authorization', value } = auth;
  return { [header.toLowerCase()]: auth.header === undefined ? `Bearer ${value}` : value };
}

/** Whether a card leads to servers that the one before did not. */
export function leadsElsewhere(before: AgentCard, after: AgentCard): boolean {
  const known = originsOf(before);
  return [...originsOf(after)].some((origin) => !known.has(origin));
}

const originsOf = ({ supportedInterfaces }: AgentCard): ReadonlySet<string> =>
  new Set(supportedInterfaces.flatMap(({ url }) => URL.parse(url)?.origin ?? []));
