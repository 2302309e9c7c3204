import type { Pending } from '@portcullis/contracts/envelope';
import type { Method, Route, RouteParts } from '@portcullis/contracts/route';
import express, { type Express, type Request, type RequestHandler, type Response } from 'express';
import type { Logger } from '../log/logger.ts';
import type { BodyMemory } from '../http/body-memory.ts';
import { withSpan } from '../tracing/with-span.ts';
import type { Answer, BoundRoute, RedirectAnswer } from './bound-route.ts';
import { browserRequestOf } from './browser-request.ts';
import { createBodyReader, createBytesReader } from './body-reader.ts';
import { createClientAddress, type ClientAddress } from '../http/client-address.ts';
import { sendText } from './compress-answer.ts';
import { createCors, type OriginRule } from './cors.ts';
import { createErrorHandler, renderAsOAuth, type Refusal } from './error-handler.ts';
import { createFileBody, fileOf } from './file-body.ts';
import { createFormBody } from './form-body.ts';
import { GatewayError } from '../http/gateway-error.ts';
import { createJsonBody } from './json-body.ts';
import { observeRequests, type Observation } from './observe-requests.ts';
import { createInputParser } from '../validation/parse-input.ts';
import { calledOriginOf } from '../http/called-origin.ts';
import { assignRequestId, requestIdOf } from '../http/request-id.ts';
import { redirectFrontPage } from './redirect-front-page.ts';
import { bearerOf, callerOf, createRoleCheck, type Authentication } from './role-check.ts';
import { sendPage } from '../http/send-page.ts';
import { sendStream } from './send-stream.ts';
import { traceRequests } from './trace-requests.ts';

export interface MountOptions {
  /** Every route that must be there. */
  readonly contract: readonly Route[];
  readonly bound: readonly BoundRoute[];
  /** Routes of services of which this process may not know yet: who may call them is told that they are away. */
  readonly elsewhere?: readonly Route[];
  /** Prefixes of paths under which routes are known besides: each with the one that it stands for. */
  readonly aliases?: Readonly<Record<string, string>>;
  readonly authentication: Authentication;
  readonly allowsOrigin: OriginRule;
  readonly maxBodyBytes: number;
  /** The memory for bodies. */
  readonly bodyMemory: BodyMemory;
  /** The peer's unless given. */
  readonly clientAddress?: ClientAddress;
  readonly log: Logger;
  readonly observe: (observation: Observation) => void;
  /** Told of every request that fails, before the answer leaves. Must not throw. */
  readonly onRefused?: (refusal: Refusal) => void;
  /** Resolves when a revision of the configuration is in force, or with what it waits for. */
  readonly settle?: (revision: number) => Promise<Pending | undefined>;
  /** Where people who open `/` are sent; nowhere unless given. */
  readonly frontPage?: string;
}

/** Where a route is reached, in Express' notation. */
export const mountedPath = (route: Route): string => (route.absolute === true ? route.path : `/api/v1${route.path}`);

/**
 * Builds the application of an edge from its contract: nothing is reachable that the contract does
 * not declare, no caller passes without the declared role, no handler sees what the schemas refuse.
 * @throws when a route of the contract has no handler, or a handler is not in the contract
 */
export function mountRoutes(options: MountOptions): Express {
  checkComplete(options.contract, options.bound);
  const app = express().disable('x-powered-by').disable('etag').set('query parser', 'simple');

  app.use(observeRequests(options.observe), assignRequestId, traceRequests);
  app.use(createCors(options.allowsOrigin), resolveAliases(options.aliases ?? {}));
  const { clientAddress = createClientAddress([]), settle = async () => undefined } = options;
  const bodies = { maxBytes: options.maxBodyBytes, memory: options.bodyMemory, clientAddress };
  const readText = createBodyReader(bodies);
  const readBytes = createBytesReader(bodies);
  const readBody = createJsonBody(readText);
  const readForm = createFormBody(readText);
  const bodyReader = ({ parts, form, file }: Route): RequestHandler[] => {
    if (parts.body === undefined) return [];
    if (file !== undefined) return [createFileBody(file, readBytes, readBody)];
    return [form === true ? readForm : readBody];
  };
  for (const { route, handler } of options.bound.toSorted((a, b) => literalsFirst(a.route, b.route))) {
    app[expressMethods[route.method]](
      mountedPath(route),
      ...(route.oauth === true ? [renderAsOAuth] : []),
      createRoleCheck(route, options.authentication),
      ...bodyReader(route),
      createRunner(route, handler, { clientAddress, settle }),
    );
  }
  const { elsewhere = [] } = options;
  for (const route of elsewhere.toSorted(literalsFirst))
    app[expressMethods[route.method]](mountedPath(route), createRoleCheck(route, options.authentication), refuseAway);
  for (const [path, methods] of methodsByPath([...options.contract, ...elsewhere]))
    app.all(path, refuseMethod(methods));
  if (options.frontPage !== undefined) app.use(redirectFrontPage(options.frontPage));
  app.use(refusePath);
  app.use(createErrorHandler(options.log, clientAddress, options.onRefused));
  return app;
}

