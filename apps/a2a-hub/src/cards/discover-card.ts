import type { Problem } from '@portcullis/contracts/envelope';
import { a2aLimits } from '@portcullis/core/a2a/a2a-limits';
import { versionHeaders } from '@portcullis/core/a2a/protocol-version';
import type { AddressRule } from '@portcullis/platform/network/address-guard';
import { AddressRefused } from '@portcullis/platform/network/guarded-connector';
import { createGuardedFetch, type GuardedFetch } from '@portcullis/platform/network/guarded-fetch';
import { problemText } from '@portcullis/platform/errors/problem';
import { parseAgentAddress } from '../agents/agent-address.ts';
import type { AgentLocation } from '../agents/agent-location.ts';
import { findForeignInterfaces, readAgentCard, type ReadCard } from '@portcullis/platform/agents/read-agent-card';

/** Why no card was found, and what an admin can do about it. */
export interface DiscoveryProblem {
  /** `address`: the URL will never do. `refused`: the gateway does not go there. `unreachable`: it may do later. */
  readonly kind: 'address' | 'refused' | 'unreachable' | 'no_card' | 'bad_card' | 'unspoken';
  readonly message: string;
  /** By place in the card. */
  readonly problems?: readonly Problem[];
}

export type Discovery =
  | { readonly found: ReadCard & { readonly baseUrl: string; readonly foundAt: string }; readonly problem?: never }
  | { readonly problem: DiscoveryProblem; readonly found?: never };

export interface CardDiscovery extends AsyncDisposable {
  /**
   * Looks for the card of an agent, at the well-known paths of every generation unless it is said where it is.
   * @param address base URL of the agent
   */
  discover(address: string, options?: DiscoveryOptions): Promise<Discovery>;
}

type DiscoveryOptions = Partial<Omit<AgentLocation, 'url'>>;

/** Statuses with which a server says that there is nothing at a path, rather than that it has a problem. */
const nothingThere: ReadonlySet<number> = new Set([404, 405, 410]);

export function createCardDiscovery(rule: AddressRule, timeoutMs = 10_000): CardDiscovery {
  const guarded = createGuardedFetch(rule, { timeoutMs, maxAnswerBytes: a2aLimits.cardBytes });
  return {
    async discover(address, options = {}) {
      const { baseUrl, cardUrls, rule: wrong } = parseAgentAddress(address, rule, options.cardUrl);
      if (cardUrls === undefined) return fail('address', `The URL ${wrong}`);
      for (const foundAt of cardUrls) {
        const fetched = await fetchCard(guarded, foundAt, options);
        if (fetched === undefined) continue;
        if (typeof fetched !== 'string') return { problem: fetched };
        return readFound(fetched, { baseUrl, foundAt }, options);
      }
      return fail('no_card', `There is no agent card at ${cardUrls.join(' or ')}`);
    },
    [Symbol.asyncDispose]: () => guarded[Symbol.asyncDispose](),
  };
}

/** The source of the card; undefined where there is none. */
async function fetchCard(
  guarded: GuardedFetch,
  url: string,
  { credentialsFor }: DiscoveryOptions,
): Promise<string | DiscoveryProblem | undefined> {
  const headers = { accept: 'application/json', ...versionHeaders('1.0') };
  try {
    let response = await guarded.fetch(url, { method: 'GET', headers });
    if (wantsCredentials(response)) {
      // Most cards are public: the key of the agent goes where it is needed, to an address that an admin gave it for.
      const credentials = credentialsFor?.(url) ?? {};
      const isKnown = Object.keys(credentials).length > 0;
      if (isKnown) response = await guarded.fetch(url, { method: 'GET', headers: { ...headers, ...credentials } });
    }
    if (response.status === 200) return await response.text();
    if (nothingThere.has(response.status)) return undefined;
    return { kind: 'unreachable', message: `${url} answered with the status ${response.status}${adviceOn(response)}` };
  } catch (error) {
    if (isRefused(error)) return { kind: 'refused', message: problemText(error) };
    return { kind: 'unreachable', message: `${url} could not be read: ${problemText(error)}` };
  }
}

const wantsCredentials = ({ status }: Response): boolean => status === 401 || status === 403;

function adviceOn(response: Response): string {
  if (wantsCredentials(response)) return ': give target_auth with credentials that let the gateway read the card';
  const isRedirect = response.status >= 300 && response.status < 400;
  return isRedirect ? ', a redirect, which is not followed: give the URL that it leads to' : '';
}

const isRefused = (error: unknown): boolean =>
  error instanceof AddressRefused || (error instanceof Error && error.cause instanceof AddressRefused);

function readFound(
  source: string,
  where: { readonly baseUrl: string; readonly foundAt: string },
  { targetUrl = null, acceptsOtherOrigins = false }: DiscoveryOptions,
): Discovery {
  const { read, problems, isUnspoken } = readAgentCard(source);
  if (isUnspoken === true)
    return fail('unspoken', `The card at ${where.foundAt} offers nothing that is spoken here`, problems);
  if (read === undefined) return fail('bad_card', `The card at ${where.foundAt} cannot be used`, problems);
  // What an admin says is called is the admin's own word.
  const isAccepted = acceptsOtherOrigins || targetUrl !== null;
  const foreign = isAccepted ? [] : findForeignInterfaces(read.card, [where.baseUrl, where.foundAt]);
  if (foreign.length > 0) {
    const message = `The card at ${where.foundAt} leads to other servers. Where it is wrong, give target_url`;
    return fail('bad_card', message, foreign);
  }
  return { found: { ...read, ...where } };
}

const fail = (kind: DiscoveryProblem['kind'], message: string, problems?: readonly Problem[]): Discovery => ({
  problem: { kind, message, ...(problems && { problems }) },
});
