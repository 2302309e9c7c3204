import { trimSlashes } from '@portcullis/core/text/trim-matching';
import type { Config } from './config.ts';

/** What of the configuration says where the management port is reached. */
export type Bases = LocalPlace & Pick<Config, 'OAUTH_REDIRECT_BASE_URL' | 'PUBLIC_URL'>;

type LocalPlace = Pick<Config, 'ENVIRONMENT' | 'PORT' | 'TLS_CERT_FILE'>;

/** Where browsers and clients reach the management port, without a slash at its end; undefined while it does not know. */
export const publicBaseOf = (config: Bases): string | undefined => configuredBaseOf(config) ?? localBaseOf(config);

type Configured = Pick<Config, 'OAUTH_REDIRECT_BASE_URL' | 'PUBLIC_URL'>;

/** The same, only as an operator says it. */
const configuredBaseOf = ({
  OAUTH_REDIRECT_BASE_URL: forBrowsers,
  PUBLIC_URL: url,
}: Configured): string | undefined => {
  const base = forBrowsers ?? url;
  return base === undefined ? undefined : trimSlashes(base);
};

/** The path below which browsers reach the gateway, as an operator says it; empty at the root of its host. */
export const pathPrefixOf = (config: Configured): string => {
  const base = configuredBaseOf(config);
  return base === undefined ? '' : trimSlashes(new URL(base).pathname);
};

/**
 * Where a person opens a page of the console, for messages that leave the gateway; undefined until an operator says where that is.
 * @param path below `/console/`
 */
export const consoleAddressOf = (config: Configured, path: string): string | undefined => {
  const base = configuredBaseOf(config);
  return base === undefined ? undefined : `${base}/console/${path}`;
};

/** Whom nobody told otherwise is reached on the machine that it runs on; in production, and on a port yet to be found, it cannot know. */
export const localBaseOf = ({ ENVIRONMENT, PORT, TLS_CERT_FILE }: LocalPlace): string | undefined =>
  ENVIRONMENT === 'production' || PORT === 0
    ? undefined
    : `${TLS_CERT_FILE === undefined ? 'http' : 'https'}://localhost:${PORT}`;
