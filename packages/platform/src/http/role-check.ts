import type { Route, UserRole } from '@portcullis/contracts/route';
import type { Request, RequestHandler } from 'express';
import type { IncomingMessage } from 'node:http';
import type { Caller, KeyCaller, UserCaller } from './bound-route.ts';
import { GatewayError } from './gateway-error.ts';

/** Who stands behind what a request presents. Both reject with a `GatewayError` when it is not good. */
export interface Authentication {
  user(token: string): Promise<UserCaller>;
  apiKey(key: string): Promise<KeyCaller>;
}

const ranks: Readonly<Record<UserRole, number>> = { viewer: 1, operator: 2, admin: 3 };

/** Whether somebody of this role may call a route that asks for `needed`. An unknown role may nothing. */
export const mayCall = (role: UserRole, needed: UserRole): boolean =>
  (ranks[role] ?? 0) >= (ranks[needed] ?? Number.POSITIVE_INFINITY);

const callers = new WeakMap<IncomingMessage, Caller>();

/** Who passed the role check with this request. */
export const callerOf = (request: IncomingMessage): Caller | undefined => callers.get(request);

export const bearerOf = (request: Request): string | undefined =>
  /^Bearer +(\S+) *$/i.exec(request.get('authorization') ?? '')?.[1];

type Access = Pick<Route, 'role' | 'acceptsApiKey'>;

/** Lets nobody pass without the role, before anything of the request's body is read. */
export function createRoleCheck({ role, acceptsApiKey }: Access, authentication: Authentication): RequestHandler {
  return async (request, _response, next) => {
    if (role !== 'public') {
      // As on the proxy ports, the key comes first: of two credentials in one request only one counts.
      const key = acceptsApiKey === true ? request.get('x-api-key') : undefined;
      const caller = key ? authentication.apiKey(key) : admitUserOrThrow(request, role, authentication);
      callers.set(request, await caller);
    }
    next();
  };
}

async function admitUserOrThrow(request: Request, needed: UserRole, { user }: Authentication): Promise<UserCaller> {
  const token = bearerOf(request);
  if (token === undefined) throw new GatewayError('unauthorized', { headers: { 'www-authenticate': 'Bearer' } });
  const caller = await user(token);
  if (!mayCall(caller.role, needed)) throw new GatewayError('forbidden', { message: `This needs the role ${needed}` });
  return caller;
}
