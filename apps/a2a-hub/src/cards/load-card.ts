import type { Problem } from '@portcullis/contracts/envelope';
import type { AgentCard } from '@portcullis/core/a2a/agent-card';
import { canonicalJson } from '@portcullis/core/json/canonical-json';
import { checkUrlForm, type AddressRule } from '@portcullis/platform/network/address-guard';
import { checkHostOrThrow } from '@portcullis/platform/network/check-host';
import { checkTargetHost } from '@portcullis/platform/network/check-target-host';
import { GatewayError } from '@portcullis/platform/http/gateway-error';
import type { Encryption } from '@portcullis/platform/security/encryption';
import type { LocationWithUrl } from '../agents/agent-location.ts';
import type { CardDiscovery, DiscoveryProblem } from './discover-card.ts';
import { readAgentCard, type LoadedCard, type ReadCard } from '@portcullis/platform/agents/read-agent-card';

export interface CardLoader {
  readonly discovery: CardDiscovery;
  readonly encryption: Encryption;
  readonly rule: AddressRule;
}

/**
 * Reads the card of an agent where an admin says that it is.
 * @throws {GatewayError} saying what is wrong with an address or the card there, or why it could not be read
 */
export async function discoverCardOrThrow(
  { discovery, rule }: CardLoader,
  location: LocationWithUrl,
): Promise<LoadedCard> {
  const { url, cardUrl, targetUrl } = location;
  await checkUrlOrThrow(url, rule, '/body/url');
  if (cardUrl !== null) await checkUrlOrThrow(cardUrl, rule, '/body/card_url');
  const { found, problem } = await discovery.discover(url, location);
  if (found === undefined) throw refusalOf(problem, cardUrl === null ? '/body/url' : '/body/card_url');
  const problems = await findRefusedInterfaces(found, rule, targetUrl);
  if (problems.length === 0) return found;
  const message = 'The card leads to refused addresses. Where it is wrong, give target_url';
  throw refusalOf({ kind: 'bad_card', message, problems });
}

/** @throws {GatewayError} for an address that cannot be called, or to which the gateway does not connect */
export async function checkUrlOrThrow(url: string, rule: AddressRule, path: string): Promise<void> {
  const form = checkUrlForm(url);
  if (form !== undefined) throw new GatewayError('bad_request', { problems: [{ path, rule: form.rule }] });
  await checkHostOrThrow(url, rule, path);
}

function refusalOf({ kind, message, problems }: DiscoveryProblem, path = '/body/url'): GatewayError {
  switch (kind) {
    case 'address':
      return new GatewayError('bad_request', { message, problems: [{ path: '/body/url', rule: message }] });
    case 'no_card':
      return new GatewayError('bad_request', { message, problems: [{ path, rule: message }] });
    case 'bad_card':
      return new GatewayError('bad_request', { message, problems: problems ?? [] });
    case 'unspoken':
      return new GatewayError('agent_unspoken', { message, problems: problems ?? [] });
    case 'refused':
      return new GatewayError('target_refused', { message, problems: [{ path, rule: message }] });
    case 'unreachable':
      return new GatewayError('target_unreachable', { message });
  }
}

/**
 * Reads a card that an admin sends.
 * @param targetUrl the URL to call in place of those in the card
 * @throws {GatewayError} naming the members of the card that are wrong
 */
export async function readSentCardOrThrow(
  given: string | object,
  rule: AddressRule,
  targetUrl: string | null = null,
): Promise<LoadedCard> {
  const { loaded, problems, isUnspoken = false } = await checkCard(given, rule, targetUrl);
  if (loaded !== undefined) return loaded;
  throw new GatewayError(isUnspoken ? 'agent_unspoken' : 'bad_request', {
    message: 'The agent card cannot be used',
    problems: problems.map((problem) => ({ ...problem, path: `/body/agent_card${problem.path}` })),
  });
}

/**
 * Reads a card again that was sent before, since its own addresses come to be called.
 * @param path JSON pointer of what in the request lets them be called
 * @throws {GatewayError} naming the addresses that cannot be
 */
export async function readStoredCardOrThrow(
  source: string,
  { rule }: CardLoader,
  targetUrl: string | null,
  path: string,
): Promise<LoadedCard> {
  const { loaded, problems } = await checkCard(source, rule, targetUrl);
  if (loaded !== undefined) return loaded;
  throw new GatewayError('bad_request', {
    message: 'The addresses of the card cannot be called, and no other card was sent',
    problems: problems.map(({ path: place, rule: broken }) => ({
      path,
      rule: `lets ${place} of the card be called, which ${broken}`,
    })),
  });
}

async function checkCard(given: string | object, rule: AddressRule, targetUrl: string | null) {
  const { read, problems, isUnspoken } = readAgentCard(given);
  if (read === undefined) return { problems, isUnspoken };
  const refused = await findRefusedInterfaces(read, rule, targetUrl);
  return refused.length === 0 ? { loaded: { ...read, baseUrl: null } } : { problems: refused };
}

/**
 * Interfaces to which the gateway would not connect; none of those of a card that is called elsewhere. A name without an
 * address may get one before it is called.
 */
async function findRefusedInterfaces(
  { card, writtenIn }: ReadCard,
  rule: AddressRule,
  targetUrl: string | null,
): Promise<readonly Problem[]> {
  const problems: Problem[] = [];
  if (targetUrl !== null) return problems;
  for (const [index, { url, protocolBinding }] of card.supportedInterfaces.entries()) {
    if (protocolBinding !== 'JSONRPC' && protocolBinding !== 'HTTP+JSON') continue;
    const check = await checkTargetHost(url, rule);
    if (check.kind === 'refused') problems.push({ path: pathOf(writtenIn, index), rule: check.rule });
  }
  return problems;
}

/** Where the generation of the card has its interfaces. */
const pathOf = (writtenIn: ReadCard['writtenIn'], index: number): string => {
  if (writtenIn === '1.0') return `/supportedInterfaces/${index}/url`;
  return index === 0 ? '/url' : '/additionalInterfaces';
};

/** Whether two cards say the same. */
export const isSameCard = (one: AgentCard, other: AgentCard): boolean => canonicalJson(one) === canonicalJson(other);
