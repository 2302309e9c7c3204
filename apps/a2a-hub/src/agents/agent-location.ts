import type { AgentChange } from '@portcullis/contracts/routes/agents';
import type { Encryption } from '@portcullis/platform/security/encryption';
import type { AgentRow } from '@portcullis/platform/agents/agent-queries';
import { openTargetAuth, renderTargetAuth } from './target-auth.ts';

/** Where an agent and its card are, and what is called, as an admin says it. */
export interface AgentLocation {
  /** Base URL; null for an agent whose card was sent. */
  readonly url: string | null;
  /** Where the card is read instead of at the well-known paths below the base URL. */
  readonly cardUrl: string | null;
  /** What is called instead of the addresses of the card. */
  readonly targetUrl: string | null;
  /** Whether interfaces of the card may be elsewhere than the card. */
  readonly acceptsOtherOrigins: boolean;
  /** The header that lets the gateway in at an address; none where it was not given for that. */
  credentialsFor(url: string): Readonly<Record<string, string>>;
}

export type LocationWithUrl = AgentLocation & { readonly url: string };

export const hasUrl = (location: AgentLocation): location is LocationWithUrl => location.url !== null;

/** Of an agent that is not registered yet. */
export const noLocation: AgentLocation = {
  url: null,
  cardUrl: null,
  targetUrl: null,
  acceptsOtherOrigins: false,
  credentialsFor: () => ({}),
};

export const locationOfRow = (row: AgentRow, encryption: Encryption): AgentLocation => ({
  url: row.base_url,
  cardUrl: row.card_url,
  targetUrl: row.target_url,
  acceptsOtherOrigins: row.accepts_other_origins,
  credentialsFor: (url) => openTargetAuth(row, url, encryption),
});

/** Where an agent will be after a request; what that does not give stays. */
export function nextLocation(before: AgentLocation, body: AgentChange): AgentLocation {
  const { target_auth: auth } = body;
  const url = given(body.url, before.url);
  return {
    url,
    // Nothing is read of an agent without a base URL.
    cardUrl: url === null ? null : given(body.card_url, before.cardUrl),
    targetUrl: given(body.target_url, before.targetUrl),
    acceptsOtherOrigins: body.accepts_other_origins ?? before.acceptsOtherOrigins,
    credentialsFor: (address) => {
      if (auth === undefined) return before.credentialsFor(address);
      return auth === null ? {} : renderTargetAuth(auth);
    },
  };
}

const given = <Value>(value: Value | undefined, otherwise: Value): Value => (value === undefined ? otherwise : value);
