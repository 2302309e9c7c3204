import { deny, next, type RequestStage } from '@portcullis/core/pipeline/stage';
import type { Exchange } from '../exchange/exchange.ts';

/**
 * Refuses what a browser sends in the name of a site that is not on the proxy's list: such a site may have made its own
 * name point here. The target cannot check it, since it is told another host. Programs send no origin.
 */
export const checkOrigin: RequestStage<Exchange> = {
  name: 'check-origin',
  run({ request, proxy }) {
    const { origin } = request.headers;
    if (origin === undefined || proxy.allowsOrigin(origin)) return next;
    return deny('origin_denied', { message: 'The setting allowed_origins of the proxy lists those that may' });
  },
};
