import { setImmediate } from 'node:timers/promises';
import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import type { Accounts } from '@portcullis/platform/coordination/coordination';
import { createInProcessAccounts } from '@portcullis/platform/coordination/in-process/accounts';
import type { Exchange } from '../exchange/exchange.ts';
import { BudgetService } from './budget-service.ts';

const replicas = 3;
const budgetMicroUsd = 9_000;
const cost = 10;
/** So long after an exchange the database knows what it cost, and a replica what the database knows. */
const recordedAfterMs = 4_000;
const lookEveryMs = 5_000;
const silentAfterMs = 30_000;

const exchange = {
  timestamp: '2026-11-15T00:00:00.000Z',
  group: { id: 3, budget: { budgetMicroUsd, warningThreshold: 0.8, blockAtThreshold: false } },
  snapshot: { budgets: { organization: undefined, resets: new Map() } },
} as unknown as Exchange;

/** Three runtimes, the Redis that they share, and the database behind their spools, by one clock. */
class World {
  nowMs = 0;
  spent = 0;
  isAway: boolean;
  #shared = createInProcessAccounts();
  #sharers = new Map<number, number>();
  #records: { readonly atMs: number; readonly cost: number }[] = [];
  #catchingUp: { readonly atMs: number; readonly caughtUp: () => void }[] = [];
  readonly #services: readonly BudgetService[];

  constructor({ isAway }: { readonly isAway: boolean }) {
    this.isAway = isAway;
    this.#services = Array.from({ length: replicas }, (_, replica) => this.#openService(replica));
  }

  /** It comes back without memory. */
  restoreEmpty(): void {
    this.isAway = false;
    this.#shared = createInProcessAccounts();
    this.#sharers.clear();
  }

  /** One request on a replica. */
  async ask(replica: number): Promise<boolean> {
    const service = this.#services[replica] as BudgetService;
    const opened = service.open(exchange);
    if (opened === undefined) throw new Error('There is no budget');
    await service.reserve(opened, cost);
    if (opened.held === undefined) return false;
    await service.settle(opened.held, cost);
    this.spent += cost;
    this.#records.push({ atMs: this.nowMs, cost });
    return true;
  }

