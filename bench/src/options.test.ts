import { expect, test } from '@jest/globals';
import { gateContestants } from './gate.ts';
import { parseOptionsOrThrow, UsageProblem } from './options.ts';

const parse = (line: string) => parseOptionsOrThrow(line.split(' ').filter(Boolean), ['direct', 'nginx', 'portkey']);

test('without options five rounds of everyone', () => {
  expect(parse('')).toMatchObject({ settings: { rounds: 5 }, json: false });
  expect(parse('').only).toBeUndefined();
});

test('options are read', () => {
  const options = parse('--quick --rounds 7 --only nginx,portkey --json');
  expect(options).toMatchObject({ settings: { rounds: 7 }, only: ['nginx', 'portkey'], json: true });
  expect(options.settings.maxMs).toBeLessThanOrEqual(100_000);
});

test('the gate has contestants and rounds of its own', () => {
  const options = parseOptionsOrThrow(['--gate'], gateContestants);
  expect(options).toMatchObject({ gate: true, only: gateContestants, settings: { rounds: 3, soakRequests: 1 } });
});

test.each([
  ['--rounds 0', '--rounds must be an integer from 1 to 50'],
  ['--rounds many', '--rounds must be an integer'],
  ['--only envoy', '--only knows direct, nginx, portkey; not "envoy"'],
  ['--quick --long', 'exclude each other'],
  ['--gate --quick', '--gate goes with none of'],
  ['--fast', "Unknown option '--fast'"],
  ['now', 'Unexpected argument'],
])('%s is refused', (line, problem) => {
  expect(() => parse(line)).toThrow(UsageProblem);
  expect(() => parse(line)).toThrow(problem);
});
