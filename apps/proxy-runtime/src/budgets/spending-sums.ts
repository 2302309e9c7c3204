import { readFile, rename, writeFile } from 'node:fs/promises';
import { loadSpendingOfMonth, type SpendingOfMonth } from '@portcullis/platform/budgets/load-spending';
import type { Database } from '@portcullis/platform/database/database';
import { problemText } from '@portcullis/platform/errors/problem';
import type { Logger } from '@portcullis/platform/log/logger';
import { resetKey, type BudgetAccount } from '../snapshot/budget-account.ts';

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
  let sums: SpendingOfMonth = { month: '', total: 0, byGroup: [] };
  let spent: ReadonlyMap<string, number> = new Map();
  let running: Promise<boolean> | undefined;
  let timer: NodeJS.Timeout | undefined;

  const take = (loaded: SpendingOfMonth): void => {
    sums = loaded;
    spent = placeSums(loaded);
  };
  const load = async (): Promise<boolean> => {
    try {
      const loaded = await loadSpendingOfMonth(database, now());
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
    spentSince({ level, id, period, resetAtMicroUsd }) {
      return Math.max(0, (spent.get(resetKey(level, id, period)) ?? 0) - resetAtMicroUsd);
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

const readKept = async (path: string): Promise<SpendingOfMonth> =>
  JSON.parse(await readFile(path, 'utf8')) as SpendingOfMonth;

/** By level, id and period. */
function placeSums(sums: SpendingOfMonth): ReadonlyMap<string, number> {
  const { month, total, byGroup, day = '', byKey = [], byUser = [] } = sums;
  const placed = new Map<string, number>([[resetKey('organization', 0, month), total]]);
  for (const [id, spent] of byGroup) placed.set(resetKey('user_group', id, month), spent);
  for (const [level, subjects] of [['api_key', byKey] as const, ['user', byUser] as const]) {
    for (const [id, inMonth, onDay] of subjects) {
      placed.set(resetKey(level, id, month), inMonth).set(resetKey(level, id, day), onDay);
    }
  }
  return placed;
}
