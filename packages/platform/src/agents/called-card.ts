import type { AgentCard } from '@portcullis/core/a2a/agent-card';
import { rankInterfaces } from '@portcullis/core/a2a/protocol-version';

/**
 * A card as the gateway calls it. Where an admin says what is called, that stands in the place of the address that would be
 * called first; what the card offers at other addresses is left out, for nothing says where these are.
 */
export function calledCard<Card extends Pick<AgentCard, 'supportedInterfaces'>>(
  card: Card,
  targetUrl: string | null,
): Card {
  if (targetUrl === null) return card;
  const [first] = rankInterfaces(card);
  const called = card.supportedInterfaces.filter(({ url }) => url === first?.url);
  return { ...card, supportedInterfaces: called.map((one) => ({ ...one, url: targetUrl })) };
}

/** Whether a card leads to servers that the one before did not; both as they are called. */
export function addsOrigins(before: AgentCard, after: AgentCard): boolean {
  const known = originsOf(before);
  return [...originsOf(after)].some((origin) => !known.has(origin));
}

export const originsOf = ({ supportedInterfaces }: AgentCard): ReadonlySet<string> =>
  new Set(supportedInterfaces.flatMap(({ url }) => URL.parse(url)?.origin ?? []));
