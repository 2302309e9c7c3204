import type { Static, TSchema } from 'typebox';
import type { AuditEventType } from './audit-events.ts';
import type { ErrorReason } from './errors.ts';

export type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';

/** Who may call a route. Each role includes the ones before it; `public` needs no login. */
export type RouteRole = 'public' | 'user' | 'viewer' | 'operator' | 'admin';

/** A role that a signed-in user can hold. */
export type UserRole = Exclude<RouteRole, 'public'>;

export interface RouteParts {
  readonly params?: TSchema;
  readonly query?: TSchema;
  readonly body?: TSchema;
  /** Schema of `data` in the success envelope. Absent for routes that do not answer the envelope. */
  readonly response?: TSchema;
}

/** A route as a list of routes takes it. */
interface RouteDefinition<Parts extends RouteParts> {
  readonly method: Method;
  /** Express path without the `/api/v1` prefix unless `absolute`, for example `/proxies/:id`. */
  readonly path: string;
  /** The path is given from the server's root and gets no `/api/v1` prefix. */
  readonly absolute?: boolean;
  readonly role: RouteRole;
  /** Also answers an API key, in `X-API-Key` or `Authorization`, with what the key's user group may use. */
  readonly acceptsApiKey?: true;
  /** Open to users who must change their password before anything else. */
  readonly beforePasswordChange?: true;
  /** One sentence for the reference page. */
  readonly summary: string;
  /** A client that asks for HTML gets a page for people in place of the envelope. */
  readonly page?: true;
  /** A browser may be sent on, with 303, in place of the envelope. */
  readonly redirects?: true;
  /** Success status, 200 unless given. */
  readonly status?: number;
  /** Content type of a success that is not the JSON envelope, or those among which a streamed answer chooses. */
  readonly contentType?: string | readonly string[];
  readonly parts: Parts;
  /** The body is that of a form, texts by their names, in place of JSON. */
  readonly form?: true;
  /** Beside JSON the body may be a file, alone or in a form (`multipart/form-data`) whose texts are what JSON would say. */
  readonly file?: FileRoute;
  /** Refusals are told as OAuth has them, `{error, error_description}`, in place of the envelope. */
  readonly oauth?: true;
  /** A request without a body counts as one with an empty object. */
  readonly bodyOptional?: boolean;
  /** Every refusal the handler can give beyond those that role and schemas imply; none unless given. */
  readonly errors?: readonly ErrorReason[];
  /**
   * What the audit log holds after a success. Every route that is not a GET must say it, and one that
   * leaves nothing behind says why.
   */
  readonly audit?: RouteAudit;
}

export interface Route<Parts extends RouteParts = RouteParts> extends RouteDefinition<Parts> {
  /** Section of the reference page. */
  readonly tag: string;
  readonly errors: readonly ErrorReason[];
}

export interface FileRoute {
  /** Of the file when it is the whole body. */
  readonly contentType: string;
  /** The field of JSON that has the file in base64: a form has it as a file in its place. */
  readonly field: string;
  /** The field that a form's file name becomes, unless it is given. */
  readonly nameField: string;
}

export type RouteAudit = AuditEventType | readonly AuditEventType[] | { readonly none: string };

type Part<Parts extends RouteParts, Key extends keyof RouteParts> = Parts[Key] extends TSchema
  ? Static<Parts[Key]>
  : undefined;

/** What a handler of the route receives, validated and typed. */
export interface RouteInput<Parts extends RouteParts> {
  readonly params: Part<Parts, 'params'>;
  readonly query: Part<Parts, 'query'>;
  readonly body: Part<Parts, 'body'>;
}

/** What a handler of the route answers in `data`. */
export type RouteOutput<Parts extends RouteParts> = Part<Parts, 'response'>;

/**
 * Declares one route. The object feeds the request validator, the handler's type, the role check
 * and `openapi.json`, so none of them can differ from the others.
 */
export const defineRoute = <const Parts extends RouteParts>(route: Route<Parts>): Route<Parts> => route;

/** The routes of one section of the reference page, in the order in which they are defined. */
export interface RouteList {
  readonly routes: readonly Route[];
  readonly define: <const Parts extends RouteParts>(route: RouteDefinition<Parts>) => Route<Parts>;
}

/** A list of which no route that is defined can be left out. */
export function createRouteList(tag: string): RouteList {
  const routes: Route[] = [];
  return {
    routes,
    define: (definition) => {
      const route = { errors: [], ...definition, tag };
      routes.push(route);
      return route;
    },
  };
}
