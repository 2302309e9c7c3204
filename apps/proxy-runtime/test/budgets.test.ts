import type { IncomingMessage } from 'node:http';
import { afterAll, beforeAll, describe, expect, jest, test } from '@jest/globals';
import { createInProcessAccounts } from '@portcullis/platform/coordination/in-process/accounts';
import type { Accounts } from '@portcullis/platform/coordination/coordination';
import { fakeCalendar } from '@portcullis/testkit/fake-timers';
import { waitFor } from '@portcullis/testkit/wait-for';
import type { SpendingRule } from '../src/snapshot/spending-rule.ts';
import { goodKey, listen, startProxy, type RunningProxy, type StartOptions } from './start-proxy.ts';

const drain = async (request: IncomingMessage): Promise<void> => {
  for await (const _ of request);
};

/** One dollar a month, told as micro-USD; each answer costs ten cents at the price of the model. */
const rule: SpendingRule = { budgetMicroUsd: 1_000_000, warningThreshold: 0.8, blockAtThreshold: false };
const answerCost = 100_000;
const usage = { prompt_tokens: 0, completion_tokens: 10_000, total_tokens: 10_000 };
const prices = { m: [0, 10] } as const;
const body = JSON.stringify({ model: 'm', max_tokens: 10_000, messages: [{ role: 'user', content: 'hi' }] });

const month = '2026-12';
const nextMonth = '2027-01-01T00:00:00.000Z';
beforeAll(() => fakeCalendar(new Date('2026-12-31T23:59:59.999Z')));
afterAll(() => void jest.useRealTimers());

interface Running extends AsyncDisposable {
  readonly proxy: RunningProxy;
  /** Requests that came to the target. */
  readonly asked: () => number;
}

async function start(options: Partial<StartOptions> = {}, status = 200): Promise<Running> {
  let asked = 0;
  const target = await listen((request, response) => {
    asked += 1;
    void drain(request).then(() =>
      response
        .writeHead(status, { 'content-type': 'application/json' })
        .end(JSON.stringify(status === 200 ? { model: 'm', usage } : { error: {} })),
    );
  });
  const proxy = await startProxy({ target: target.origin, budget: rule, prices, ...options });
  return {
    proxy,
    asked: () => asked,
    async [Symbol.asyncDispose]() {
      await proxy[Symbol.asyncDispose]();
      await target[Symbol.asyncDispose]();
    },
  };
}

const post = ({ proxy }: Running, text = body) =>
  fetch(`${proxy.origin}/v1/chat/completions`, { method: 'POST', headers: { 'x-api-key': goodKey }, body: text });

const budgetHeaders = (response: Response) =>
  Object.fromEntries([...response.headers].filter(([name]) => name.startsWith('x-budget-')));

const spend = async (running: Running, times: number): Promise<Response[]> => {
  const responses = [];
  for (let count = 0; count < times; count += 1) responses.push(await post(running));
  return responses;
};

