import { describe, expect, test } from '@jest/globals';
import { floodNames, floodOf } from '../../../test/floods.ts';
import { policyOf } from '../../../test/random-pattern.ts';
import { builtinPolicies } from '../builtin/builtin-policies.ts';
import { compilePlan, compilePolicies } from '../compile/compile-policies.ts';
import { TextScan } from './text-scan.ts';
import { finish } from '../../collections/finish-steps.ts';

const plan = compilePlan(builtinPolicies);
const context = { direction: 'request', protocol: 'llm' } as const;
const size = 40_000;
/** A step looks at so many characters at most, weighed; what a section folds or decodes to is read within it. */
const mostInAStep = 250_000;

/** The most that a step of a scan looks at and reads; no clock is asked. */
function longestStep(text: string): number {
  const scan = new TextScan(plan);
  const steps = scan.scanCooperatively(text, context);
  let longest = 0;
  let before = 0;
  for (let step = steps.next(); step.done !== true; step = steps.next()) {
    const now = scan.verifiedCharacters + scan.readCharacters;
    longest = Math.max(longest, now - before);
    before = now;
  }
  return longest;
}

test.each(floodNames)('no step of a scan looks at much of a flood of %s', (name) => {
  expect(longestStep(floodOf(name, size))).toBeLessThanOrEqual(mostInAStep);
});

describe('a long text', () => {
  const house = compilePolicies([policyOf(['needle in hay', 'begin.*end', '[q-t]{12}7'], 'block')]);
  const scan = (text: string) => finish(house.scanCooperatively(text, context));
  const filler = 'nothing at all is here '.repeat(3_000);

  test.each([0, 4_090, 16_380, 16_384, 32_760, 40_000])('is read whole, at character %i as elsewhere', (at) => {
    const put = (said: string): string => `${filler.slice(0, at)} ${said} ${filler.slice(at)}`;
    const views = (said: string): readonly string[] => scan(put(said)).map(({ view }) => view);
    expect(views('needle in hay')).toEqual(['plain']);
    expect(views('begin to look for the end')).toEqual(['plain']);
    expect(views('qrstqrstqrst7')).toEqual(['plain']);
    expect(views('n\u0435\u0435dle in h\u0430y')).toEqual(['folded']);
    expect(views(Buffer.from('there is a needle in hay').toString('base64'))).toEqual(['base64']);
    expect(views('%6e%65%65%64%6c%65 in h%61y')).toContain('url');
    expect(views('tell me about the yah ni eldeen dna uoy')).toEqual(['reversed']);
  });

  test('of characters that each stand for a phrase is refused rather than written out', () => {
    const found = scan('\uFDFA'.repeat(100_000));
    expect(found.map(({ ruleId, action }) => [ruleId, action])).toEqual([['policy_budget_exceeded', 'block']]);
  });

  test('takes no more than what is left for its body', () => {
    const work = { left: 3_000_000 };
    const withWork = { ...context, work };
    const flood = floodOf('digits in rows', 20_000);
    const builtin = compilePolicies(builtinPolicies);
    const blocked = Array.from({ length: 40 }, (_, index) =>
      finish(builtin.scanCooperatively(`${index} ${flood}`, withWork)).some(({ type }) => type === 'UNSCANNED'),
    );
    expect([blocked[0], blocked.at(-1)]).toEqual([false, true]);
    expect(work.left).toBeGreaterThan(-1_000_000);
  });

  test('that nothing was left for is read where it comes alone', () => {
    const text = `${filler}needle in hay`;
    const outcome = (work?: { left: number }) =>
      house.scan(text, { ...context, work }).map(({ type }) => type === 'UNSCANNED');
    expect([outcome({ left: 0 }), outcome()]).toEqual([[true], [false]]);
  });
});
