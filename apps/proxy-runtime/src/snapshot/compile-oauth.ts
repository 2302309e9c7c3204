import { finish } from '@portcullis/core/policy/scan/steps';
import { runTimeSliced } from '@portcullis/platform/event-loop/run-time-sliced';
import { openVerificationKey } from '@portcullis/platform/oauth-proxy/access-tokens';
import type { Encryption } from '@portcullis/platform/security/encryption';
import { grantAccessTokenPlace } from '@portcullis/platform/security/sealed-places';
import { EntryIndex } from '@portcullis/platform/snapshot/entry-index';
import type { GrantRow, OAuthTables, SigningKeyRow } from '@portcullis/platform/snapshot/oauth-sources';
import type { GrantEntry, OAuthEntries } from './snapshot.ts';

/** Compiles keys and grants of the OAuth proxy, of which a change compiles only what it touched. */
export interface OAuthCompiler {
  prepare(rows: OAuthTables): Promise<void>;
  compile(rows: OAuthTables): OAuthEntries;
}

export function createOAuthCompiler(encryption: Encryption): OAuthCompiler {
  const keys = new EntryIndex(
    ({ kid }: SigningKeyRow) => kid,
    ({ kid, public_key: jwk }) => openVerificationKey(kid, jwk),
  );
  const grants = new EntryIndex(
    ({ id }: GrantRow) => id,
    (row) => compileGrant(row, encryption),
  );
  return {
    async prepare(rows) {
      await runTimeSliced(keys.follow(rows.signingKeys));
      await runTimeSliced(grants.follow(rows.grants));
    },
    compile: (rows) => ({
      keys: finish(keys.follow(rows.signingKeys)),
      grants: finish(grants.follow(rows.grants)),
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
