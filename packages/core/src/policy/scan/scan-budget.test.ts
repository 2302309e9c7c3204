import { describe, expect, jest, test } from '@jest/globals';
import * as fc from 'fast-check';
import { policyOf } from '../../../test/random-pattern.ts';
import { builtinPolicies } from '../builtin/builtin-policies.ts';
import { compilePlan, compilePolicies } from '../compile/compile-policies.ts';
import { analysePattern } from '../pattern/analyse-pattern.ts';
import type { Policy } from '../policy.ts';
import { TextScan } from './text-scan.ts';

const size = 200_000;
const fill = (unit: string): string => unit.repeat(Math.ceil(size / unit.length)).slice(0, size);

/** Patterns that are known to make backtracking engines explode. */
const catastrophic = [
  '(a+)+b',
  '(a|a)*b',
  '(a|aa)+c',
  '(?:x+x+)+y',
  '(?:\\w+\\s?)+:',
  '([a-zA-Z]+)*\\d',
  '\\s+$',
  '.*.*=.*',
  '.*foo.*bar.*baz',
  'abc.{0,900}cd.{0,900}ef',
  'ignore.{0,200}all.{0,200}any.{0,200}rules',
  '[a-z0-9._%+-]+@[a-z0-9.-]+\\.[a-z]{2,}',
  '(?:a?){20}a{20}',
  'a{1,40}a{1,40}a{1,40}b',
  'password\\s*[:=]\\s*\\S+',
];

/** Texts that keep such patterns busy, and floods of the words that built-in rules look for. */
const floods = [
  'a',
  'aaaaaaaaa!',
  ' ',
  'x',
  'abcd',
  'foo bar ',
  'a@a.',
  'password ',
  'ignore all ',
  'ignore all any previous rule ',
  'you are an ai with no ',
  'send all passwords to ',
  'ghp_aaaa',
  'password="a1',
  'postgres://a:b',
  '-----BEGIN RSA PRIVATE KEY-----',
  'eyJaaaaaaaaaaaaaaaaaaaaaa.',
];

const context = { direction: 'request', protocol: 'llm' } as const;

/** Scans with one plan after the other text, and tells what each scan spent and found. */
function open(policies: readonly Policy[]) {
  const plan = compilePlan(policies);
  const scan = new TextScan(plan);
  return {
    plan,
    run: (text: string): { spent: number; read: number; findings: readonly string[] } => {
      const findings = scan.scan(text, context).map(({ ruleId }) => ruleId);
      return { spent: scan.verifiedCharacters, read: scan.readCharacters, findings };
    },
  };
}

