/** @param host as in an address, lower case, without a port */
export const isLoopbackHost = (host: string): boolean =>
  host === 'localhost' || host === '127.0.0.1' || host === '[::1]';
