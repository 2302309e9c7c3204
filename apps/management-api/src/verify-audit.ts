/**
 * `npm run verify-audit`: checks the chain of the audit log, on DATABASE_URL or on the embedded
 * database while no gateway runs on it. Ends with 0 when the chain is whole, with 1 when it is broken,
 * with 2 when it could not be looked at. With `--head <head or file>` also whether the chain goes on from an end that
 * was published, by the log or by GET /api/v1/audit/head, and kept elsewhere.
 */
import { compareHead, parseHeadOrThrow } from '@portcullis/platform/audit/chain-head';
import { createSealKey, type ChainPosition, type SealKey } from '@portcullis/platform/audit/seal-key';
import { verifyChain, type ChainReport } from '@portcullis/platform/audit/verify-chain';
import { parseConfigOrThrow, type Config } from '@portcullis/platform/config/config';
import { openExistingDatabase } from '@portcullis/platform/database/connection/open-existing-database';
import { FileLocked } from '@portcullis/platform/process/file-lock';
import { problemText } from '@portcullis/platform/errors/problem';
import { findEncryptionKey } from '@portcullis/platform/process/secrets';
import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import { parseArgs } from 'node:util';

async function verify(config: Config, head: string | undefined): Promise<ChainReport> {
  await using database = await openExistingDatabase(config);
  const encryptionKey = await findEncryptionKey(config, resolve(config.DATA_DIR));
  const key = createSealKey(encryptionKey, config.ENCRYPTION_KEY_PREVIOUS);
  const published = head === undefined ? undefined : await readHeadOrThrow(head, key);
  const report = await verifyChain(database, key);
  if (published === undefined || !report.valid) return report;
  const comparison = await compareHead(database, published);
  if (comparison.kind === 'other') return { ...report, valid: false, problem: comparison.problem };
  const outcome = comparison.kind === 'same' ? 'holds' : 'cannot be compared any more: its record has expired';
  process.stdout.write(`The published head, record ${published.record_id}, ${outcome}.\n`);
  return report;
}

/** @param head itself, or the file that holds it */
async function readHeadOrThrow(head: string, key: SealKey): Promise<ChainPosition> {
  try {
    return parseHeadOrThrow(existsSync(head) ? await readFile(head, 'utf8') : head, key);
  } catch (error) {
    throw new Error(`--head cannot be used: ${problemText(error)}`, { cause: error });
  }
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
  const { values } = parseArgs({ options: { head: { type: 'string' } } });
  const report = await verify(parseConfigOrThrow(process.env), values.head);
  process.stdout.write(`${render(report)}\n`);
  process.exitCode = report.valid ? 0 : 1;
} catch (error) {
  const hint = error instanceof FileLocked ? ': stop it, or ask it for GET /api/v1/audit/verify' : '';
  process.stderr.write(`The audit log could not be verified: ${problemText(error)}${hint}\n`);
  process.exitCode = 2;
}
