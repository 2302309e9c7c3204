import type { BoundRoute } from '@portcullis/platform/routes/bound-route';
import type { Mount } from '@portcullis/platform/service/service';
import type { ServicePart } from '@portcullis/platform/service/service-part';
import type { IncomingMessage, ServerResponse } from 'node:http';

/** A part of the hub, as `service.ts` lists it. */
export interface HubPart extends ServicePart {
  /** Handlers of routes of the contract. */
  readonly bound?: readonly BoundRoute[];
  /** Where its routes of the contract are, beside `/api/v1/agents`. */
  readonly prefixes?: readonly string[];
  /** Places on the public port beside the routes of the contract. */
  readonly mounts?: readonly Mount[];
  /** Serves requests to these places before the routes of the contract are looked at; false for one that is none of its. */
  serve?(request: IncomingMessage, response: ServerResponse): boolean;
}
