import type { Config } from '@portcullis/platform/config/config';

/** Under which origin clients reach this gateway: as the operator says, else as the client of a request has called it. */
export const reachedOrigin = ({ PUBLIC_URL: url }: Pick<Config, 'PUBLIC_URL'>, called = 'http://localhost'): string =>
  url === undefined ? called : new URL(url).origin;
