import { hostname } from 'node:os';
import type { EvaluationEndpointFields } from '@portcullis/contracts/evaluation-endpoint';
import { sql } from 'kysely';
import type { Config } from '../config/config.ts';
import type { Queryable } from '../database/database.ts';
import type { Encryption } from '../security/encryption.ts';
import type { EndpointConnections } from './endpoint-connection.ts';
import { openEndpoint, type EndpointRow } from './stored-endpoint.ts';

export interface EndpointTargetParts {
  readonly database: Queryable;
  readonly encryption: Encryption;
  readonly config: Pick<Config, 'HOST' | 'TLS_CERT_FILE'>;
  readonly connections: EndpointConnections;
}

/** An endpoint with the connection that leads to it, or why there is none. */
export type EndpointTarget =
  | { readonly endpoint: EvaluationEndpointFields; readonly fetch: typeof fetch; readonly problem?: undefined }
  | UnreachableTarget;

interface UnreachableTarget {
  readonly problem: string;
  /** It may be otherwise in a moment. */
  readonly passes?: true;
}

/** Opens a stored endpoint. One that names a proxy of the gateway gets the address of its port. */
export async function openEndpointTarget(parts: EndpointTargetParts, row: EndpointRow): Promise<EndpointTarget> {
  const endpoint = openEndpoint(row, parts.encryption);
  if (row.proxy_id === null) return { endpoint, fetch: parts.connections.guarded };
  const found = await findProxyUrl(parts, row.proxy_id);
  return 'problem' in found ? found : { endpoint: { ...endpoint, url: found.url }, fetch: parts.connections.own };
}

async function findProxyUrl(
  { database, config }: EndpointTargetParts,
  proxyId: number,
): Promise<{ readonly url: string } | UnreachableTarget> {
  if (config.TLS_CERT_FILE !== undefined)
    return { problem: 'The proxy ports speak TLS: give the endpoint the https address of the proxy as its url' };
  const proxy = await database.kysely
    .selectFrom('proxies')
    .select(['name', 'port', 'type'])
    .where('id', '=', proxyId)
    .executeTakeFirst();
  if (proxy === undefined) return { problem: `There is no proxy ${proxyId}` };
  if (proxy.type !== 'llm') return { problem: `The proxy ${proxy.name} is no LLM proxy` };
  const host = await findRuntimeHost(database, config.HOST);
  return host === undefined
    ? { problem: 'No process of the gateway serves the proxies right now', passes: true }
    : { url: `http://${host}:${proxy.port}` };
}

const everywhere: ReadonlySet<string> = new Set(['0.0.0.0', '::', '']);

/** Of this machine where proxies run on it, else the name of a machine that has them. */
async function findRuntimeHost({ kysely }: Queryable, own: string): Promise<string | undefined> {
  const [row] = await kysely
    .selectFrom('service_instances')
    .select('host')
    .where('service', '=', 'proxy-runtime')
    .where('heartbeat_at', '>', sql<Date>`now() - interval '10 seconds'`)
    .orderBy(({ eb }) => eb('host', '=', hostname()), 'desc')
    .orderBy('heartbeat_at', 'desc')
    .limit(1)
    .execute();
  if (row === undefined) return undefined;
  if (row.host !== hostname()) return row.host;
  const host = everywhere.has(own) ? '127.0.0.1' : own;
  return host.includes(':') ? `[${host}]` : host;
}
