/**
 * `npm run verify-audit`: checks the chain of the audit log, on DATABASE_URL or on the embedded
 * database while no gateway runs on it. Ends with 0 when the chain is whole, with 1 when it is broken,
 * with 2 when it could not be looked at.
 */
import { createSealKey } from '@portcullis/platform/audit/seal-key';
import { verifyChain, type ChainReport } from '@portcullis/platform/audit/verify-chain';
import { parseConfigOrThrow, type Config } from '@portcullis/platform/config/config';
import { openExistingDatabase } from '@portcullis/platform/database/open-existing-database';
import { FileLocked } from '@portcullis/platform/lifecycle/file-lock';
import { problemText } from '@portcullis/platform/lifecycle/problem';
import { findEncryptionKey } from '@portcullis/platform/lifecycle/secrets';
import { resolve } from 'node:path';

async function verify(config: Config): Promise<ChainReport> {
  await using database = await openExistingDatabase(config);
  const encryptionKey = await findEncryptionKey(config, resolve(config.DATA_DIR));
  return await verifyChain(database, createSealKey(encryptionKey));
}

function render({ records, anchor, last, sealed_id: sealed, problem }: ChainReport): string {
  if (problem !== null) {
    const before = records === 0 ? '' : ` ${records} records before it are whole.`;
    return `The audit log is broken: record ${problem.record_id} ${problem.reason}.${before}`;
  }
  if (records === 0) return 'The audit log is whole: it holds no records.';
  const seals = sealed === null ? 'none is sealed yet' : `sealed up to record ${sealed}`;
  return (
    `The audit log is whole: ${records} records, ${anchor.record_id + 1} to ${last.record_id}, ${seals}.\n` +
    `It ends with ${last.hash}`
  );
}

try {
  const report = await verify(parseConfigOrThrow(process.env));
  process.stdout.write(`${render(report)}\n`);
  process.exitCode = report.valid ? 0 : 1;
} catch (error) {
  const hint = error instanceof FileLocked ? ': stop it, or ask it for GET /api/v1/audit/verify' : '';
  process.stderr.write(`The audit log could not be verified: ${problemText(error)}${hint}\n`);
  process.exitCode = 2;
}
