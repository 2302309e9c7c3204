import { Secret } from '@portcullis/platform/config/secret';
import { openRedisCoordination } from '@portcullis/platform/coordination/redis/redis-coordination';
import { silentLog } from '@portcullis/platform/test/test-database';
import type { SpendingRule } from '../src/snapshot/spending-rule.ts';
import { startProxy } from './start-proxy.ts';

/** What the process shall serve, given as JSON in its only argument. */
export interface SharedBudgetPlan {
  readonly redisUrl: string;
  readonly keyPrefix: string;
  readonly target: string;
  readonly budget: SpendingRule;
  readonly prices: Readonly<Record<string, readonly [number, number]>>;
  /** How long it waits for Redis. A busy machine shall not make it look as if Redis were away. */
  readonly answerTimeoutMs: number;
}

const plan = JSON.parse(process.argv[2] ?? '{}') as SharedBudgetPlan;
const coordination = await openRedisCoordination({
  url: new Secret(plan.redisUrl),
  keyPrefix: plan.keyPrefix,
  log: silentLog,
  answerTimeoutMs: plan.answerTimeoutMs,
});
const { target, budget, prices } = plan;
// Only the budget shall refuse, and nothing shall wait too long for a busy machine.
const links = { connections: 200, connectTimeoutMs: 60_000 };
const proxy = await startProxy({
  target,
  budget,
  prices,
  links,
  headersTimeoutMs: 60_000,
  accounts: coordination.accounts,
  // No database raises the accounts to what was spent.
  sums: { caughtUp: () => new Promise(() => undefined) },
});
// Looks around whenever it is told to, and serves until it is killed.
process.stdin.on('data', () => void proxy.budgetService.look().then(() => process.stdout.write('looked\n')));
process.stdout.write(`${proxy.origin}\n`);
