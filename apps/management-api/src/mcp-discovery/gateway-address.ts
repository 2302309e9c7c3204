import type { Config } from '@portcullis/platform/config/config';
import { publicBaseOf, type Bases } from '@portcullis/platform/config/public-base';
import type { GatewayAddress } from './client-config.ts';

/** Under which origin clients reach this gateway: as the operator says, else as the client of a request has called it. */
const gatewayOriginOf = ({ PUBLIC_URL: url }: Pick<Config, 'PUBLIC_URL'>, called = 'http://localhost'): string =>
  url === undefined ? called : new URL(url).origin;

/** The same, and where OAuth says that it is. */
export const gatewayAddressOf = (config: Bases, called: string | undefined): GatewayAddress => ({
  origin: gatewayOriginOf(config, called),
  base: publicBaseOf(config),
});
