import type { BoundRoute } from '@portcullis/platform/routes/bound-route';
import type { Mount } from '@portcullis/platform/service/service';
import type { ServicePart } from '@portcullis/platform/service/service-part';

/** A part of the hub, as `service.ts` lists it. */
export interface HubPart extends ServicePart {
  /** Handlers of routes of the contract. */
  readonly bound?: readonly BoundRoute[];
  /** Places on the public port beside the routes of the contract. */
  readonly mounts?: readonly Mount[];
}
