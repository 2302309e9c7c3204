import { trimSlashes } from '@portcullis/core/text/trim-matching';
import { checkTargetUrl, type AddressRule } from '@portcullis/platform/network/address-guard';

/** Where agents keep their cards, newest generation first: the second place is that of A2A 0.2. */
const cardPaths = ['.well-known/agent-card.json', '.well-known/agent.json'] as const;

export type AgentAddress =
  | {
      /** Without a slash at its end. */
      readonly baseUrl: string;
      /** Where to look for the card, in this order. */
      readonly cardUrls: readonly string[];
      readonly rule?: never;
    }
  /** What is wrong with the address. */
  | { readonly rule: string; readonly baseUrl?: never; readonly cardUrls?: never };

/**
 * Reads the address of an agent as an admin gives it: a base URL, below which the card stands at its well-known path.
 * @param cardUrl where the card stands instead
 */
export function parseAgentAddress(text: string, allowed: AddressRule, cardUrl: string | null = null): AgentAddress {
  const refusal = checkTargetUrl(text, allowed) ?? (cardUrl === null ? undefined : checkTargetUrl(cardUrl, allowed));
  if (refusal !== undefined) return refusal;
  const url = new URL(text);
  if (url.search !== '' || url.hash !== '') return { rule: 'must be a base URL, without a query or a fragment' };
  if (/\/\.well-known(?:\/|$)|\.json\/*$/i.test(url.pathname)) {
    const advice = `try ${baseOf(url)}, with card_url beside it where the card has a path of its own`;
    return { rule: `must be the base URL of the agent, without the path of its card; ${advice}` };
  }
  const baseUrl = url.origin + trimSlashes(url.pathname);
  return { baseUrl, cardUrls: cardUrl === null ? cardPaths.map((path) => `${baseUrl}/${path}`) : [cardUrl] };
}

/** What is left of the path of a card when the card is taken away. */
const baseOf = ({ origin, pathname }: URL): string =>
  origin + pathname.replace(/\/(?:\.well-known(?:\/[^]*)?|[^/]*\.json\/*)$/i, '');
