import { afterEach, describe, expect, jest, test } from '@jest/globals';
import { floodNames, floodOf } from '../../../test/floods.ts';
import { builtinPolicies } from '../builtin/builtin-policies.ts';
import { compilePlan } from '../compile/compile-policies.ts';
import { phoneNumber } from '../detectors/phone-number.ts';
import { TextScan } from './text-scan.ts';

const context = { direction: 'request', protocol: 'llm' } as const;
const plan = compilePlan(builtinPolicies);
const scan = new TextScan(plan);

/** What a scan in steps comes to. Nothing here asks a clock. */
function costOf(name: string, size: number) {
  const confirm = jest.spyOn(phoneNumber, 'confirm');
  const text = floodOf(name, size);
  const counted = scan.scanCooperatively(text, context);
  let steps = 1;
  let step = counted.next();
  for (; step.done !== true; step = counted.next()) steps += 1;
  const isBlocked = step.value.some(({ type }) => type === 'UNSCANNED');
  const lookups = confirm.mock.calls.length;
  confirm.mockRestore();
  return {
    steps,
    isBlocked,
    lookups,
    spent: scan.verifiedCharacters,
    read: scan.readCharacters,
    findings: step.value.length,
  };
}

afterEach(() => {
  jest.restoreAllMocks();
});

describe.each(floodNames)('a flood of %s', (name) => {
  test('costs no more for each character the longer it is', () => {
    // Both are read in sections, whose overlaps shorter texts have none of.
    const [half, whole] = [costOf(name, 40_000), costOf(name, 80_000)];
    expect(whole.spent).toBeLessThanOrEqual(2.2 * half.spent + 50_000);
    expect(whole.read).toBeLessThanOrEqual(2.2 * half.read + 50_000);
    // A text that is blocked is not read to its end; short readings are one step.
    const most = half.isBlocked ? Infinity : 2.5 * half.steps + 150;
    expect(whole.steps).toBeLessThanOrEqual(most);
  });

  test('lets others go on many times, and has a bounded number of lookups and findings', () => {
    const whole = costOf(name, 60_000);
    expect(whole.steps).toBeGreaterThan(5);
    expect(whole.lookups).toBeLessThanOrEqual(2_048);
    expect(whole.findings).toBeLessThanOrEqual(30_000);
  });
});
