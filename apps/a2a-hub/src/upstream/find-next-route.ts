import { a2aVersions } from '@portcullis/core/a2a/agent-card';
import type { Route } from '@portcullis/core/a2a/protocol-version';
import type { AgentFailure } from './agent-failure.ts';

/**
 * The interface on which to try once more what an agent did not take; undefined where there is none. Cards are wrong
 * about the generation of an interface more often than about its address.
 */
export function findNextRoute(routes: readonly Route[], failed: Route, failure: AgentFailure): Route | undefined {
  if (!failure.untouched || failure.kind === 'refused') return undefined;
  if (failure.kind === 'unreachable') return routes.find(({ url }) => originOf(url) !== originOf(failed.url));
  const other = routes.find((route) => route !== failed && !isSame(route, failed));
  if (other !== undefined || failed.binding !== 'JSONRPC') return other;
  const version = a2aVersions.find((each) => each !== failed.version);
  return version && { ...failed, version, tenant: undefined };
}

const originOf = (url: string): string => URL.parse(url)?.origin ?? url;

const isSame = (a: Route, b: Route): boolean =>
  a.url === b.url && a.binding === b.binding && a.version === b.version && a.tenant === b.tenant;
