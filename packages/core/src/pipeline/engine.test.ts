import { describe, expect, test } from '@jest/globals';
import { compileForwardStage, compileRequestStages, type PipelineObserver } from './engine.ts';
import { deny, next, reply, row, type RequestStage, type Row, type Verdict } from './stage.ts';

interface Exchange {
  readonly ran: string[];
}

const stage = (
  name: string,
  run: () => Verdict | Promise<Verdict>,
  { on = ['llm', 'mcp'], onFault = 'deny' }: Partial<Pick<Row<unknown>, 'on' | 'onFault'>> = {},
): Row<RequestStage<Exchange>> =>
  row(
    {
      name,
      run: (exchange: Exchange) => {
        exchange.ran.push(name);
        return run();
      },
    },
    on,
    { onFault },
  );

const observed = () => {
  const events: string[] = [];
  const observer: PipelineObserver<Exchange> = {
    fault: (name, onFault, error) => events.push(`fault ${name} ${onFault} ${String(error)}`),
    denied: (name, denial) => events.push(`denied ${name} ${denial.reason}`),
  };
  return { events, observer };
};

const fail = (): never => {
  throw new Error('broken');
};

describe('compileRequestStages', () => {
  test('answers synchronously when no stage waits', () => {
    const { observer } = observed();
    const exchange = { ran: [] };
    const run = compileRequestStages([stage('a', () => next), stage('b', () => next)], 'llm', observer);
    expect(run(exchange)).toEqual({ verdict: next, stage: null });
    expect(exchange.ran).toEqual(['a', 'b']);
  });

  test('keeps the order across a stage that waits', async () => {
    const { observer } = observed();
    const exchange = { ran: [] };
    const run = compileRequestStages(
      [stage('a', () => Promise.resolve(next)), stage('b', () => next), stage('c', () => Promise.resolve(next))],
      'llm',
      observer,
    );
    expect(await run(exchange)).toEqual({ verdict: next, stage: null });
    expect(exchange.ran).toEqual(['a', 'b', 'c']);
  });

  test('stops at a denial, names its stage and tells the observer', () => {
    const { observer, events } = observed();
    const exchange = { ran: [] };
    const run = compileRequestStages([stage('a', () => deny('key_missing')), stage('b', () => next)], 'llm', observer);
    expect(run(exchange)).toEqual({ verdict: deny('key_missing'), stage: 'a' });
    expect(exchange.ran).toEqual(['a']);
    expect(events).toEqual(['denied a key_missing']);
  });

  test('stops at a reply of the gateway itself', () => {
    const { observer, events } = observed();
    const answer = reply({ status: 200, headers: {}, body: Buffer.from('{}') });
    const run = compileRequestStages([stage('a', () => answer), stage('b', fail)], 'llm', observer);
    expect(run({ ran: [] })).toEqual({ verdict: answer, stage: 'a' });
    expect(events).toEqual([]);
  });

  test.each([
    ['throws', fail],
    ['rejects', () => Promise.reject(new Error('broken'))],
  ])('a stage that %s denies, allows or degrades as it declared', async (_how, run) => {
    for (const onFault of ['deny', 'allow', 'degrade'] as const) {
      const { observer, events } = observed();
      const exchange = { ran: [] };
      const pipeline = compileRequestStages([stage('a', run, { onFault }), stage('b', () => next)], 'llm', observer);
      const outcome = await pipeline(exchange);
      expect(outcome.verdict.kind).toBe(onFault === 'deny' ? 'deny' : 'next');
      expect(exchange.ran).toEqual(onFault === 'deny' ? ['a'] : ['a', 'b']);
      expect(events[0]).toBe(`fault a ${onFault} Error: broken`);
    }
  });

  test.each([
    ['llm', ['models', 'all']],
    ['mcp', ['tools', 'all']],
    ['a2a', ['agents', 'all']],
  ] as const)('runs for %s only the stages that serve it', (type, ran) => {
    const { observer } = observed();
    const exchange = { ran: [] };
    const stages = [
      stage('models', () => next, { on: ['llm'] }),
      stage('tools', () => next, { on: ['mcp'] }),
      stage('agents', () => next, { on: ['a2a'] }),
      stage('all', () => next, { on: ['llm', 'mcp', 'a2a'] }),
    ];
    expect(compileRequestStages(stages, type, observer)(exchange)).toEqual({ verdict: next, stage: null });
    expect(exchange.ran).toEqual(ran);
  });
});

test('a row that forwards and breaks is answered for, and its fault is told', () => {
  const { observer, events } = observed();
  const refused: unknown[] = [];
  const run = compileForwardStage(row({ name: 'forward', run: fail }, ['llm'], { onFault: 'deny' }), observer);
  run({ exchange: { ran: [] }, deny: (denial, stage) => void refused.push([denial, stage]) });
  expect(refused).toEqual([[{ reason: 'internal_error' }, 'forward']]);
  expect(events).toEqual(['fault forward deny Error: broken']);
});
