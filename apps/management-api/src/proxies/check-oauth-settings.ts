import { defaultProxySettings, type CompleteProxySettings } from '@portcullis/contracts/proxy-settings';
import { findPatternProblem } from '@portcullis/core/oauth/redirect-patterns';
import type { Queryable } from '@portcullis/platform/database/database';
import { GatewayError } from '@portcullis/platform/http/gateway-error';
import { publicBaseOf, type Bases } from '@portcullis/platform/config/public-base';

/** A proxy as a change has left it. */
interface ChangedProxy {
  readonly type: string;
  readonly settings: unknown;
}

/**
 * Whether the OAuth proxy of a proxy can work as it is configured: one that looks guarded by it and is not must not be.
 * @param database in the transaction of the change, which a refusal undoes
 * @throws {GatewayError} `bad_request`
 */
export async function checkOAuthSettingsOrThrow(
  database: Queryable,
  { type, settings: stored }: ChangedProxy,
  config: Bases,
): Promise<void> {
  const settings = { ...defaultProxySettings, ...Object(stored) } as CompleteProxySettings;
  const problems = [...findPatternProblems(settings)];
  const refuse = (name: keyof CompleteProxySettings, rule: string) =>
    problems.push({ path: `/body/settings/${name}`, rule });

  if (settings.oauth_proxy_enabled) {
    if (type !== 'mcp')
      refuse('oauth_proxy_enabled', 'must be false: only a proxy of the type mcp can have an OAuth proxy');
    if (isOwnServer(settings) && publicBaseOf(config) === undefined) {
      refuse(
        'oauth_proxy_enabled',
        'must be false until PUBLIC_URL or OAUTH_REDIRECT_BASE_URL says where browsers reach the gateway',
      );
    }
    if (settings.oauth_proxy_url === null && publicBaseOf(config) === undefined) {
      refuse(
        'oauth_proxy_url',
        'must say where clients reach the proxy: neither PUBLIC_URL nor OAUTH_REDIRECT_BASE_URL does',
      );
    }
    const needsIssuer = !isOwnServer(settings);
    await checkProvider(database, settings.oauth_proxy_provider_id, needsIssuer, (rule) =>
      refuse('oauth_proxy_provider_id', rule),
    );
  }
  if (problems.length > 0) throw new GatewayError('bad_request', { problems });
}

/** Whether clients need the management port, which has the endpoints of the gateway's own authorization servers. */
const isOwnServer = ({
  oauth_proxy_mode: mode,
  oauth_proxy_authorization_server: server,
}: CompleteProxySettings): boolean => mode === 'gateway' || server === 'gateway';

const findPatternProblems = ({ oauth_proxy_allowed_redirect_uris: patterns }: CompleteProxySettings) =>
  patterns.flatMap((pattern, index) => {
    const rule = findPatternProblem(pattern);
    return rule === undefined ? [] : [{ path: `/body/settings/oauth_proxy_allowed_redirect_uris/${index}`, rule }];
  });

async function checkProvider(
  { kysely }: Queryable,
  id: number | null,
  needsIssuer: boolean,
  refuse: (rule: string) => void,
): Promise<void> {
  if (id === null) return refuse('must say with which provider users sign in');
  const row = await kysely.selectFrom('oauth_providers').select('issuer').where('id', '=', id).executeTakeFirst();
  if (row === undefined) refuse(`must be the id of an OAuth provider: there is no provider ${id}`);
  if (row?.issuer === null && needsIssuer) refuse('must be one with an issuer, which clients are sent to');
}
