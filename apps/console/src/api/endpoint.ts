import type { Method, Route } from '@portcullis/contracts/route';

/** A route of the contract as a browser calls it: its types come from the contract, and a test holds method and path to it. */
export interface Endpoint<Called extends Route> {
  readonly method: Method;
  readonly path: string;
  /** Only for the types. */
  readonly contract?: Called;
}

export const endpoint = <Called extends Route>(method: Method, path: string): Endpoint<Called> => ({ method, path });
