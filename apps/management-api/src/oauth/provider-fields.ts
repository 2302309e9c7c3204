import type { Problem } from '@portcullis/contracts/envelope';
import { oauthProviderTemplates, type OAuthProviderType } from '@portcullis/contracts/oauth-provider-types';
import type { OAuthProviderChange, OAuthProviderCreation } from '@portcullis/contracts/routes/oauth-providers';
import { checkTargetUrl, type AddressRule } from '@portcullis/platform/network/address-guard';
import { isOfManyTenants } from '@portcullis/platform/oauth/oauth-provider';

/** What of a provider is stored as it is, its secret aside. */
export interface ProviderFields {
  readonly name: string;
  readonly provider_type: OAuthProviderType;
  readonly client_id: string;
  readonly issuer: string | null;
  readonly auth_url: string | null;
  readonly token_url: string | null;
  readonly userinfo_url: string | null;
  readonly jwks_url: string | null;
  readonly redirect_uri: string | null;
  readonly scopes: readonly string[];
  readonly tenants: readonly string[];
  readonly trusts_email: boolean;
  readonly links_management_users: boolean;
  readonly sign_in: boolean;
  readonly enabled: boolean;
}

const plainFields = ['auth_url', 'token_url', 'userinfo_url'] as const;
/** All that are asked. */
export const addressFields = ['issuer', ...plainFields, 'jwks_url'] as const;

const defaults = {
  redirect_uri: null,
  tenants: [],
  trusts_email: false,
  links_management_users: false,
  sign_in: true,
  enabled: true,
} as const;

/** The fields of a new provider, with those of its template where they are not given. */
export function completeProvider({
  client_secret: _secret,
  use_template: usesTemplate = true,
  provider_type: wanted,
  ...given
}: OAuthProviderCreation): ProviderFields {
  const type = wanted === 'generic' ? 'custom' : wanted;
  const { issuer, scopes }: { issuer?: string; scopes: readonly string[] } = oauthProviderTemplates[type];
  const isPlain = plainFields.some((field) => given[field] !== undefined);
  return {
    ...defaults,
    scopes,
    ...given,
    provider_type: type,
    issuer: given.issuer ?? (usesTemplate && !isPlain ? (issuer ?? null) : null),
    auth_url: given.auth_url ?? null,
    token_url: given.token_url ?? null,
    userinfo_url: given.userinfo_url ?? null,
    jwks_url: given.jwks_url ?? null,
  };
}

const noAddresses = { auth_url: null, token_url: null, userinfo_url: null, jwks_url: null } as const;

/** The fields of a provider after a change. An issuer takes the place of the three addresses, and they take its place. */
export function changeProvider(
  before: ProviderFields,
  { client_secret: _secret, ...change }: OAuthProviderChange,
): ProviderFields {
  const isPlain = plainFields.some((field) => change[field] !== undefined);
  return {
    ...before,
    ...(change.issuer !== undefined && !isPlain && { ...noAddresses }),
    ...(isPlain && { issuer: null }),
    ...change,
  };
}

interface ProviderRule extends AddressRule {
  /** Whether providers without TLS may be asked. */
  readonly allowPlainHttp: boolean;
  /** Where browsers reach the gateway; undefined while that is not known. */
  readonly base: string | undefined;
}

/** What is wrong with the fields, beyond their schemas. */
export const providerProblems = (fields: ProviderFields, rule: ProviderRule): Problem[] => [
  ...problemsOfAddresses(fields),
  ...addressFields.flatMap((field) => problemsOfUrl(field, fields[field], rule)),
  ...problemsOfRedirect(fields, rule),
  ...problemsOfTenants(fields),
];

function problemsOfAddresses(fields: ProviderFields): Problem[] {
  const missing = plainFields.filter((field) => fields[field] === null);
  if (fields.issuer !== null) {
    return missing.length === plainFields.length && fields.jwks_url === null
      ? []
      : [
          {
            path: '/body/issuer',
            rule: 'must not be given together with auth_url, token_url, userinfo_url or jwks_url',
          },
        ];
  }
  if (missing.length === plainFields.length) {
    const { issuerExample } = oauthProviderTemplates[fields.provider_type];
    return [{ path: '/body/issuer', rule: `must be given, for example ${issuerExample}` }];
  }
  return missing.map((field) => ({ path: `/body/${field}`, rule: 'must be given where there is no issuer' }));
}

function problemsOfUrl(field: string, url: string | null, rule: ProviderRule): Problem[] {
  if (url === null) return [];
  const path = `/body/${field}`;
  const problem = checkTargetUrl(url, rule);
  if (problem !== undefined) return [{ path, ...problem }];
  const { protocol, hash, search } = new URL(url);
  if (protocol !== 'https:' && !rule.allowPlainHttp) return [{ path, rule: 'must start with https://' }];
  if (hash !== '' || (field === 'issuer' && search !== ''))
    return [{ path, rule: 'must not have a query or fragment' }];
  return [];
}

/** Browsers come back to the gateway, and nowhere else. */
function problemsOfRedirect({ redirect_uri: uri, name }: ProviderFields, rule: ProviderRule): Problem[] {
  if (uri === null) return [];
  const problem = (text: string): Problem[] => [{ path: '/body/redirect_uri', rule: text }];
  if (!URL.canParse(uri)) return problem('must be an absolute URL');
  const { protocol, origin, pathname, search, hash, username } = new URL(uri);
  if (protocol !== 'https:' && !(protocol === 'http:' && rule.allowPlainHttp))
    return problem('must start with https://');
  if (rule.base !== undefined && origin !== new URL(rule.base).origin) {
    return problem(`must be an address of this gateway, ${new URL(rule.base).origin}`);
  }
  const paths = [`/api/v1/auth/oauth/callback/${encodeURIComponent(name)}`, '/api/v1/oauth/callback'];
  const isOurs = paths.some((path) => pathname.endsWith(path)) && `${search}${hash}${username}` === '';
  return isOurs ? [] : problem(`must end with ${paths.join(' or ')}`);
}

function problemsOfTenants({ provider_type: type, issuer, tenants, trusts_email: trusts }: ProviderFields): Problem[] {
  const many = type === 'azure_ad' && issuer !== null && URL.canParse(issuer) && isOfManyTenants(new URL(issuer));
  if (!many) return [];
  return [
    ...(tenants.length === 0
      ? [
          {
            path: '/body/tenants',
            rule: 'must name the tenants whose users may come, since the issuer is that of many',
          },
        ]
      : []),
    ...(trusts ? [{ path: '/body/trusts_email', rule: 'must be false where the issuer is that of many tenants' }] : []),
  ];
}