  look = (replica: number): Promise<void> => (this.#services[replica] as BudgetService).look();

  /** Lets time pass: each replica looks around when it is its turn. */
  async pass(ms: number, perSecond: (replica: number) => Promise<unknown> = async () => undefined): Promise<void> {
    for (const endMs = this.nowMs + ms; this.nowMs < endMs;) {
      this.nowMs += 1_000;
      for (const { atMs, caughtUp } of this.#catchingUp) if (atMs <= this.nowMs) caughtUp();
      this.#catchingUp = this.#catchingUp.filter(({ atMs }) => atMs > this.nowMs);
      await setImmediate();
      for (let replica = 0; replica < replicas; replica += 1) {
        if ((this.nowMs + replica * 1_000) % lookEveryMs === 0) await this.look(replica);
        await perSecond(replica);
      }
    }
  }

  #openService(replica: number): BudgetService {
    const reach = async <Value>(ask: () => Value): Promise<Value> => {
      if (this.isAway) throw new Error('away');
      return ask();
    };
    const accounts: Accounts = {
      reserve: (claims, amount) => reach(() => this.#shared.reserve(claims, amount)) as never,
      settle: (held, amount) => reach(() => this.#shared.settle(held, amount)) as never,
      share: () => reach(() => this.#countSharers(replica)),
    };
    const spentSince = () =>
      this.#records.reduce((sum, { atMs, cost: one }) => (atMs <= this.nowMs - recordedAfterMs ? sum + one : sum), 0);
    const caughtUp = () =>
      new Promise<void>((resolve) => {
        this.#catchingUp.push({ atMs: this.nowMs + recordedAfterMs + 1_000, caughtUp: resolve });
      });
    return new BudgetService({
      accounts,
      localAccounts: createInProcessAccounts(),
      sums: { spentSince, caughtUp },
      elapsedMs: () => this.nowMs,
    });
  }

  #countSharers(replica: number): number {
    this.#sharers.set(replica, this.nowMs);
    return [...this.#sharers.values()].filter((atMs) => atMs > this.nowMs - silentAfterMs).length;
  }
}

/** Each replica may overshoot its part by the request with which it is reached. */
const mostSpent = budgetMicroUsd + replicas * cost;
/** What all of them spend, asking twice a second, until the database has told what the others did. */
const unheardOf = replicas * 2 * cost * ((recordedAfterMs + 1_000) / 1_000);

test.each([1, 30, 300])(
  'Redis is absent when three replicas start, and there after %i s: what they spend is one budget',
  async (seconds) => {
    const world = new World({ isAway: true });
    const askTwice = async (replica: number) => [await world.ask(replica), await world.ask(replica)];
    await world.pass(seconds * 1_000, askTwice);
    // Nobody knows how many there are: each takes an eighth of what is left.
    const whileAway = world.spent;
    expect(whileAway).toBeGreaterThan(0);
    expect(whileAway).toBeLessThanOrEqual(Math.min((replicas * budgetMicroUsd) / 2, 2 * replicas * cost * seconds));

    world.restoreEmpty();
    await world.pass(300_000, askTwice);
    expect(world.spent).toBeGreaterThanOrEqual(budgetMicroUsd);
    expect(world.spent).toBeLessThanOrEqual(mostSpent + unheardOf);
    for (let replica = 0; replica < replicas; replica += 1) expect(await world.ask(replica)).toBe(false);
  },
);

test('Redis that comes back empty and is gone again gives nobody the part of all', async () => {
  const world = new World({ isAway: false });
  await world.pass(60_000, (replica) => world.ask(replica));
  for (const isKnownAway of [true, false]) {
    world.isAway = isKnownAway;
    await world.pass(isKnownAway ? 10_000 : 0, (replica) => world.ask(replica));
    world.restoreEmpty();
    // The first that looks finds itself alone.
    await world.look(0);
    await world.look(1);
    world.isAway = true;
    const before = world.spent;
    for (let asked = 0; asked < budgetMicroUsd / cost; asked += 1) {
      await world.ask(0);
      await world.ask(1);
      await world.ask(2);
    }
    expect(world.spent - before).toBeLessThanOrEqual(budgetMicroUsd - before + replicas * cost);
    world.restoreEmpty();
    await world.pass(120_000);
  }
  expect(world.spent).toBeLessThanOrEqual(mostSpent);
});

type Step =
  | { readonly do: 'ask' | 'look'; readonly replica: number; readonly times: number }
  | { readonly do: 'pass'; readonly seconds: number }
  | { readonly do: 'away' | 'back' | 'back empty' };

const replica = fc.nat(replicas - 1);
const step: fc.Arbitrary<Step> = fc.oneof(
  fc.record({ do: fc.constant('ask' as const), replica, times: fc.integer({ min: 1, max: 400 }) }),
  fc.record({ do: fc.constant('look' as const), replica, times: fc.constant(1) }),
  fc.record({ do: fc.constant('pass' as const), seconds: fc.integer({ min: 1, max: 90 }) }),
  fc.record({ do: fc.constantFrom('away' as const, 'back' as const, 'back empty' as const) }),
);

async function take(world: World, one: Step): Promise<void> {
  switch (one.do) {
    case 'ask':
      for (let asked = 0; asked < one.times; asked += 1) await world.ask(one.replica);
      return;
    case 'look':
      return world.look(one.replica);
    case 'pass':
      return world.pass(one.seconds * 1_000);
    case 'away':
      world.isAway = true;
      return;
    case 'back':
      world.isAway = false;
      return;
    case 'back empty':
      if (world.isAway) world.restoreEmpty();
  }
}

test('whenever Redis comes and goes, with or without memory, the budget is overshot by what was not heard of at most', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(step, { maxLength: 30 }), async (steps) => {
      const world = new World({ isAway: true });
      for (const one of steps) {
        await take(world, one);
        // What the others spent shortly before is known when they have looked: between steps nobody is behind.
        await world.pass(lookEveryMs + recordedAfterMs + 1_000);
      }
      expect(world.spent).toBeLessThanOrEqual(mostSpent);
    }),
    { numRuns: 60 },
  );
});
