import { GatewayError } from '@portcullis/platform/http/gateway-error';
import { readOAuthSettings, type OAuthProxySettings } from '@portcullis/platform/oauth-proxy/oauth-settings';
import type { OAuthProxyParts } from './oauth-proxy-parts.ts';

/** The authorization server of a proxy. */
export interface ProxyServer {
  readonly id: number;
  readonly name: string;
  readonly settings: OAuthProxySettings;
}

/** @throws {GatewayError} `not_found` where the proxy has none */
export async function findServerOrThrow(
  { database, base }: Pick<OAuthProxyParts, 'database' | 'base'>,
  id: number,
): Promise<ProxyServer> {
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
