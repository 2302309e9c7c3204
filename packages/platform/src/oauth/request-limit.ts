import { clientNetworkOf } from '@portcullis/core/network/client-network';
import type { Buckets } from '../coordination/coordination.ts';
import { GatewayError } from '../http/gateway-error.ts';

/** 60 requests a minute from one address, or one network of IPv6, at once or over time, over all replicas. */
const perAddress = { capacity: 60, refillPerSecond: 1 };

/** Counts the requests of each client's address. */
export interface RequestLimit {
  /** @throws {GatewayError} `too_many_requests` with Retry-After; `service_unavailable` without the store */
  countRequest(address: string): Promise<void>;
}

/** @param name what is counted together has one */
export const createRequestLimit = (buckets: Buckets, name: string): RequestLimit => ({
  async countRequest(address) {
    const take = async () => buckets.take(`${name}:address:${clientNetworkOf(address)}`, perAddress);
    const { allowed, retryAfterMs } = await take().catch((cause: unknown) => {
      throw new GatewayError('service_unavailable', { message: 'Signing in is not possible right now', cause });
    });
    if (allowed) return;
    const retryAfterS = Math.max(1, Math.ceil(retryAfterMs / 1_000));
    throw new GatewayError('too_many_requests', { headers: { 'retry-after': String(retryAfterS) } });
  },
});
