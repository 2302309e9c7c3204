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
