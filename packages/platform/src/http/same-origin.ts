/**
 * Whether two configured addresses share scheme, host and port, so that a server that reads what is sent to one may read
 * what is sent to the other. What is no address has no origin; the default port of a scheme is a port like others.
 */
export const isSameOrigin = (one: unknown, other: unknown): boolean => originOf(one) === originOf(other);

const originOf = (address: unknown): string | undefined =>
  typeof address === 'string' && URL.canParse(address) ? new URL(address).origin : undefined;
