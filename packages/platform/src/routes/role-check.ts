import type { Route, UserRole } from '@portcullis/contracts/route';
import { mayCall } from '@portcullis/contracts/route-access';
import type { Request, RequestHandler, Response } from 'express';
import type { IncomingMessage } from 'node:http';
import { findPresentedKey, type PresentedKey } from '@portcullis/core/identity/presented-key';
import { withSpan } from '../tracing/with-span.ts';
import type { Caller, KeyCaller, UserCaller } from './bound-route.ts';
import { GatewayError } from '../http/gateway-error.ts';

/** Who stands behind what a request presents. Both reject with a `GatewayError` when it is not good. */
export interface Authentication {
  user(token: string): Promise<UserCaller>;
  apiKey(key: string): Promise<KeyCaller>;
  /** The user of a browser's session or of a link that it was given, and the header Set-Cookie when its cookie is replaced; undefined where no cookie counts. */
  browser(
    request: IncomingMessage & Pick<Request, 'originalUrl'>,
  ): Promise<{ readonly caller: UserCaller; readonly setCookie?: string | undefined } | undefined>;
}

const callers = new WeakMap<IncomingMessage, Caller>();

/** Who sent this request, once that is known: also of a caller who may not do what they ask. */
export const callerOf = (request: IncomingMessage): Caller | undefined => callers.get(request);

export const bearerOf = (request: Request): string | undefined =>
  /^Bearer +(\S+) *$/i.exec(request.get('authorization') ?? '')?.[1];

type Access = Pick<Route, 'role' | 'acceptsApiKey' | 'beforePasswordChange'>;

/** Lets no caller pass without the role, before anything of the request's body is read. */
export function createRoleCheck(access: Access, authentication: Authentication): RequestHandler {
  return async (request, response, next) => {
    const { role } = access;
    if (role !== 'public') {
      const key = access.acceptsApiKey === true ? findKey(request) : undefined;
      const identify = (): Promise<Caller> =>
        key === undefined
          ? admitUserOrThrow(request, response, { ...access, role }, authentication)
          : authentication.apiKey(key);
      callers.set(request, await withSpan('authenticate', {}, identify));
    }
    next();
  };
}

/** The parts of a signed token. A key that looks so is taken for one in `Authorization`, never in `X-API-Key`. */
const loginToken = /^[\w-]+\.[\w-]+\.[\w-]+$/;

/** As on the proxy ports, the key comes first: of two credentials in one request only one counts. */
function findKey(request: Request): string | undefined {
  const presented = findPresentedKey(request.headers);
  return presented === undefined || isLoginToken(presented) ? undefined : presented.token;
}

export const isLoginToken = ({ header, token }: PresentedKey): boolean =>
  header === 'authorization' && loginToken.test(token);

/** A token that a program sends counts, whatever cookie is beside it. */
async function identifyUserOrThrow(
  request: Request,
  response: Response,
  { user, browser }: Authentication,
): Promise<UserCaller> {
  const token = bearerOf(request);
  if (token !== undefined) return user(token);
  const login = await browser(request);
  if (login === undefined) throw new GatewayError('unauthorized', { headers: { 'www-authenticate': 'Bearer' } });
  if (login.setCookie !== undefined) response.append('set-cookie', login.setCookie);
  return login.caller;
}

async function admitUserOrThrow(
  request: Request,
  response: Response,
  { beforePasswordChange, role: needed }: Access & { readonly role: UserRole },
  authentication: Authentication,
): Promise<UserCaller> {
  const caller = await identifyUserOrThrow(request, response, authentication);
  callers.set(request, caller);
  if (!mayCall(caller.role, needed)) throw new GatewayError('forbidden', { message: `This needs the role ${needed}` });
  if (caller.mustChangePassword === true && beforePasswordChange !== true) {
    throw new GatewayError('password_change_required', { message: 'POST /api/v1/auth/change-password does it' });
  }
  return caller;
}
