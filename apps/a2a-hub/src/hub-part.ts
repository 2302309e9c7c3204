import type { BoundRoute } from '@portcullis/platform/http/bound-route';
import type { Mount } from '@portcullis/platform/lifecycle/service';
import type { IncomingMessage, ServerResponse } from 'node:http';

/** A part of the hub, as `service.ts` lists it. */
export interface HubPart extends Partial<AsyncDisposable> {
  /** Handlers of routes of the contract. */
  readonly bound?: readonly BoundRoute[];
  /** Where its routes of the contract are, beside `/api/v1/agents`. */
  readonly prefixes?: readonly string[];
  /** Places on the public port beside the routes of the contract. */
  readonly mounts?: readonly Mount[];
  /** Serves requests to these places before the routes of the contract are looked at; false for one that is none of its. */
  serve?(request: IncomingMessage, response: ServerResponse): boolean;
  start?(): Promise<void>;
  /** One line for each thing that is wrong, for the health of the service. */
  problems?(): readonly string[];
}
