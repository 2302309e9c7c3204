import type { Exchange } from '../exchange/exchange.ts';

const idOfMessage = /^(?:\/\d+)?\/id$/;

/**
 * Whether a side said something in the id of a message that policies know. Nobody waits for an answer with such an id, since what
 * is asked is read as well, and an error under it would tell the other side what was withheld.
 */
export const hasFindingInId = ({ findings }: Pick<Exchange, 'findings'>, side: 'request' | 'response'): boolean =>
  findings.some(({ direction, location }) => direction === side && idOfMessage.test(location));
