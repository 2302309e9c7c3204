import { Failure, OAuthFailure, Success } from '@portcullis/contracts/envelope';
import { errorCatalogue } from '@portcullis/contracts/errors';
import { refusalsOf } from '@portcullis/contracts/openapi';
import type { Route, RouteInput, RouteOutput, RouteParts } from '@portcullis/contracts/route';
import { compileJsonSchema } from '@portcullis/platform/validation/compile-schema';
import { mountedPath } from '@portcullis/platform/routes/mount-routes';

type Input<Parts extends RouteParts> = {
  readonly [Part in 'params' | 'query' | 'body']?: Partial<RouteInput<Parts>[Part]>;
};

export interface Refusal extends Failure {
  readonly status: number;
}

/**
 * Calls routes over HTTP as one caller. Every answer is held against the route's contract: a success
 * against its status and schema, a refusal against those it declares.
 */
export interface ApiClient {
  /** The data of a success. @throws when the route refuses */
  data<Parts extends RouteParts>(route: Route<Parts>, input?: Input<Parts>): Promise<RouteOutput<Parts>>;
  /** @throws when the route does not refuse */
  refusal<Parts extends RouteParts>(route: Route<Parts>, input?: Loose): Promise<Refusal>;
  status(route: Route, input?: Loose): Promise<number>;
  as(token: string | undefined): ApiClient;
  /** Sends an API key in `X-API-Key` beside all else it sends. */
  withKey(key: string): ApiClient;
}

/** Input that the types of the route would not allow. */
interface Loose {
  readonly params?: object | undefined;
  readonly query?: object | undefined;
  readonly body?: unknown;
}

export function createApiClient(origin: string, token: string | undefined, key?: string): ApiClient {
  const send = async (route: Route, { params = {}, query = {}, body }: Loose) => {
    const path = mountedPath(route).replaceAll(/:(\w+)/g, (_, name: string) =>
      encodeURIComponent(String(new Map(Object.entries(params)).get(name))),
    );
    const response = await fetch(`${origin}${path}?${new URLSearchParams(Object.entries(query)).toString()}`, {
      method: route.method,
      redirect: 'manual',
      headers: {
        ...(body !== undefined && { 'content-type': 'application/json' }),
        ...(token !== undefined && { authorization: `Bearer ${token}` }),
        ...(key !== undefined && { 'x-api-key': key }),
      },
      ...(body !== undefined && { body: typeof body === 'string' ? body : JSON.stringify(body) }),
    });
    const text = await response.text();
    checkAnswer(route, response.status, text);
    return { status: response.status, text };
  };

  return {
    async data(route, input = {}) {
      const { status, text } = await send(route, input);
      if (status >= 300) throw new Error(`${route.method} ${route.path} answered ${status}: ${text}`);
      return (JSON.parse(text) as { data: RouteOutput<typeof route.parts> }).data;
    },
    async refusal(route, input = {}) {
      const { status, text } = await send(route, input);
      if (status < 300) throw new Error(`${route.method} ${route.path} did not refuse: ${text}`);
      return { status, ...(JSON.parse(text) as Failure) };
    },
    status: async (route, input = {}) => (await send(route, input)).status,
    as: (other) => createApiClient(origin, other),
    withKey: (other) => createApiClient(origin, token, other),
  };
}

function checkAnswer(route: Route, status: number, text: string): void {
  const said = `${route.method} ${route.path} answered ${status} ${text}`;
  if (status >= 300) {
    const declared = refusalsOf(route).map((reason) => errorCatalogue[reason].status);
    if (!declared.includes(status)) throw new Error(`${said}, which its contract does not declare`);
    // A route for people tells them on a page.
    if (route.contentType === 'text/html' && text.startsWith('<!doctype html>')) return;
    checkSchema(route.oauth === true ? OAuthFailure : Failure, text, said);
    return;
  }
  if (status !== (route.status ?? 200)) throw new Error(`${said}, not the declared ${route.status ?? 200}`);
  if (route.parts.response !== undefined) checkSchema(Success(route.parts.response), text, said);
}

function checkSchema(schema: Parameters<typeof compileJsonSchema>[0], text: string, said: string): void {
  const problems = compileJsonSchema(schema, '')(JSON.parse(text));
  if (problems.length > 0) throw new Error(`${said}, which breaks its schema: ${JSON.stringify(problems)}`);
}
