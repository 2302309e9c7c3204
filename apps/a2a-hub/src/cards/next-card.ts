import type { Problem } from '@portcullis/contracts/envelope';
import type { AgentChange, AgentCreation } from '@portcullis/contracts/routes/agents';
import { connectionHeaders } from '@portcullis/platform/http/connection-headers';
import { GatewayError } from '@portcullis/platform/http/gateway-error';
import { hasUrl, nextLocation, noLocation, locationOfRow, type AgentLocation } from '../agents/agent-location.ts';
import type { AgentRow } from '@portcullis/platform/agents/agent-queries';
import type { LoadedCard } from '@portcullis/platform/agents/read-agent-card';
import {
  checkUrlOrThrow,
  discoverCardOrThrow,
  isSameCard,
  readSentCardOrThrow,
  readStoredCardOrThrow,
  type CardLoader,
} from './load-card.ts';
import { findForeignInterfaces } from '@portcullis/platform/agents/read-agent-card';

/**
 * The card of an agent that is registered, from its URL or as it was sent.
 * @throws {GatewayError} saying what is wrong with the request, the URL or the card
 */
export async function loadFirstCardOrThrow(loader: CardLoader, body: AgentCreation): Promise<LoadedCard> {
  const location = nextLocation(noLocation, body);
  await checkLocationOrThrow(loader, body, location);
  const { agent_card: card } = body;
  if (hasUrl(location) && card !== undefined) throw problem('/body/agent_card', 'must not stand beside url');
  if (card !== undefined) return readSentCardOrThrow(card, loader.rule, location.targetUrl);
  if (hasUrl(location)) return discoverCardOrThrow(loader, location);
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
  const location = nextLocation(locationOfRow(before, loader.encryption), body);
  await checkLocationOrThrow(loader, body, location);
  const { agent_card: given } = body;
  const sent = given === undefined ? given : await readSentCardOrThrow(given, loader.rule, location.targetUrl);
  // What was read is written back as it was.
  const isSame = sent !== undefined && isSameCard(sent.card, before.card) && !isCardAlone(body);
  if (sent !== undefined && !isSame) {
    if (hasUrl(location) && location.url !== before.base_url)
      throw problem('/body/agent_card', 'must not stand beside url');
    // What the agent itself says where it was found counts more than what is said about it.
    return hasUrl(location) ? discoverCardOrThrow(loader, location) : sent;
  }
  const isMoved = isMovedFrom(location, before);
  if (isMoved || (!isSame && (typeof body.url === 'string' || isEmpty(body)))) {
    if (hasUrl(location)) return discoverCardOrThrow(loader, location);
    if (isMoved) {
      const path = location.targetUrl === before.target_url ? '/body/url' : '/body/target_url';
      return readStoredCardOrThrow(before.card_source, loader, location.targetUrl, path);
    }
    throw problem('/body/agent_card', 'is required: the card was sent, so there is no URL to read it from');
  }
  if (body.accepts_other_origins === false) checkOriginsOrThrow(before, location);
  return undefined;
}

/** Whether the card is to be read elsewhere, or its own addresses come to be called, which were not looked at before. */
const isMovedFrom = ({ url, cardUrl, targetUrl }: AgentLocation, before: AgentRow): boolean =>
  url !== before.base_url || cardUrl !== before.card_url || (targetUrl === null && before.target_url !== null);

/** @throws {GatewayError} for addresses and credentials that do not go together, or that are refused */
async function checkLocationOrThrow({ rule }: CardLoader, body: AgentChange, location: AgentLocation): Promise<void> {
  checkAuthOrThrow(body);
  if (typeof body.card_url === 'string' && location.url === null)
    throw problem('/body/card_url', 'must stand beside url, the base URL of the agent');
  if (typeof body.target_url === 'string') await checkUrlOrThrow(body.target_url, rule, '/body/target_url');
}

/** @throws {GatewayError} when the card in force has interfaces that would not be accepted any more */
function checkOriginsOrThrow({ card }: AgentRow, { url, cardUrl, targetUrl }: AgentLocation): void {
  if (url === null || targetUrl !== null) return;
  const foreign = findForeignInterfaces(card, [url, cardUrl ?? url]);
  if (foreign.length === 0) return;
  throw problem('/body/accepts_other_origins', 'must stay true while the card has interfaces on other servers');
}

/** Whether a change is about the card and nothing else. */
const isCardAlone = (body: AgentChange): boolean => body.url === undefined && isEmpty(body);

const isEmpty = ({
  name,
  status,
  card_url: cardUrl,
  target_url: targetUrl,
  accepts_other_origins: accepts,
  target_auth: auth,
  trusted_keys: keys,
}: AgentChange): boolean =>
  [name, status, cardUrl, targetUrl, accepts, auth, keys].every((field) => field === undefined);

function checkAuthOrThrow({ target_auth: auth }: AgentChange): void {
  if (!connectionHeaders.has(auth?.header?.toLowerCase() ?? '')) return;
  throw problem('/body/target_auth/header', 'must not be a header of the connection');
}

const problem = (path: string, rule: string): GatewayError => {
  const problems: readonly Problem[] = [{ path, rule }];
  return new GatewayError('bad_request', { problems });
};
