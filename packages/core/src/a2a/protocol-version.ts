import { a2aVersions, type A2aVersion, type AgentCard, type AgentInterface } from './agent-card.ts';

/** An interface that the gateway can call. */
export interface Route {
  readonly url: string;
  readonly binding: 'JSONRPC' | 'HTTP+JSON';
  readonly version: A2aVersion;
  readonly tenant?: string | undefined;
}

/** Best first. 0.2 had no binding to HTTP+JSON that two implementations agree on. */
const ranks = ['JSONRPC 1.0', 'HTTP+JSON 1.0', 'JSONRPC 0.3', 'JSONRPC 0.2', 'HTTP+JSON 0.3'];

/** The interfaces of a card that the gateway can call, the one to call first. Among equals the agent's order counts. */
export function rankInterfaces({ supportedInterfaces }: Pick<AgentCard, 'supportedInterfaces'>): readonly Route[] {
  const usable = supportedInterfaces.flatMap((one) => {
    const route = routeOf(one);
    return route === undefined ? [] : [{ route, rank: ranks.indexOf(`${route.binding} ${route.version}`) }];
  });
  return usable
    .filter(({ rank }) => rank !== -1)
    .toSorted((a, b) => a.rank - b.rank)
    .map(({ route }) => route);
}

function routeOf({ url, protocolBinding: binding, protocolVersion, tenant }: AgentInterface): Route | undefined {
  const version = generationOf(protocolVersion);
  if (version === undefined || (binding !== 'JSONRPC' && binding !== 'HTTP+JSON')) return undefined;
  return { url, binding, version, ...(tenant !== undefined && { tenant }) };
}

/** All of 1.x are read as 1.0; of 0.x those that the gateway knows. */
function generationOf(version: string): A2aVersion | undefined {
  if (/^1\.\d{1,4}$/.test(version)) return '1.0';
  return a2aVersions.find((known) => known === version);
}

/** Headers by which an agent knows the generation of a request, and the extensions that go with it. */
export function versionHeaders(
  version: A2aVersion,
  extensions: readonly string[] = [],
): Readonly<Record<string, string>> {
  const list = extensions.join(', ');
  switch (version) {
    case '1.0':
      // Exactly so: the official kit refuses a version with a patch.
      return { 'a2a-version': '1.0', ...(list !== '' && { 'a2a-extensions': list }) };
    case '0.3':
      return { 'a2a-version': '0.3', ...(list !== '' && { 'x-a2a-extensions': list }) };
    case '0.2':
      return {};
  }
}

/** Whether the version that a caller names, if any, is one the gateway speaks. */
export function isSupportedVersion(header: string | undefined): boolean {
  const named = header?.trim() ?? '';
  const version = /^(\d{1,4}\.\d{1,4})(?:\.\d{1,9})?$/.exec(named)?.[1];
  return named === '' || (version !== undefined && (version === '0.3' || version === '1.0'));
}

/** Whether a caller reads cards of 1.0 only: one that names no version may know either generation. */
export const readsCurrentCards = (header: string | undefined): boolean =>
  /^\s*1\.0(?:\.\d{1,9})?\s*$/.test(header ?? '');
