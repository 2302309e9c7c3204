import type { Route, UserRole } from './route.ts';

const ranks: Readonly<Record<UserRole, number>> = { user: 1, viewer: 2, operator: 3, admin: 4 };

/** Whether a caller with this role may call a route that asks for `needed`. An unknown role may nothing. */
export const mayCall = (role: UserRole, needed: UserRole): boolean =>
  (ranks[role] ?? 0) >= (ranks[needed] ?? Number.POSITIVE_INFINITY);

/** Callers of a route: without credentials, with an API key alone, or signed in. */
export const callers = ['anonymous', 'api_key', 'user', 'viewer', 'operator', 'admin'] as const;
export type CallerKind = (typeof callers)[number];

/** What a route does with a caller before it looks at the request: lets it pass, answers 401, or answers 403. */
export type RouteAccess = 'passes' | 'unauthorized' | 'forbidden';

export function accessOf(route: Route, caller: CallerKind): RouteAccess {
  const signedIn = caller !== 'anonymous' && caller !== 'api_key';
  // A route that needs no role may still be about a token, as the refresh is.
  if (route.role === 'public') return signedIn || !route.errors.includes('unauthorized') ? 'passes' : 'unauthorized';
  if (caller === 'api_key') return route.acceptsApiKey === true ? 'passes' : 'unauthorized';
  if (caller === 'anonymous') return 'unauthorized';
  return mayCall(caller, route.role) ? 'passes' : 'forbidden';
}
