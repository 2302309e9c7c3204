import { GatewayError } from '@portcullis/platform/http/gateway-error';
import { isSameOrigin } from '@portcullis/platform/http/same-origin';
import { secretMask } from '@portcullis/contracts/settings';
import type { Encryption } from '@portcullis/platform/security/encryption';
import { guardrailCredentialsPlace } from '@portcullis/platform/security/sealed-places';

export type Credentials = Readonly<Record<string, string>>;

interface SealedCredentials {
  readonly id: number;
  readonly credentials: string | null;
}

export const openCredentials = ({ id, credentials }: SealedCredentials, encryption: Encryption): Credentials =>
  credentials === null
    ? {}
    : (JSON.parse(encryption.decrypt(credentials, ...guardrailCredentialsPlace(id))) as Credentials);

/** Null when there are none. */
export const sealCredentials = (id: number, credentials: Credentials, encryption: Encryption): string | null =>
  Object.keys(credentials).length === 0
    ? null
    : encryption.encrypt(JSON.stringify(credentials), guardrailCredentialsPlace(id)[0]);

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

type Config = Readonly<Record<string, unknown>>;

const headersOf = (config: unknown): Credentials => ((config as Config)['headers'] ?? {}) as Credentials;

/** Headers are sent to the provider alone: what they say is not for other readers, and may be a key. */
export const maskHeaders = <Shown extends Config>(config: Shown): Shown =>
  config['headers'] === undefined ? config : { ...config, headers: maskCredentials(headersOf(config)) };

/**
 * Puts the stored values in the place of masks, where the host is still the one they were given for.
 * @param given as the request has it, checked and complete
 * @throws {GatewayError} naming the headers whose values have to be sent
 */
export function mergeHeadersOrThrow<Given extends Config>(stored: Config | undefined, given: Given): Given {
  if (given['headers'] === undefined) return given;
  const [known, sent] = [stored === undefined ? {} : headersOf(stored), headersOf(given)];
  const moved = stored === undefined || addressFields.some((field) => !isSameOrigin(stored[field], given[field]));
  const masked = Object.keys(sent).filter((name) => sent[name] === secretMask);
  const unknown = masked.filter((name) => moved || !Object.hasOwn(known, name));
  if (unknown.length > 0) {
    const rule = 'must be sent: its value was not given for this host';
    throw new GatewayError('bad_request', {
      problems: unknown.map((name) => ({ path: `/body/config/headers/${name}`, rule })),
    });
  }
  return { ...given, headers: { ...sent, ...Object.fromEntries(masked.map((name) => [name, known[name]])) } };
}

/** Names of the headers whose values differ. */
export function changedHeaders(before: unknown, after: unknown): readonly string[] {
  const [old, now] = [headersOf(before), headersOf(after)];
  return Object.keys({ ...old, ...now }).filter((name) => old[name] !== now[name]);
}

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
