import { GatewayError } from '@portcullis/platform/http/gateway-error';
import { isSameOrigin } from '@portcullis/platform/http/same-origin';
import { secretMask } from '@portcullis/contracts/settings';
import { guardrailCredentialsContext } from '@portcullis/platform/guardrails/stored-provider';
import type { Encryption } from '@portcullis/platform/security/encryption';

export type Credentials = Readonly<Record<string, string>>;

export const openCredentials = (sealed: string | null, encryption: Encryption): Credentials =>
  sealed === null ? {} : (JSON.parse(encryption.decrypt(sealed, guardrailCredentialsContext)) as Credentials);

/** Null when there are none. */
export const sealCredentials = (credentials: Credentials, encryption: Encryption): string | null =>
  Object.keys(credentials).length === 0
    ? null
    : encryption.encrypt(JSON.stringify(credentials), guardrailCredentialsContext);

export const maskCredentials = (credentials: Credentials): Credentials =>
  Object.fromEntries(Object.keys(credentials).map((field) => [field, secretMask]));

/** A mask leaves a field as it was, an empty text removes it. */
export const mergeCredentials = (stored: Credentials, given: Credentials): Credentials =>
  Object.fromEntries(
    Object.entries({
      ...stored,
      ...Object.fromEntries(Object.entries(given).filter(([, value]) => value !== secretMask)),
    }).filter(([, value]) => value !== ''),
  );

const addressFields = ['base_url', 'url'] as const;

/**
 * Secrets were given for one host: where an address names another, each that is kept must be sent again.
 * @param given what the request has of the credentials
 * @throws {GatewayError} naming the fields
 */
export function checkSecretsOfNewHostOrThrow(
  before: unknown,
  after: unknown,
  merged: Credentials,
  given: Credentials = {},
): void {
  const moved = addressFields.find((field) => !isSameOrigin(fieldOf(before, field), fieldOf(after, field)));
  if (moved === undefined) return;
  const kept = Object.keys(merged).filter((field) => given[field] === undefined || given[field] === secretMask);
  if (kept.length === 0) return;
  const rule = `must be sent again, for config.${moved} names another host now; an empty text removes it`;
  throw new GatewayError('bad_request', {
    message: 'The credentials were given for another host. Nothing was changed',
    problems: kept.map((field) => ({ path: `/body/credentials/${field}`, rule })),
  });
}

const fieldOf = (config: unknown, field: (typeof addressFields)[number]): unknown =>
  (config as Readonly<Record<string, unknown>>)[field];
