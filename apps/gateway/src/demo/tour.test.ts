import { expect, test } from '@jest/globals';
import { runTour, type Outcome, type Step } from './tour.ts';

const step = (what: string, expected: number | string, outcome: Outcome | Error): Step => ({
  what,
  expected,
  run: async () => {
    if (outcome instanceof Error) throw outcome;
    return outcome;
  },
});

test('writes a row for each step, names what was not expected, and goes on after a failure', async () => {
  const lines: string[] = [];
  const steps = [
    step('Knock', 200, { status: 200, result: 'come\n in' }),
    step('Shout', 403, { status: 200, result: 'louder' }),
    step('Fall', 200, new Error('no floor')),
    step('Ramble', 'done', { status: 'done', result: 'x'.repeat(200) }),
  ];
  expect(await runTour(steps, (line) => lines.push(line), undefined)).toBe(2);

  const cells = lines.map((line) => [line.slice(2, 6), line.slice(6, 56), line.slice(56, 67), line.slice(67)]);
  expect(cells.map((row) => row.map((cell) => cell.trim()))).toEqual([
    ['#', 'step', 'status', 'result'],
    ['--', '-'.repeat(48), '------', '------'],
    ['1', 'Knock', '200', 'come in'],
    ['2', 'Shout', '200', '(expected 403) louder'],
    ['3', 'Fall', 'failed', '(expected 200) no floor'],
    ['4', 'Ramble', 'done', `${'x'.repeat(99)}…`],
  ]);
});
