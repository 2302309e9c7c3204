import type { Problem } from '@portcullis/contracts/envelope';
import type { AgentChange, AgentCreation } from '@portcullis/contracts/routes/agents';
import { connectionHeaders } from '@portcullis/platform/http/connection-headers';
import { GatewayError } from '@portcullis/platform/http/gateway-error';
import type { AgentRow } from './agent-queries.ts';
import { discoverCardOrThrow, isSameCard, readSentCardOrThrow, type CardLoader, type LoadedCard } from './load-card.ts';
import { findForeignInterfaces } from './read-agent-card.ts';
import { leadsElsewhere } from './target-auth.ts';

/**
 * The card of an agent that is registered, from its URL or as it was sent.
 * @throws {GatewayError} saying what is wrong with the request, the URL or the card
 */
export function loadFirstCardOrThrow(loader: CardLoader, body: AgentCreation): Promise<LoadedCard> {
  checkAuthOrThrow(body);
  const { url, agent_card: card, accepts_other_origins: acceptsOtherOrigins = false } = body;
  if (url !== undefined && card !== undefined) throw problem('/body/agent_card', 'must not stand beside url');
  if (card !== undefined) return readSentCardOrThrow(card, loader.rule);
  if (url !== undefined) return discoverCardOrThrow(loader, url, acceptsOtherOrigins);
  throw problem('/body/url', 'is required where agent_card is not given');
}

/**
 * The card that a change brings: the one that is at the URL now where the change is about the URL, about nothing, or about the card of
 * an agent that was found there; else the one that is sent. Undefined where the known one stays.
 * @throws {GatewayError} saying what is wrong with the request, the URL or the card
 */
export async function loadNextCardOrThrow(
  loader: CardLoader,
  before: AgentRow,
  body: AgentChange,
): Promise<LoadedCard | undefined> {
  checkAuthOrThrow(body);
  const { agent_card: given, accepts_other_origins: acceptsOtherOrigins = before.accepts_other_origins } = body;
  const url = body.url ?? undefined;
  if (given !== undefined) {
    const sent = await readSentCardOrThrow(given, loader.rule);
    // What was read is written back as it was.
    if (isSameCard(sent.card, before.card) && !isCardAlone(body)) return undefined;
    if (url !== undefined && url !== before.base_url) throw problem('/body/agent_card', 'must not stand beside url');
    // What the agent itself says where it was found counts more than what is said about it.
    const foundAt = body.url === null ? null : before.base_url;
    return foundAt === null ? sent : discoverCardOrThrow(loader, foundAt, acceptsOtherOrigins);
  }
  if (url !== undefined) return discoverCardOrThrow(loader, url, acceptsOtherOrigins);
  if (!isEmpty(body)) {
    if (body.accepts_other_origins === false) checkOriginsOrThrow(before);
    return undefined;
  }
  if (before.base_url === null) {
    throw problem('/body/agent_card', 'is required: the card was sent, so there is no URL to read it from');
  }
  return discoverCardOrThrow(loader, before.base_url, acceptsOtherOrigins);
}

/** @throws {GatewayError} when the card in force has interfaces that would not be accepted any more */
function checkOriginsOrThrow({ base_url: baseUrl, card }: AgentRow): void {
  const foreign = baseUrl === null ? [] : findForeignInterfaces(card, baseUrl);
  if (foreign.length === 0) return;
  throw problem('/body/accepts_other_origins', 'must stay true while the card has interfaces on other servers');
}

/** Whether a change is about the card and nothing else. */
const isCardAlone = (body: AgentChange): boolean => body.url === undefined && isEmpty(body);

const isEmpty = ({
  name,
  status,
  accepts_other_origins: accepts,
  target_auth: auth,
  trusted_keys: keys,
}: AgentChange): boolean => [name, status, accepts, auth, keys].every((field) => field === undefined);

/**
 * Credentials were given for the servers that the card named: others do not get them by themselves.
 * @throws {GatewayError} when they are stored and the change says nothing of them
 */
export function checkAuthOfNewCardOrThrow(before: AgentRow, body: AgentChange, next: LoadedCard | undefined): void {
  if (before.target_auth === null || body.target_auth !== undefined || next === undefined) return;
  if (!leadsElsewhere(before.card, next.card)) return;
  throw new GatewayError('bad_request', {
    message: 'The credentials were given for other servers than the card names now. Nothing was changed',
    problems: [{ path: '/body/target_auth', rule: 'must be sent again; null removes it' }],
  });
}

function checkAuthOrThrow({ target_auth: auth }: AgentChange): void {
  if (!connectionHeaders.has(auth?.header?.toLowerCase() ?? '')) return;
  throw problem('/body/target_auth/header', 'must not be a header of the connection');
}

const problem = (path: string, rule: string): GatewayError => {
  const problems: readonly Problem[] = [{ path, rule }];
  return new GatewayError('bad_request', { problems });
};