function checkComplete(contract: readonly Route[], bound: readonly BoundRoute[]): void {
  const routes = new Set(bound.map(({ route }) => route));
  if (routes.size !== bound.length) throw new Error('A route is bound twice');
  for (const route of contract) {
    if (!routes.delete(route)) throw new Error(`${route.method} ${route.path} has no handler`);
  }
  for (const route of routes) throw new Error(`${route.method} ${route.path} is not part of the contract`);
}

const expressMethods = { GET: 'get', POST: 'post', PUT: 'put', PATCH: 'patch', DELETE: 'delete' } as const;

/** `/proxies/status` before `/proxies/:id`, for any order of the list. */
const literalsFirst = (a: Route, b: Route): number =>
  a.path.replaceAll(':', '\uffff') < b.path.replaceAll(':', '\uffff') ? -1 : 1;

type RunnerParts = Required<Pick<MountOptions, 'clientAddress' | 'settle'>>;

function createRunner(
  route: Route,
  handler: BoundRoute['handler'],
  { clientAddress, settle }: RunnerParts,
): RequestHandler {
  const parseInput = createInputParser(route);
  const spanName = `handle ${route.method} ${mountedPath(route)}`;
  return async (request, response) => {
    let changed = 0;
    const call = {
      ...parseInput(request),
      caller: callerOf(request),
      bearer: bearerOf(request),
      clientIp: clientAddress(request),
      userAgent: request.get('user-agent'),
      ifMatch: request.get('if-match'),
      cookie: request.get('cookie'),
      browser: browserRequestOf(request),
      requestId: requestIdOf(request),
      file: fileOf(request),
      header: (name: string) => request.get(name),
      calledOrigin: calledOriginOf(request),
      changed: (revision: number) => void (changed = revision),
    };
    const answer = await withSpan(spanName, {}, async () => handler(call));
    if ('stream' in answer) await sendStream(response, answer);
    else if ('page' in answer) sendPage(setHeaders(response, answer.headers), answer);
    else if ('redirect' in answer) setHeaders(response, answer.headers).redirect(303, String(answer.redirect));
    else await send(request, response, route, { answer, pending: changed === 0 ? undefined : await settle(changed) });
  };
}

/** Cookies are added to that of a session whose cookie was replaced. */
function setHeaders(response: Response, headers: Answer<RouteParts>['headers'] = {}): Response {
  for (const [name, value] of Object.entries(headers)) {
    if (name === 'set-cookie') response.append(name, [value].flat());
    else response.set(name, [value].flat().join(', '));
  }
  return response;
}

async function send(
  request: Request,
  response: Response,
  { contentType, status = 200 }: Route,
  { answer, pending }: { answer: Exclude<Answer<RouteParts>, RedirectAnswer>; pending: Pending | undefined },
): Promise<void> {
  const { headers, ...told } = answer;
  setHeaders(response.status(status), headers);
  const isEnvelope = typeof contentType !== 'string';
  response.set('content-type', isEnvelope ? 'application/json; charset=utf-8' : contentType);
  const text = 'text' in told ? told.text : '';
  await sendText(
    request,
    response,
    isEnvelope ? JSON.stringify({ success: true, ...told, ...(pending && { pending }) }) : text,
  );
}

/** The methods of each path; `/a/:x` and `/a/:y` are one path. */
function methodsByPath(contract: readonly Route[]): Map<string, Method[]> {
  const methods = new Map<string, Method[]>();
  for (const route of contract) {
    let position = 0;
    const path = mountedPath(route).replaceAll(/:\w+/g, () => `:p${(position += 1)}`);
    methods.set(path, [...(methods.get(path) ?? []), route.method]);
  }
  return methods;
}

function refuseMethod(methods: readonly Method[]): RequestHandler {
  const allow = [...methods, 'OPTIONS'].join(', ');
  return (request, response) => {
    if (request.method !== 'OPTIONS') throw new GatewayError('method_not_allowed', { headers: { allow } });
    response.set({ allow }).status(204).end();
  };
}

function resolveAliases(aliases: Readonly<Record<string, string>>): RequestHandler {
  return (request, _response, next) => {
    for (const [alias, prefix] of Object.entries(aliases)) {
      const rest = request.url.slice(alias.length);
      if (request.url.slice(0, alias.length).toLowerCase() === alias && /^(?:[/?]|$)/.test(rest)) {
        request.url = prefix + rest;
        break;
      }
    }
    next();
  };
}

const refuseAway: RequestHandler = () => {
  throw new GatewayError('service_unavailable', { headers: { 'retry-after': '2' } });
};

const refusePath: RequestHandler = () => {
  throw new GatewayError('not_found', { message: 'There is no such path' });
};
