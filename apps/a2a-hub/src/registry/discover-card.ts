import type { Problem } from '@portcullis/contracts/envelope';
import { a2aLimits } from '@portcullis/core/a2a/a2a-limits';
import { versionHeaders } from '@portcullis/core/a2a/protocol-version';
import type { AddressRule } from '@portcullis/platform/network/address-guard';
import { AddressRefused } from '@portcullis/platform/network/guarded-connector';
import { createGuardedFetch, type GuardedFetch } from '@portcullis/platform/network/guarded-fetch';
import { problemText } from '@portcullis/platform/errors/problem';
import { parseAgentAddress } from './agent-address.ts';
import { findForeignInterfaces, readAgentCard, type ReadCard } from './read-agent-card.ts';

/** Why no card was found, and what an admin can do about it. */
export interface DiscoveryProblem {
  /** `address`: the URL will never do. `refused`: the gateway does not go there. `unreachable`: it may do later. */
  readonly kind: 'address' | 'refused' | 'unreachable' | 'no_card' | 'bad_card' | 'unspoken';
  readonly message: string;
  /** By place in the card. */
  readonly problems?: readonly Problem[];
}

export type Discovery =
  | { readonly found: ReadCard & { readonly baseUrl: string; readonly cardUrl: string }; readonly problem?: never }
  | { readonly problem: DiscoveryProblem; readonly found?: never };

export interface CardDiscovery extends AsyncDisposable {
  /**
   * Looks for the card of an agent at the well-known paths of every generation.
   * @param acceptsOtherOrigins whether interfaces of the card may be elsewhere than the card
   */
  discover(address: string, acceptsOtherOrigins?: boolean): Promise<Discovery>;
}

/** Statuses with which a server says that there is nothing at a path, rather than that it has a problem. */
const nothingThere: ReadonlySet<number> = new Set([404, 405, 410]);

export function createCardDiscovery(rule: AddressRule, timeoutMs = 10_000): CardDiscovery {
  const guarded = createGuardedFetch(rule, { timeoutMs, maxAnswerBytes: a2aLimits.cardBytes });
  return {
    async discover(address, acceptsOtherOrigins = false) {
      const { baseUrl, cardUrls, rule: wrong } = parseAgentAddress(address, rule);
      if (cardUrls === undefined) return fail('address', `The URL ${wrong}`);
      for (const cardUrl of cardUrls) {
        const fetched = await fetchCard(guarded, cardUrl);
        if (fetched === undefined) continue;
        if (typeof fetched !== 'string') return { problem: fetched };
        return readFound(fetched, { baseUrl, cardUrl }, acceptsOtherOrigins);
      }
      return fail('no_card', `There is no agent card at ${cardUrls.join(' or ')}`);
    },
    [Symbol.asyncDispose]: () => guarded[Symbol.asyncDispose](),
  };
}

/** The source of the card; undefined where there is none. */
async function fetchCard(guarded: GuardedFetch, url: string): Promise<string | DiscoveryProblem | undefined> {
  const headers = { accept: 'application/json', ...versionHeaders('1.0') };
  try {
    const response = await guarded.fetch(url, { method: 'GET', headers });
    if (response.status === 200) return await response.text();
    if (nothingThere.has(response.status)) return undefined;
    const isRedirect = response.status >= 300 && response.status < 400;
    const advice = isRedirect ? ', a redirect, which is not followed: give the URL that it leads to' : '';
    return { kind: 'unreachable', message: `${url} answered with the status ${response.status}${advice}` };
  } catch (error) {
    if (isRefused(error)) return { kind: 'refused', message: problemText(error) };
    return { kind: 'unreachable', message: `${url} could not be read: ${problemText(error)}` };
  }
}

const isRefused = (error: unknown): boolean =>
  error instanceof AddressRefused || (error instanceof Error && error.cause instanceof AddressRefused);

function readFound(
  source: string,
  where: { readonly baseUrl: string; readonly cardUrl: string },
  acceptsOtherOrigins: boolean,
): Discovery {
  const { read, problems, isUnspoken } = readAgentCard(source);
  if (isUnspoken === true)
    return fail('unspoken', `The card at ${where.cardUrl} offers nothing that is spoken here`, problems);
  if (read === undefined) return fail('bad_card', `The card at ${where.cardUrl} cannot be used`, problems);
  const foreign = acceptsOtherOrigins ? [] : findForeignInterfaces(read.card, where.baseUrl);
  if (foreign.length > 0) return fail('bad_card', `The card at ${where.cardUrl} leads to other servers`, foreign);
  return { found: { ...read, ...where } };
}

const fail = (kind: DiscoveryProblem['kind'], message: string, problems?: readonly Problem[]): Discovery => ({
  problem: { kind, message, ...(problems && { problems }) },
});
