import type { Problem } from '@portcullis/contracts/envelope';
import type { AgentCard, A2aVersion } from '@portcullis/core/a2a/agent-card';
import { parseAgentCardText } from '@portcullis/core/a2a/parse-agent-card';
import { rankInterfaces } from '@portcullis/core/a2a/protocol-version';
import { hash } from 'node:crypto';

/** A card that the gateway can work with. */
export interface ReadCard {
  readonly card: AgentCard;
  readonly writtenIn: A2aVersion;
  /** As it came. */
  readonly source: string;
  /** SHA-256 of the source, in hex. */
  readonly sourceHash: string;
}

/** A card, and where it was found; null for one that was sent. */
export interface LoadedCard extends ReadCard {
  readonly baseUrl: string | null;
}

export type CardReading =
  | { readonly read: ReadCard; readonly problems?: never; readonly isUnspoken?: never }
  | {
      readonly problems: readonly Problem[];
      /** The card is right, and the gateway speaks nothing of what the agent does. */
      readonly isUnspoken?: true;
      readonly read?: never;
    };

/**
 * Reads the source of a card, and looks whether the gateway can call the agent that it describes.
 * @param given the JSON source, or the object that stood in a request
 */
export function readAgentCard(given: string | object): CardReading {
  const source = typeof given === 'string' ? given : JSON.stringify(given);
  const { value, problems } = parseAgentCardText(source);
  if (value === undefined) return { problems };
  const { card, writtenIn } = value;
  if (rankInterfaces(card).length === 0) {
    const offered = card.supportedInterfaces.map((one) => `${one.protocolBinding} ${one.protocolVersion}`).join(', ');
    const rule = `must offer JSONRPC of A2A 0.2, 0.3 or 1.0, or HTTP+JSON of 0.3 or 1.0; it offers ${offered}`;
    return { problems: [{ path: '/supportedInterfaces', rule }], isUnspoken: true };
  }
  return { read: { card, writtenIn, source, sourceHash: hash('sha256', source) } };
}

/**
 * The interfaces that lead elsewhere than an admin said the agent is: a card must not send calls to others unseen.
 * @param places base URL of the agent, and where its card was found
 */
export function findForeignInterfaces(card: AgentCard, places: readonly string[]): readonly Problem[] {
  const origins = new Set(places.map((place) => new URL(place).origin));
  const rule =
    origins.size === 1
      ? `must be below ${[...origins].join()}, where the card is`
      : `must be below ${[...origins].join(' or ')}, where the agent and its card are`;
  return card.supportedInterfaces.flatMap(({ url }, index) =>
    origins.has(URL.parse(url)?.origin ?? '') ? [] : [{ path: `/supportedInterfaces/${index}/url`, rule }],
  );
}