describe('the budget of a group', () => {
  test('is told and enforced on proxies of MCP, which spend nothing of it', async () => {
    let spent = 850_000;
    await using running = await start({ sums: { spentSince: () => spent }, proxy: { type: 'mcp' } });
    const call = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/list' });
    const warned = await post(running, call);
    expect([warned.status, budgetHeaders(warned)]).toEqual([
      200,
      {
        'x-budget-limit': '1',
        'x-budget-used': '0.85',
        'x-budget-remaining': '0.15',
        'x-budget-utilization': '85',
        'x-budget-warning': 'true',
      },
    ]);
    spent = 1_000_000;
    const refused = await post(running, call);
    expect([refused.status, await refused.json()]).toMatchObject([
      402,
      { success: false, error: 'Budget limit exceeded', error_code: 'BUDGET_EXCEEDED' },
    ]);
    expect(refused.headers.get('x-budget-remaining')).toBe('0');
    expect(running.asked()).toBe(1);
  });

  test('is told with every answer, warns from its threshold on and refuses when it is spent', async () => {
    await using running = await start();
    const [first, ...more] = await spend(running, 10);
    expect(first && budgetHeaders(first)).toEqual({
      'x-budget-limit': '1',
      'x-budget-used': '0.1',
      'x-budget-remaining': '0.9',
      'x-budget-utilization': '10',
    });
    const warnings = more.map((response) => response.headers.get('x-budget-warning'));
    expect(warnings).toEqual([null, null, null, null, null, null, 'true', 'true', 'true']);

    const refused = await post(running);
    expect(refused.status).toBe(402);
    expect(await refused.json()).toEqual({
      success: false,
      error: 'Budget limit exceeded',
      error_code: 'BUDGET_EXCEEDED',
      message: `The monthly budget of the user group is spent; it begins anew at ${nextMonth}`,
      request_id: refused.headers.get('x-request-id'),
    });
    expect(budgetHeaders(refused)).toEqual({
      'x-budget-limit': '1',
      'x-budget-used': '1',
      'x-budget-remaining': '0',
      'x-budget-utilization': '100',
    });
    expect(running.asked()).toBe(10);
    expect(running.proxy.spool.records.at(-1)).toMatchObject({
      kind: 'request_log',
      denied_reason: 'budget_exceeded',
    });
    expect(running.proxy.spool.records).toContainEqual(
      expect.objectContaining({ kind: 'audit', event_type: 'budget_check', result: 'failure' }),
    );
  });

  test('leaves those of a key and of a user their say, by the day', async () => {
    const rules = new Map([['api_key:1:day', { ...rule, budgetMicroUsd: 2 * answerCost }]]);
    const raises = new Map([['api_key:1:day', [{ amountMicroUsd: answerCost, endsAt: '2026-12-31T23:59:59.000Z' }]]]);
    const budgets = { organization: undefined, resets: new Map(), rules, raises };
    await using running = await start({ snapshot: { budgets } });
    const responses = await spend(running, 3);
    expect(responses.map(({ status }) => status)).toEqual([200, 200, 402]);
    expect(responses[0]?.headers.get('x-budget-limit')).toBe('0.2');
    expect(await responses[2]?.json()).toMatchObject({
      message: `The daily budget of the API key is spent; it begins anew at ${nextMonth}`,
    });
    running.proxy.change(() => ({
      budgets: {
        ...budgets,
        raises: new Map([['api_key:1:day', [{ amountMicroUsd: answerCost, endsAt: nextMonth }]]]),
      },
    }));
    expect((await spend(running, 2)).map(({ status }) => status)).toEqual([200, 402]);
  });

  test('refuses from its threshold on where it shall, and never warns', async () => {
    await using running = await start({ budget: { ...rule, blockAtThreshold: true } });
    const responses = await spend(running, 9);
    expect(responses.map(({ status }) => status)).toEqual([200, 200, 200, 200, 200, 200, 200, 200, 402]);
    expect(responses.some((response) => response.headers.has('x-budget-warning'))).toBe(false);
    expect(await responses[8]?.json()).toMatchObject({
      error: 'Budget limit exceeded',
      message: `The monthly budget of the user group has reached the 80 % at which requests are blocked; it begins anew at ${nextMonth}`,
    });
  });

  test('is refused in the shape of model APIs where the proxy says so', async () => {
    const sums = { spentSince: () => 2_000_000 };
    await using running = await start({ sums, proxy: { nativeErrors: true } });
    const refused = await post(running);
    expect(refused.status).toBe(402);
    expect(await refused.json()).toEqual({
      error: {
        message: `Budget limit exceeded: The monthly budget of the user group is spent; it begins anew at ${nextMonth}`,
        type: 'budget_exceeded',
        code: 402,
        request_id: refused.headers.get('x-request-id'),
        details: {
          budget_type: 'user_group',
          budget_limit: 1,
          current_usage: 2,
          estimated_cost: 0,
          reset_date: nextMonth,
        },
      },
    });
    expect(running.asked()).toBe(0);
  });

  test.each([
    [500_000, 'has reached the 48 % at which requests are blocked'],
    [1_000_000, 'is spent'],
  ])('of which %s micro-USD are spent is refused in that shape with what happened', async (spent, happened) => {
    await using running = await start({
      budget: { ...rule, warningThreshold: 0.48, blockAtThreshold: true },
      sums: { spentSince: () => spent },
      proxy: { nativeErrors: true },
    });
    const message = new RegExp(`^Budget limit exceeded: .*${happened}`);
    expect(await (await post(running)).json()).toMatchObject({ error: { message: expect.stringMatching(message) } });
  });

  test('comes after access and before the rate limit', async () => {
    await using running = await start({ sums: { spentSince: () => 1_000_000 }, rateLimit: 1 });
    expect((await spend(running, 3)).map(({ status }) => status)).toEqual([402, 402, 402]);
  });

  test('gets back what was held for an exchange that failed', async () => {
    const accounts = createInProcessAccounts();
    await using running = await start({ accounts }, 500);
    await spend(running, 3);
    const key = `user_group:1:${month}:0`;
    const { balances } = accounts.reserve([{ key, limit: 1, atLeastSpent: 0 }], 0);
    expect(balances).toEqual([{ spent: 0, held: 0 }]);
  });

  test('counts what streamed when the client hangs up', async () => {
    const accounts = createInProcessAccounts();
    const target = await listen((request, response) => {
      void drain(request).then(() => {
        const delta = { model: 'm', choices: [{ index: 0, delta: { content: 'x'.repeat(400) } }] };
        response.writeHead(200, { 'content-type': 'text/event-stream' }).write(`data: ${JSON.stringify(delta)}\n\n`);
      });
    });
    await using proxy = await startProxy({ target: target.origin, budget: rule, prices, accounts });
    const gone = new AbortController();
    const response = await fetch(`${proxy.origin}/v1/chat/completions`, {
      method: 'POST',
      headers: { 'x-api-key': goodKey },
      body: JSON.stringify({ ...(JSON.parse(body) as object), stream: true }),
      signal: gone.signal,
    });
    await response.body?.getReader().read();
    gone.abort();
    const spent = () =>
      accounts.reserve([{ key: `user_group:1:${month}:0`, limit: 0, atLeastSpent: 0 }], 0).balances[0];
    await waitFor(() => spent()?.held === 0, { what: 'the settling' });
    // A hundred tokens.
    expect(spent()).toEqual({ spent: 1_000, held: 0 });
    await target[Symbol.asyncDispose]();
  });

  test('never overshoots by more than what was under way when all come at once', async () => {
    await using running = await start();
    const responses = await Promise.all(Array.from({ length: 200 }, () => post(running)));
    expect(responses.filter(({ status }) => status === 200)).toHaveLength(rule.budgetMicroUsd / answerCost);
    expect(responses.filter(({ status }) => status === 402)).toHaveLength(190);
  });

  test('begins anew with a reset', async () => {
    const sums = {
      spentSince: ({ resetAtMicroUsd }: { readonly resetAtMicroUsd: number }) => 1_000_000 - resetAtMicroUsd,
    };
    const resets = new Map([[`user_group:1:${month}`, { id: 5, spentMicroUsd: 1_000_000 }]]);
    await using running = await start({ sums, snapshot: { budgets: { organization: undefined, resets } } });
    expect((await post(running)).headers.get('x-budget-used')).toBe('0.1');
  });
});

