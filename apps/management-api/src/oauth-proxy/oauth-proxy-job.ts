import { changeConfig } from '@portcullis/platform/database/change-config';
import type { Database } from '@portcullis/platform/database/database';
import { problemText } from '@portcullis/platform/errors/problem';
import { runEvery } from '@portcullis/platform/event-loop/run-every';
import type { Logger } from '@portcullis/platform/log/logger';
import { expireSigningKeys, isKeyDue, replaceSigningKey } from '@portcullis/platform/oauth-proxy/signing-keys';
import type { Encryption } from '@portcullis/platform/security/encryption';
import { expireClients } from './client-queries.ts';
import { expireCodes } from './code-queries.ts';
import { expireGrants } from './grant-queries.ts';

interface JobOptions {
  readonly database: Database;
  readonly encryption: Encryption;
  readonly log: Logger;
  readonly intervalMs?: number;
}

/** Changes the signing key in its time, and forgets what is over. Any number of processes may do this. */
export function startOAuthProxyJob({ database, encryption, log, intervalMs = 600_000 }: JobOptions): AsyncDisposable {
  const work = async (): Promise<void> => {
    await expireCodes(database);
    await expireClients(database);
    await expireGrants(database);
    await expireSigningKeys(database);
    if (!(await isKeyDue(database))) return;
    const replaced = await changeConfig(database, async (transaction) => {
      const mine = { kysely: transaction };
      // Another process may have been first.
      return (await isKeyDue(mine)) ? replaceSigningKey(mine, encryption) : undefined;
    });
    if (replaced !== undefined) log.info('Access tokens are signed with a new key', { kid: replaced.kid });
  };
  return runEvery(work, {
    intervalMs,
    onFault: (error) => void log.warn('The OAuth proxy could not be tidied up', { reason: problemText(error) }),
  });
}
