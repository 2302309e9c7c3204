import type { Queryable } from '@portcullis/platform/database/database';
import { GatewayError } from '@portcullis/platform/http/gateway-error';
import { readOAuthSettings, type OAuthProxySettings } from '@portcullis/platform/oauth-proxy/oauth-settings';

/** The authorization server of a proxy. */
export interface ProxyServer {
  readonly id: number;
  readonly name: string;
  readonly settings: OAuthProxySettings;
}

/** Where authorization servers are looked for. */
interface ServerPlace {
  readonly database: Queryable;
  /** Of the management port; see `publicBaseOf`. */
  readonly base: string | undefined;
}

/** @throws {GatewayError} `not_found` where the proxy has none */
export async function findServerOrThrow({ database, base }: ServerPlace, id: number): Promise<ProxyServer> {
  const row = await database.kysely
    .selectFrom('proxies')
    .select(['id', 'name', 'type', 'port', 'settings', 'enabled'])
    .where('id', '=', id)
    .executeTakeFirst();
  const settings = row?.enabled === true ? readOAuthSettings(row, base) : undefined;
  const isElsewhere = settings?.mode === 'upstream' && settings.authorizationServer === 'provider';
  if (row === undefined || settings === undefined || isElsewhere) {
    throw new GatewayError('not_found', { message: `There is no OAuth proxy ${id}` });
  }
  return { id: row.id, name: row.name, settings };
}

export const proxyResource = ({ id, name }: ProxyServer) => ({ type: 'proxy', id, name });
