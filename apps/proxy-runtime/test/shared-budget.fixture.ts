import { Secret } from '@portcullis/platform/config/secret';
import { openRedisCoordination } from '@portcullis/platform/coordination/redis/redis-coordination';
import { silentLog } from '@portcullis/platform/test/test-database';
import type { SpendingRule } from '../src/budgets/budget-account.ts';
import { startProxy } from './start-proxy.ts';

/** What the process shall serve, given as JSON in its only argument. */
export interface SharedBudgetPlan {
  readonly redisUrl: string;
  readonly keyPrefix: string;
  readonly target: string;
  readonly budget: SpendingRule;
  readonly prices: Readonly<Record<string, readonly [number, number]>>;
}

const plan = JSON.parse(process.argv[2] ?? '{}') as SharedBudgetPlan;
const coordination = await openRedisCoordination({
  url: new Secret(plan.redisUrl),
  keyPrefix: plan.keyPrefix,
  log: silentLog,
});
const { target, budget, prices } = plan;
const proxy = await startProxy({ target, budget, prices, accounts: coordination.accounts });
// Serves until it is killed.
process.stdout.write(`${proxy.origin}\n`);
