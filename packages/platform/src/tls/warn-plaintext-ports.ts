import { isIP } from 'node:net';
import type { Config } from '../config/config.ts';
import type { Logger } from '../log/logger.ts';

type TransportConfig = Pick<
  Config,
  'ENVIRONMENT' | 'HOST' | 'TLS_CERT_FILE' | 'TLS_TERMINATED' | 'TRUSTED_PROXIES' | 'OAUTH_REDIRECT_BASE_URL'
>;

/** Says at the start of a production what of its transport can be read on the way, and what to set. */
export function warnPlaintextPorts(config: TransportConfig, log: Pick<Logger, 'warn'>): void {
  for (const warning of findPlaintextPorts(config)) log.warn(warning);
}

export function findPlaintextPorts(config: TransportConfig): readonly string[] {
  if (config.ENVIRONMENT !== 'production') return [];
  const { TLS_CERT_FILE: cert, TLS_TERMINATED: isTerminated, TRUSTED_PROXIES: proxies } = config;
  const warnings: string[] = [];
  if (cert === undefined && !isTerminated && !isLoopback(config.HOST)) {
    warnings.push(
      `The ports on ${config.HOST} speak without TLS: passwords, tokens, API keys, prompts and answers can be read and changed on the way. Set TLS_CERT_FILE and TLS_KEY_FILE, or TLS_TERMINATED=true where a load balancer in front ends TLS.`,
    );
  }
  if (isTerminated && proxies.length === 0) {
    warnings.push(
      'TLS_TERMINATED is set and TRUSTED_PROXIES is not: all clients have the address of the load balancer, in limits of logins, records and alerts.',
    );
  }
  if (config.OAUTH_REDIRECT_BASE_URL?.startsWith('http:') === true && !isLoopback(hostOf(config))) {
    warnings.push('OAUTH_REDIRECT_BASE_URL begins with http: signing in with a provider can be read on the way.');
  }
  return warnings;
}

const hostOf = ({ OAUTH_REDIRECT_BASE_URL: url }: TransportConfig): string =>
  url === undefined ? '' : new URL(url).hostname.replace(/^\[(.*)\]$/, '$1');

const isLoopback = (host: string): boolean =>
  host === 'localhost' || host === '::1' || (isIP(host) === 4 && host.startsWith('127.'));
