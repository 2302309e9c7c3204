import type { Problem } from '@portcullis/contracts/envelope';
import { guardrailTypeEntries, type GuardrailType } from '@portcullis/contracts/guardrail-config';
import { compileJsonSchema, type SchemaCheck } from '@portcullis/platform/http/compile-schema';
import { checkTargetUrl, type AddressRule } from '@portcullis/platform/http/address-guard';
import { GatewayError } from '@portcullis/platform/http/gateway-error';
import { connectionHeaders } from '../proxies/proxy-problems.ts';
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

const checkUrls = (config: Readonly<Record<string, unknown>>, rule: AddressRule): Problem[] =>
  ['base_url', 'url'].flatMap((field) => {
    const value = config[field];
    if (typeof value !== 'string' || value === '') return [];
    const problem = checkTargetUrl(value, rule);
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
