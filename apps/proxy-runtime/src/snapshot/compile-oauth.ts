import { finish } from '@portcullis/core/collections/finish-steps';
import { runTimeSliced } from '@portcullis/platform/event-loop/run-time-sliced';
import { problemText } from '@portcullis/platform/errors/problem';
import type { Logger } from '@portcullis/platform/log/logger';
import { openOAuthProvider, type StoredProviderRow } from '@portcullis/platform/oauth/stored-provider';
import { openVerificationKey } from '@portcullis/platform/oauth-proxy/access-tokens';
import type { Encryption } from '@portcullis/platform/security/encryption';
import { grantAccessTokenPlace } from '@portcullis/platform/security/sealed-places';
import { EntryIndex } from '@portcullis/platform/snapshot/entry-index';
import type { GrantRow, IdentityRow, OAuthTables, SigningKeyRow } from '@portcullis/platform/snapshot/oauth-sources';
import type { GrantEntry, OAuthEntries, ProviderEntry } from './snapshot.ts';

/** Compiles keys and grants of the OAuth proxy, of which a change compiles only what it touched. */
export interface OAuthCompiler {
  prepare(rows: OAuthTables): Promise<void>;
  compile(rows: OAuthTables): OAuthEntries;
}

export function createOAuthCompiler(encryption: Encryption, log: Logger): OAuthCompiler {
  const keys = new EntryIndex(
    ({ kid }: SigningKeyRow) => kid,
    ({ kid, public_key: jwk }) => openVerificationKey(kid, jwk),
  );
  const grants = new EntryIndex(
    ({ id }: GrantRow) => id,
    (row) => compileGrant(row, encryption),
  );
  const providers = new EntryIndex(
    ({ id }: StoredProviderRow) => id,
    (row) => compileProvider(row, encryption, log),
  );
  const identities = new EntryIndex(
    (row: IdentityRow) => identityName(row.provider_key, row.issuer, row.subject),
    ({ user_id: userId }) => userId,
  );
  return {
    async prepare(rows) {
      await runTimeSliced(providers.follow(rows.oauthProviders));
      await runTimeSliced(identities.follow(rows.identities));
      await runTimeSliced(keys.follow(rows.signingKeys));
      await runTimeSliced(grants.follow(rows.grants));
    },
    compile: (rows) => ({
      keys: finish(keys.follow(rows.signingKeys)),
      grants: finish(grants.follow(rows.grants)),
      providers: finish(providers.follow(rows.oauthProviders)),
      identities: finish(identities.follow(rows.identities)),
    }),
  };
}

/** Opened with the first request that needs it: most grants rest. */
function compileGrant({ id, proxy_id, user_id, access_token }: GrantRow, encryption: Encryption): GrantEntry {
  let opened: string | undefined;
  return {
    proxyId: proxy_id,
    userId: user_id,
    providerToken: () => (opened ??= encryption.decrypt(access_token, ...grantAccessTokenPlace(id))),
  };
}

/** Under which the user is found whom a provider calls so. */
export const identityName = (providerKey: string, issuer: string, subject: string): string =>
  `${providerKey} ${issuer} ${subject}`;

/** Undefined for one that is switched off, or whose secret cannot be opened: its tokens are no good then. */
function compileProvider(row: StoredProviderRow, encryption: Encryption, log: Logger): ProviderEntry | undefined {
  if (!row.enabled) return undefined;
  try {
    const provider = openOAuthProvider(row, encryption, undefined);
    return { ...provider, statedIssuer: row.issuer };
  } catch (error) {
    log.error('An OAuth provider cannot be used', { provider: row.name, problem: problemText(error) });
    return undefined;
  }
}
