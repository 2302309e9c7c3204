import { readFile, rename, writeFile } from 'node:fs/promises';
import type { Database } from '@portcullis/platform/database/database';
import { problemText } from '@portcullis/platform/errors/problem';
import type { Logger } from '@portcullis/platform/log/logger';
import { sql } from 'kysely';
import type { BudgetAccount } from '../snapshot/budget-account.ts';

/** What usage records say a month has cost so far, in micro-USD. */
interface MonthSums {
  /** YYYY-MM */
  readonly month: string;
  readonly total: number;
  readonly byGroup: readonly (readonly [id: number, spent: number])[];
}

export interface SpendingSums {
  /** What was spent since the account's beginning, as far as the database knew; 0 for another month. */
  spentSince(account: BudgetAccount): number;
  /** Resolves once the sums have everything in them that this process recorded until now. Never rejects. */
  caughtUp(): Promise<void>;
}

/** Keeps the sums of the month in memory, and on disk for a start while the database is away. */
export interface SpendingFeed extends Pick<SpendingSums, 'spentSince'>, AsyncDisposable {
  /** Resolves with the first sums: from the database, else from disk, else none. */
  start(): Promise<void>;
  /** Asks the database now. Never rejects. */
  refresh(): Promise<void>;
}

export interface SpendingFeedParts {
  readonly database: Pick<Database, 'kysely'>;
  readonly path: string;
  readonly log: Logger;
  readonly now?: () => Date;
}

/** Between two looks into the database: it heals what the shared accounts have missed. */
const pollMs = 15_000;

export function createSpendingFeed({ database, path, log, now = () => new Date() }: SpendingFeedParts): SpendingFeed {
  let sums: MonthSums = { month: '', total: 0, byGroup: [] };
  let byGroup: ReadonlyMap<number, number> = new Map();
  let running: Promise<boolean> | undefined;
  let timer: NodeJS.Timeout | undefined;

  const take = (loaded: MonthSums): void => {
    sums = loaded;
    byGroup = new Map(loaded.byGroup);
  };
  const load = async (): Promise<boolean> => {
    try {
      const loaded = await loadSums(database, now().toISOString().slice(0, 7));
      if (JSON.stringify(loaded) === JSON.stringify(sums)) return true;
      take(loaded);
      await writeFile(`${path}.new`, JSON.stringify(loaded), { mode: 0o600 });
      await rename(`${path}.new`, path);
      return true;
    } catch (error) {
      log.debug('what was spent could not be read', { reason: problemText(error) });
      return false;
    }
  };
  /** One question at a time. */
  const ask = (): Promise<boolean> => {
    running ??= load().finally(() => (running = undefined));
    return running;
  };

  return {
    spentSince({ level, id, month, resetAtMicroUsd }) {
      if (month !== sums.month) return 0;
      const spent = level === 'organization' ? sums.total : (byGroup.get(id) ?? 0);
      return Math.max(0, spent - resetAtMicroUsd);
    },
    async start() {
      if (!(await ask())) await readKept(path).then(take, () => undefined);
      timer = setInterval(() => void ask(), pollMs);
    },
    async refresh() {
      await running;
      await ask();
    },
    async [Symbol.asyncDispose]() {
      clearInterval(timer);
      await running;
    },
  };
}

const readKept = async (path: string): Promise<MonthSums> => JSON.parse(await readFile(path, 'utf8')) as MonthSums;

async function loadSums({ kysely }: Pick<Database, 'kysely'>, month: string): Promise<MonthSums> {
  const rows = await kysely
    .selectFrom('daily_usage')
    .select(['user_group_id', sql<number>`sum(cost_micro_usd)::bigint`.as('spent')])
    .where('day', '>=', `${month}-01`)
    .where('day', '<=', `${month}-31`)
    .groupBy('user_group_id')
    .orderBy('user_group_id')
    .execute();
  return {
    month,
    total: rows.reduce((sum, { spent }) => sum + spent, 0),
    byGroup: rows.map((row) => [row.user_group_id, row.spent]),
  };
}
