import type { Route, RouteInput, RouteOutput, RouteParts, UserRole } from '@portcullis/contracts/route';
import type { BrowserRequest } from './browser-request.ts';
import type { PageAnswer } from '../http/send-page.ts';

/** A person who signed in. */
export interface UserCaller {
  readonly kind: 'user';
  readonly id: number;
  readonly username: string;
  readonly role: UserRole;
  /** Until they have, nothing else is open to them. */
  readonly mustChangePassword?: boolean;
  /** With which they came. */
  readonly session?: { readonly id: string; readonly kind: 'token' | 'cookie' };
}

/** A program that sent an API key. It sees what its user group may use, and changes nothing. */
export interface KeyCaller {
  readonly kind: 'api_key';
  readonly id: number;
  /** Name of the key, may be empty. */
  readonly name: string;
  readonly groupId: number;
  /** The agents that it is restricted to; absent: all that its group may call. */
  readonly allowedAgents?: readonly string[];
}

export type Caller = UserCaller | KeyCaller;

/** A request that has passed the role check and the schemas of its route. */
export interface Call<Parts extends RouteParts> extends RouteInput<Parts> {
  /** Present whenever the route is not public; an API key only where the route accepts one. */
  readonly caller: Caller | undefined;
  /** The bearer token as sent, unchecked on public routes. */
  readonly bearer: string | undefined;
  readonly clientIp: string;
  readonly userAgent: string | undefined;
  /** What the client had read, as the header If-Match says it. */
  readonly ifMatch?: string | undefined;
  /** The header Cookie as sent, which counts for nothing by itself: a session is looked up by `Authentication.browser`. */
  readonly cookie?: string | undefined;
  /** What tells the session of a browser, unchecked. */
  readonly browser: BrowserRequest;
  readonly requestId: string;
  /** The file that came as one, where the route takes files; what was said of it is in `body`. */
  readonly file?: Uint8Array | undefined;
  /** A header of the request, for the few answers that depend on one. */
  readonly header?: (name: string) => string | undefined;
  /** Scheme, host and port that the client called, as it says: nothing to rely on. */
  readonly calledOrigin?: string;
  /** Takes down which revision of the configuration carries what this call has changed. */
  readonly changed?: (revision: number) => void;
}

/**
 * An answer of any length, sent as it is made: the next piece is asked for when the client has taken
 * the last ones. When the client goes, the iteration is ended with `return`.
 */
export interface StreamedAnswer {
  readonly stream: AsyncIterable<string | Uint8Array>;
  /** One of the route's content types. */
  readonly contentType: string;
  /** Name under which a browser saves it. */
  readonly fileName: string;
}

/** Sends a browser on, where the route may. */
export interface RedirectAnswer {
  /** The whole address. */
  readonly redirect: string;
}

/** What a success carries: data when the route declares a response, text when it is not the envelope, else a message. */
export type Answer<Parts extends RouteParts> = {
  /** Sent as headers of the response, for example the total of a list whose `data` is an array. */
  readonly headers?: Readonly<Record<string, string | readonly string[]>>;
} & (Parts['response'] extends object
  ? { readonly data: RouteOutput<Parts>; readonly message?: string } | PageAnswer | RedirectAnswer
  : { readonly message: string } | { readonly text: string } | StreamedAnswer | PageAnswer);

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
