import type { ManagementClient } from '@portcullis/testkit/management-client';
import type { Proxies } from './set-up.ts';

/** What the activities of a run work on. */
export interface World {
  readonly admin: ManagementClient;
  /** Origin of the public edge. */
  readonly url: string;
  readonly proxies: Proxies;
  readonly groupId: number;
}

/** Requests on all proxies that were answered until now. */
export const countRequests = ({ proxies }: World): number =>
  Object.values(proxies).reduce((sum, { certain, uncertain }) => sum + certain + uncertain, 0);
