import type { Database } from '../database/database.ts';
import { problemText } from '../errors/problem.ts';
import type { Logger } from '../log/logger.ts';
import { countAuditBlocks } from './count-blocks.ts';
import { expireAudit } from './expire-audit.ts';
import { renderHead } from './chain-head.ts';
import { findNewestSeal, sealChain } from './seal-chain.ts';
import type { ChainPosition, SealKey } from './seal-key.ts';

interface AuditJobOptions {
  readonly database: Database;
  readonly sealKey: SealKey;
  readonly log: Logger;
  /** How long records are kept, at least. */
  readonly keepMs: number;
}

/** Seals the audit chain, counts its full blocks and drops what has expired, now, then again and again until it is disposed. */
export interface AuditJob extends AsyncDisposable {
  /** What is wrong with the chain, for the health report. */
  problems(): readonly string[];
}

const sealIntervalMs = 60_000;
const expireIntervalMs = 3_600_000;

/** Any number of processes may do this. Each newly sealed position is logged: a witness outside the database. */
export function startAuditJob(options: AuditJobOptions): AuditJob {
  const { database, log, keepMs, sealKey: key } = options;
  let known: ChainPosition | undefined;
  let problem: string | undefined;
  let running: Promise<void> = Promise.resolve();

  const seal = async (): Promise<void> => {
    const outcome = await sealChain(database, key, known);
    known = outcome.sealed ?? known;
    if (outcome.sealed !== undefined) {
      log.info('The audit chain was sealed', { ...outcome.sealed, head: renderHead(outcome.sealed, key) });
    }
    const found = outcome.problem && `audit record ${outcome.problem.record_id} ${outcome.problem.reason}`;
    if (found !== undefined && found !== problem) log.error('The audit chain is broken', { problem: found });
    problem = found;
  };
  const count = async (): Promise<void> => void (await countAuditBlocks(database));
  const expire = async (): Promise<void> => {
    const records = await expireAudit(database, key, new Date(Date.now() - keepMs));
    if (records > 0) log.info('Expired records were dropped', { table: 'audit_log', records });
  };
  const publish = async (): Promise<void> => {
    const last = known ?? (await findNewestSeal(database, key));
    if (last !== undefined) log.info('The head of the audit chain', { head: renderHead(last, key) });
  };
  const run = (work: () => Promise<void>): void => {
    running = running
      .then(work)
      .catch((error: unknown) => void log.warn('The audit log could not be kept', { reason: problemText(error) }));
  };

  run(seal);
  run(expire);
  run(count);
  const timers = [
    setInterval(run, sealIntervalMs, seal).unref(),
    setInterval(run, sealIntervalMs, count).unref(),
    setInterval(run, expireIntervalMs, expire).unref(),
    setInterval(run, expireIntervalMs, publish).unref(),
  ];
  return {
    problems: () => (problem === undefined ? [] : [problem]),
    async [Symbol.asyncDispose]() {
      for (const timer of timers) clearInterval(timer);
      run(seal);
      await running;
    },
  };
}
