import type { RouteRole, UserRole } from '@portcullis/contracts/route';
import type { Request, RequestHandler } from 'express';
import type { IncomingMessage } from 'node:http';
import type { Caller } from './bound-route.ts';
import { GatewayError } from './gateway-error.ts';

/** Resolves a bearer token to its user. Rejects with a `GatewayError` when the token is not good. */
export type Authenticate = (token: string) => Promise<Caller>;

const ranks: Readonly<Record<UserRole, number>> = { viewer: 1, operator: 2, admin: 3 };

/** Whether somebody of this role may call a route that asks for `needed`. An unknown role may nothing. */
export const mayCall = (role: UserRole, needed: UserRole): boolean =>
  (ranks[role] ?? 0) >= (ranks[needed] ?? Number.POSITIVE_INFINITY);

const callers = new WeakMap<IncomingMessage, Caller>();

/** Who passed the role check with this request. */
export const callerOf = (request: IncomingMessage): Caller | undefined => callers.get(request);

export const bearerOf = (request: Request): string | undefined =>
  /^Bearer +(\S+) *$/i.exec(request.get('authorization') ?? '')?.[1];

/** Lets nobody pass without the role, before anything of the request's body is read. */
export function createRoleCheck(needed: RouteRole, authenticate: Authenticate): RequestHandler {
  return async (request, _response, next) => {
    if (needed !== 'public') callers.set(request, await admitOrThrow(request, needed, authenticate));
    next();
  };
}

async function admitOrThrow(request: Request, needed: UserRole, authenticate: Authenticate): Promise<Caller> {
  const token = bearerOf(request);
  if (token === undefined) throw new GatewayError('unauthorized', { headers: { 'www-authenticate': 'Bearer' } });
  const caller = await authenticate(token);
  if (!mayCall(caller.role, needed)) throw new GatewayError('forbidden', { message: `This needs the role ${needed}` });
  return caller;
}
