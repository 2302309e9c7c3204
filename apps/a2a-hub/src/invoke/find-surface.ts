import { findAgentPath, httpSurface, rpcSurface } from '../surfaces/agent-surfaces.ts';
import { isRestCall, restSurface } from '../surfaces/rest-surface.ts';
import type { Surface } from '../surfaces/surface.ts';

const cardPath = /^\/\.well-known(?:\/|$)/i;

/** The surface that a request is for; undefined for one that is no call of an agent. */
export function findSurface(method: string, path: string): Surface | undefined {
  if (isRestCall(method, path)) return restSurface;
  const found = findAgentPath(path);
  if (found === undefined || cardPath.test(found.rest)) return undefined;
  if (found.rest !== '/') return httpSurface;
  return method === 'POST' ? rpcSurface : undefined;
}
