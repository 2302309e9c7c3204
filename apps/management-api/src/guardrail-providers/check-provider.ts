import type { Problem } from '@portcullis/contracts/envelope';
import { guardrailTypeEntries, type GuardrailType } from '@portcullis/contracts/guardrail-config';
import { compileJsonSchema, type SchemaCheck } from '@portcullis/platform/validation/compile-schema';
import { checkTargetUrl, type AddressRule } from '@portcullis/platform/network/address-guard';
import { GatewayError } from '@portcullis/platform/http/gateway-error';
import { checkHostOrThrow } from '@portcullis/platform/network/check-host';
import { connectionHeaders } from '@portcullis/platform/http/connection-headers';
import type { Credentials } from './provider-secrets.ts';

const checks = new Map(
  Object.entries(guardrailTypeEntries).map(([type, { config, credentials }]): [string, Checks] => [
    type,
    {
      config: compileJsonSchema(config, '/body/config'),
      credentials: compileJsonSchema(credentials, '/body/credentials'),
    },
  ]),
);

interface Checks {
  readonly config: SchemaCheck;
  readonly credentials: SchemaCheck;
}

/** What a route's schema cannot tell, since it depends on the type of the provider. */
export function checkProviderOrThrow(
  type: GuardrailType,
  config: Readonly<Record<string, unknown>>,
  credentials: Credentials,
  rule: AddressRule,
): void {
  const check = checks.get(type);
  if (check === undefined) throw new Error(`There is no type ${type}`);
  const problems = [
    ...check.config(config),
    ...check.credentials(credentials),
    ...checkUrls(config, rule),
    ...checkHeaders(config),
  ];
  if (problems.length > 0) throw new GatewayError('bad_request', { problems });
}

/** Where the hosts of a provider lead. Asks name servers, so not while the configuration is locked. */
export async function checkProviderHostsOrThrow(
  config: Readonly<Record<string, unknown>>,
  rule: AddressRule,
): Promise<void> {
  for (const { field, url } of urlsOf(config)) {
    if (checkTargetUrl(url, rule) === undefined) await checkHostOrThrow(url, rule, `/body/config/${field}`);
  }
}

const urlsOf = (config: Readonly<Record<string, unknown>>) =>
  ['base_url', 'url'].flatMap((field) => {
    const url = config[field];
    return typeof url !== 'string' || url === '' ? [] : [{ field, url }];
  });

const checkUrls = (config: Readonly<Record<string, unknown>>, rule: AddressRule): Problem[] =>
  urlsOf(config).flatMap(({ field, url }) => {
    const problem = checkTargetUrl(url, rule);
    return problem === undefined ? [] : [{ path: `/body/config/${field}`, rule: problem.rule }];
  });

const checkHeaders = ({ headers, auth_header: authHeader }: Readonly<Record<string, unknown>>): Problem[] => {
  const names = typeof headers === 'object' && headers !== null ? Object.keys(headers) : [];
  const refused = [...names, ...(typeof authHeader === 'string' ? [authHeader] : [])].filter((name) =>
    connectionHeaders.has(name.toLowerCase()),
  );
  return refused.length === 0
    ? []
    : [
        {
          path: '/body/config/headers',
          rule: `must not name headers of the connection, such as ${refused.join(', ')}`,
        },
      ];
};
