import type { Config } from '@portcullis/platform/config/config';
import { publicBaseOf, type Bases } from '@portcullis/platform/config/public-base';
import type { ReachedAt } from './client-config.ts';

/** Under which origin clients reach this gateway: as the operator says, else as the client of a request has called it. */
const reachedOrigin = ({ PUBLIC_URL: url }: Pick<Config, 'PUBLIC_URL'>, called = 'http://localhost'): string =>
  url === undefined ? called : new URL(url).origin;

/** The same, and where OAuth says that it is. */
export const reachedAt = (config: Bases, called: string | undefined): ReachedAt => ({
  origin: reachedOrigin(config, called),
  base: publicBaseOf(config),
});
