import type { Route, RouteInput, RouteOutput, RouteParts, UserRole } from '@portcullis/contracts/route';

/** Who signed in. */
export interface Caller {
  readonly id: number;
  readonly username: string;
  readonly role: UserRole;
}

/** A request that has passed the role check and the schemas of its route. */
export interface Call<Parts extends RouteParts> extends RouteInput<Parts> {
  /** Present whenever the route is not public. */
  readonly caller: Caller | undefined;
  /** The bearer token as sent, unchecked on public routes. */
  readonly bearer: string | undefined;
  readonly clientIp: string;
  readonly requestId: string;
}

/** What a success carries: data when the route declares a response, text when it is not the envelope, else a message. */
export type Answer<Parts extends RouteParts> = Parts['response'] extends object
  ? { readonly data: RouteOutput<Parts>; readonly message?: string }
  : { readonly message: string } | { readonly text: string; readonly headers?: Readonly<Record<string, string>> };

export type RouteHandler<Parts extends RouteParts> = (call: Call<Parts>) => Answer<Parts> | Promise<Answer<Parts>>;

/** A route with its handler, as `mountRoutes` takes it. */
export interface BoundRoute {
  readonly route: Route;
  readonly handler: RouteHandler<RouteParts>;
}

/** Ties a handler to its route; the types of input and answer come from the contract. */
export const bind = <Parts extends RouteParts>(route: Route<Parts>, handler: RouteHandler<Parts>): BoundRoute => ({
  route,
  handler,
});