describe('the budget of the organization', () => {
  const budgets = (budgetMicroUsd: number) => ({
    budgets: { organization: { ...rule, budgetMicroUsd }, resets: new Map() },
  });

  test('pays beside that of the group, whose figures are told', async () => {
    await using running = await start({ snapshot: budgets(200_000) });
    const responses = await spend(running, 3);
    expect(responses.map(({ status }) => status)).toEqual([200, 200, 402]);
    expect(responses.map((response) => response.headers.get('x-budget-limit'))).toEqual(['1', '1', '0.2']);
    expect(responses.map((response) => response.headers.get('x-budget-warning'))).toEqual([null, 'true', null]);
  });

  test('pays alone for a group without one', async () => {
    await using running = await start({ snapshot: budgets(1_000_000), proxy: {} });
    expect((await post(running)).headers.get('x-budget-limit')).toBe('1');
  });
});

test('where no budget is set nothing is told, asked or held', async () => {
  const target = await listen((_request, response) => void response.end('{}'));
  const accounts: Accounts = {
    reserve: () => Promise.reject(new Error('asked')),
    settle: () => Promise.reject(new Error('asked')),
    share: () => Promise.resolve(1),
  };
  await using proxy = await startProxy({ target: target.origin, accounts, prices });
  const response = await fetch(`${proxy.origin}/v1/chat/completions`, {
    method: 'POST',
    headers: { 'x-api-key': goodKey },
    body,
  });
  expect(response.status).toBe(200);
  expect(budgetHeaders(response)).toEqual({});
  expect(proxy.problems).toEqual([]);
  await target[Symbol.asyncDispose]();
});

test('a model without a price is refused where a budget is set and the settings say so', async () => {
  const pricing = { overrides: new Map(), blocksUnknown: true };
  await using running = await start({ prices: {}, snapshot: { pricing } });
  const refused = await post(running);
  expect(refused.status).toBe(403);
  expect(await refused.json()).toMatchObject({ error: 'The price of this model is not known' });
});

describe('while the store is away', () => {
  const away: Accounts = {
    reserve: () => Promise.reject(new Error('away')),
    settle: () => Promise.reject(new Error('away')),
    share: () => Promise.resolve(1),
  };

  test('each process goes on from what it knows, and tells no figures', async () => {
    await using running = await start({ accounts: away, sums: { spentSince: () => 800_000 } });
    const responses = await spend(running, 3);
    expect(responses.map(({ status }) => status)).toEqual([200, 200, 402]);
    expect(responses.slice(0, 2).map(budgetHeaders)).toEqual([{}, {}]);
    expect(running.proxy.problems).toEqual([]);
  });

  test('a proxy that would rather refuse does', async () => {
    await using running = await start({ accounts: away, proxy: { denyWithoutStore: true } });
    expect((await post(running)).status).toBe(503);
    expect(running.asked()).toBe(0);
  });
});
