import { expect, test } from '@jest/globals';
import { observeRequestRow, observeResponseRow } from './observe-stages.ts';
import { deny, next, row, type RequestStage, type ResponseFilter, type Verdict } from './stage.ts';

const observed = (run: RequestStage<object>['run']) => {
  const told: (Verdict | undefined)[] = [];
  const { stage } = observeRequestRow(row({ name: 'stage', run }, ['llm']), () => (verdict) => void told.push(verdict));
  return { stage, told };
};

test.each<[string, Verdict]>([
  ['what passes', next],
  ['what is refused', deny('key_missing')],
])('%s is told, at once and later, and goes on', async (_what, verdict) => {
  const soon = observed(() => verdict);
  expect(soon.stage.run({})).toBe(verdict);
  const late = observed(() => Promise.resolve(verdict));
  expect(await late.stage.run({})).toBe(verdict);
  expect([soon.told, late.told]).toEqual([[verdict], [verdict]]);
});

test('a fault is told as nothing, and stays a fault', async () => {
  const broken = new Error('broken');
  const soon = observed(() => {
    throw broken;
  });
  expect(() => soon.stage.run({})).toThrow(broken);
  const late = observed(() => Promise.reject(broken));
  await expect(late.stage.run({})).rejects.toThrow(broken);
  expect([soon.told, late.told]).toEqual([[undefined], [undefined]]);
});

test('a filter is asked through its observer, and stays what it is', () => {
  const events: unknown[] = [];
  const filter: ResponseFilter<string> = {
    push: (unit) => ({ kind: 'release', units: [unit] }),
    end: () => ({ kind: 'hold' }),
    waiting: true,
    close: () => void events.push('closed'),
  };
  const rows = [filter, undefined].map((each) =>
    observeResponseRow(row({ name: 'filter', open: () => each }, ['llm']), () => (given, question) => {
      events.push(given);
      return question();
    }),
  );
  const [opened, none] = rows.map(({ stage }) => stage.open({}, () => undefined));
  expect(none).toBeUndefined();
  expect(opened?.push('a')).toEqual({ kind: 'release', units: ['a'] });
  expect(opened?.end()).toEqual({ kind: 'hold' });
  expect(opened?.wake?.()).toEqual({ kind: 'hold' });
  expect(opened).toMatchObject({ waiting: true, congested: false });
  opened?.close?.();
  expect(events).toEqual(['a', undefined, undefined, 'closed']);
});
