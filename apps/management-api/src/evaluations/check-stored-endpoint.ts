import type { Problem } from '@portcullis/contracts/envelope';
import type { EvaluationEndpointFields } from '@portcullis/contracts/evaluation-endpoint';
import { secretMask } from '@portcullis/contracts/settings';
import { checkEndpoint } from '@portcullis/core/evaluation/request/check-endpoint';
import type { Queryable } from '@portcullis/platform/database/database';
import type { EndpointSecrets } from '@portcullis/platform/evaluation/stored-endpoint';
import { checkTargetUrl, type AddressRule } from '@portcullis/platform/network/address-guard';
import { connectionHeaders } from '@portcullis/platform/http/connection-headers';
import { GatewayError } from '@portcullis/platform/http/gateway-error';
import { isSameOrigin } from '@portcullis/platform/http/same-origin';

/** Where an endpoint is. */
interface Place {
  readonly url: string;
  readonly proxy_id: number | null;
}

const problemsAt = (texts: readonly string[]): Problem[] =>
  texts.map((text) => {
    const [, field = '', rule = text] = /^([a-z_]+): ([^]*)$/.exec(text) ?? [];
    return { path: `/body/${field}`, rule };
  });

/**
 * What the schema of an endpoint cannot tell: the rules that depend on other fields, and where it leads.
 * @throws {GatewayError} naming each field
 */
export function checkEndpointOrThrow(endpoint: EvaluationEndpointFields & Place, rule: AddressRule): void {
  const { url, proxy_id: proxyId } = endpoint;
  const problems = problemsAt(checkEndpoint(endpoint));
  if ((url === '') === (proxyId === null))
    problems.push({ path: '/body/url', rule: 'needed where proxy_id is not given, and to be left out where it is' });
  const address = url === '' ? undefined : checkTargetUrl(url, rule);
  if (address !== undefined) problems.push({ path: '/body/url', rule: address.rule });
  const names = [...Object.keys(endpoint.custom_headers), endpoint.api_key_header];
  const refused = names.filter((name) => connectionHeaders.has(name.toLowerCase()));
  if (refused.length > 0)
    problems.push({
      path: '/body/custom_headers',
      rule: `must not name headers of the connection, such as ${refused.join(', ')}`,
    });
  if (problems.length > 0) throw new GatewayError('bad_request', { problems });
}

/** @throws {GatewayError} unless it is an LLM proxy */
export async function checkProxyOrThrow({ kysely }: Queryable, proxyId: number | null | undefined): Promise<void> {
  if (proxyId === null || proxyId === undefined) return;
  const proxy = await kysely.selectFrom('proxies').select('type').where('id', '=', proxyId).executeTakeFirst();
  if (proxy?.type === 'llm') return;
  const rule = proxy === undefined ? `there is no proxy ${proxyId}` : 'must be an LLM proxy';
  throw new GatewayError('bad_request', { problems: [{ path: '/body/proxy_id', rule }] });
}

interface GivenSecrets {
  readonly api_key?: string;
  readonly custom_headers?: Readonly<Record<string, string>>;
}

/**
 * Puts stored secrets in the place of masks, where the endpoint is still the one they were given for.
 * @throws {GatewayError} naming those that have to be sent again
 */
export function mergeSecretsOrThrow(
  stored: EndpointSecrets & Place,
  given: GivenSecrets,
  place: Place,
): EndpointSecrets {
  const moved = !isSameOrigin(stored.url, place.url) || stored.proxy_id !== place.proxy_id;
  const key = given.api_key ?? (stored.api_key === '' ? '' : secretMask);
  const headers =
    given.custom_headers ??
    Object.fromEntries(Object.keys(stored.custom_headers).map((name) => [name, secretMask] as const));
  const masked = Object.keys(headers).filter((name) => headers[name] === secretMask);
  const missing = [
    ...(key === secretMask && (moved || stored.api_key === '') ? ['/body/api_key'] : []),
    ...masked
      .filter((name) => moved || !Object.hasOwn(stored.custom_headers, name))
      .map((name) => `/body/custom_headers/${name}`),
  ];
  if (missing.length > 0)
    throw new GatewayError('bad_request', {
      message: 'Credentials are missing: they were not given for this host. Nothing was changed',
      problems: missing.map((path) => ({ path, rule: 'must be sent again; an empty text removes it' })),
    });
  return {
    api_key: key === secretMask ? stored.api_key : key,
    custom_headers: Object.fromEntries(
      Object.entries(headers)
        .map(([name, value]) => [name, value === secretMask ? (stored.custom_headers[name] ?? '') : value] as const)
        .filter(([, value]) => value !== ''),
    ),
  };
}