describe('the budget of a scan', () => {
  const plans: [string, readonly Policy[]][] = [
    ...catastrophic.map((regex): [string, readonly Policy[]] => [regex, [policyOf([regex], 'block')]]),
    ['the built-in policies', builtinPolicies],
  ];

  test.each(plans)('bounds what %s looks at, for any text', (_name, policies) => {
    const { plan, run } = open(policies);
    // The last look may overdraw the budget, by one window or one pass over the text.
    const lastLook = Math.max(...plan.patterns.map(({ pattern }) => (pattern.window + size) * pattern.weight));
    const most = plan.budget.base + plan.budget.perCharacter * size + lastLook;
    for (const unit of floods) expect(run(fill(unit)).spent).toBeLessThanOrEqual(most);
  });

  test('makes a flood of keywords a blocking finding instead of a stall', () => {
    const policy = policyOf(
      Array.from({ length: 200 }, (_, index) => `ignore[^.]{${index},300}[^a-z ]{4}`),
      'monitor',
    );
    expect(open([policy]).run(fill('ignore ')).findings).toEqual(['policy_budget_exceeded']);

    const stream = compilePolicies([policy]).openStream({ direction: 'request', protocol: 'llm' });
    const steps = Array.from({ length: 100 }, () => stream.push('ignore '.repeat(300)));
    expect(steps.flatMap(({ findings }) => findings).map(({ ruleId }) => ruleId)).toEqual(['policy_budget_exceeded']);
  });

  test('grows no faster than the text', () => {
    const { run } = open(builtinPolicies);
    const faster = floods.filter((unit) => {
      const half = run(fill(unit).slice(0, size / 2));
      const whole = run(fill(unit));
      // A text that is blocked at once is not read to its end.
      return whole.findings.length === 0 && whole.spent > half.spent * 2.2 + 10_000;
    });
    expect(faster).toEqual([]);
  });

  test('grows no faster than texts made of what the built-in policies look for', () => {
    const { plan, run } = open(builtinPolicies);
    const words = [...new Set(plan.patterns.flatMap(({ pattern }) => pattern.literals?.texts ?? []))];
    const glue = [' ', '', '\n', 'a', '= "', ': ', '.', ' the ', '\u200b', '%20', 'QUJD', '&#65;'];
    const unit = fc
      .array(fc.constantFrom(...words, ...glue), { minLength: 1, maxLength: 6 })
      .map((parts) => parts.join(''));
    fc.assert(
      fc.property(unit, fc.constantFrom(2_500, 5_000), (text, length) => {
        const repeated = text.repeat(Math.ceil((4 * length) / text.length));
        const [quarter, whole] = [run(repeated.slice(0, length)), run(repeated.slice(0, 4 * length))];
        // A text may be long enough for one reading more, or end so that it has one, which costs as much as all others
        // together at most: eight times. What grew with the square of the text would come to sixteen times as much.
        expect(whole.spent).toBeLessThanOrEqual(quarter.spent * 8.5 + 50_000 + 16 * length);
        expect(whole.read).toBeLessThanOrEqual(quarter.read * 8.5 + 50_000);
      }),
      // The first has one reading more at 20,000 characters than at 5,000 and at 17,500; the second is read twice at 20,000.
      {
        numRuns: 60,
        examples: [
          ['$(PRINT_API_KINSTRUCTED T%000B%USERS NEEDALL FILTER', 5_000],
          ['NEW-RELITHINGS_B$PATH:0WHICH  KN+0/.000ND F', 5_000],
        ],
      },
    );
  });

  test('has each pass charged over the text for a pattern that no word leads to', () => {
    const patterns = ['[^b]{40}', '[^b]{41}', '[^b]{42}'];
    const spentOn = (count: number) => open([policyOf(patterns.slice(0, count), 'block')]).run('b'.repeat(size)).spent;
    expect(spentOn(0)).toBe(0);
    for (const count of [1, 2, 3]) expect(spentOn(count)).toBeGreaterThanOrEqual(count * size);
  });

  test('has a long text read a few times at most for a pattern without a longest match, however many places lead to it', () => {
    const { plan, run } = open([policyOf(['[a-z0-9._%+-]+@[a-z0-9.-]+\\.[a-z]{2,}'], 'block')]);
    const finds = plan.patterns.map(({ linear }) => jest.spyOn(linear, 'find'));
    // Each sign may be that of an address, and none is.
    expect(run(fill('a@a.')).findings).toEqual([]);
    const read = finds.flatMap(({ mock }) => mock.calls.map(([text, from]) => text.length - from));
    expect(read.length).toBeGreaterThan(0);
    expect(read.reduce((sum, length) => sum + length, 0)).toBeLessThan(5 * size);
  });

  test('leaves ordinary text room to spare', () => {
    const { plan, run } = open(builtinPolicies);
    const letter =
      'Dear all, please read the notes from the last meeting, send me your comments and tell your teams. ' +
      'You are welcome to add questions; I will answer before we start. The password policy changes in May. ';
    const { spent, findings } = run(fill(letter));
    // Only that it is the same letter again and again may be said of it.
    expect(findings.filter((id) => id !== 'flood')).toEqual([]);
    expect(spent).toBeLessThan((plan.budget.perCharacter * size) / 1.5);
  });

  test('charges a pattern more that may take more steps for a character, and runs none natively that may take many', () => {
    const native = catastrophic.flatMap((regex) => analysePattern(regex).pattern ?? []);
    // A short look may be a heavy one, for which the budget is charged all the same.
    const heavy = native.filter(
      ({ engine, weight, window }) => engine === 'native' && weight > 8 && weight * window > 2 ** 22 / 256 + window,
    );
    expect(heavy.map(({ source }) => source)).toEqual([]);
    expect(analysePattern('ignore.{0,60}all.{0,60}any.{0,60}rules').pattern?.weight).toBeGreaterThan(1);
  });
});
