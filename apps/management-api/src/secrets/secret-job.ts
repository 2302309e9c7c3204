import type { SealKey } from '@portcullis/platform/audit/seal-key';
import type { Config } from '@portcullis/platform/config/config';
import type { Database } from '@portcullis/platform/database/database';
import { problemText } from '@portcullis/platform/errors/problem';
import { runEvery } from '@portcullis/platform/event-loop/run-every';
import type { Logger } from '@portcullis/platform/log/logger';
import type { Encryption } from '@portcullis/platform/security/encryption';
import { renewSecrets, type Renewal } from './renew-secrets.ts';

interface SecretJobParts {
  readonly database: Database;
  readonly encryption: Encryption;
  readonly sealKey: SealKey;
  readonly config: Pick<
    Config,
    'ENCRYPTION_KEY_PREVIOUS' | 'JWT_SECRET_PREVIOUS' | 'JWT_EXPIRY' | 'JWT_REFRESH_EXPIRY'
  >;
  readonly log: Logger;
  readonly intervalMs?: number;
}

const tenMinutesMs = 600_000;

/**
 * Seals anew what a previous key or an older version sealed: at the start, and again and again while a previous key is
 * set, since a process that does not know the new one yet may still write with the old one. The log tells how much there
 * was and when the previous secrets can go.
 */
export function startSecretJob(parts: SecretJobParts): AsyncDisposable {
  const { config, log, intervalMs = tenMinutesMs } = parts;
  const isChanging = config.ENCRYPTION_KEY_PREVIOUS !== undefined;
  let isDone = false;
  let lastLogged = '';

  const logRenewal = (renewal: Renewal): void => {
    const { renewed, unreadable } = renewal;
    const text = JSON.stringify(renewal);
    if (text === lastLogged) return;
    lastLogged = text;
    if (renewed > 0) log.info('Stored secrets were sealed anew with ENCRYPTION_KEY', renewal);
    if (unreadable > 0) log.error('Stored secrets or seals were made with a key that is not known', renewal);
    if (isChanging && renewed === 0 && unreadable === 0) {
      log.info('ENCRYPTION_KEY_PREVIOUS can be removed once all processes have the new key: nothing stored needs it', {
        looked: renewal.looked,
      });
    }
  };
  const run = async (): Promise<void> => {
    if (isDone) return;
    let renewal = await renewSecrets(parts);
    logRenewal(renewal);
    // Once more: only a look that finds nothing says that nothing is left.
    if (renewal.renewed > 0) logRenewal((renewal = await renewSecrets(parts)));
    isDone = !isChanging && renewal.renewed === 0;
  };

  if (config.JWT_SECRET_PREVIOUS !== undefined) {
    const lastMs = Math.max(config.JWT_EXPIRY, config.JWT_REFRESH_EXPIRY);
    log.info('Tokens of JWT_SECRET_PREVIOUS are taken until they end; after that it can be removed', {
      at_the_latest: new Date(Date.now() + lastMs).toISOString(),
    });
  }
  return runEvery(run, {
    intervalMs,
    onFault: (error) => void log.warn('Stored secrets could not be looked at', { problem: problemText(error) }),
  });
}
