import { judge, type Attack } from '../attack.ts';

/** Takes V8 longer than a minute to compile. */
const pattern = { regex: `${'[a-z]?'.repeat(90)}zqabc`, flags: 'iy' };
const compilable = { ...pattern, flags: 'i' };
const document = { name: 'security-heavy', rules: [{ id: 'a', patterns: [compilable] }] };
/** Each compiles or matches in time that grows with a power of its length. */
const others = [
  `${'(?:a|b)?'.repeat(200)}c`,
  `${'(?:'.repeat(40)}a${'{1,9})'.repeat(40)}`,
  `(?:${'[a-z]{0,100}'.repeat(20)})x`,
  '(a+)+$',
  `${'(?=.*a)'.repeat(100)}b`,
].map((regex) => ({ regex, flags: 'i' }));
const longestWaitMs = 3_000;

export const slowPatterns: readonly Attack[] = [
  {
    name: 'a viewer has a pattern analysed that compiles for a minute',
    attacker: 'viewer',
    expected: '403 on every route that compiles patterns',
    async run({ viewer }) {
      const statuses = await Promise.all([
        viewer.call('POST', '/policies/patterns/analyze', { patterns: [compilable] }),
        viewer.call('POST', '/policies/validate', { document }),
        viewer.call('POST', '/policies/test', { policy: document, test_content: ['x'] }),
        viewer.call('POST', '/policies', { document }),
      ]);
      const faults = statuses.filter(({ status }) => status !== 403).map(({ status }) => `answered ${status}`);
      return judge(faults, '403 four times');
    },
  },
  {
    name: 'an operator has such patterns analysed, tested and validated a hundred times over',
    attacker: 'operator',
    expected: `refused by weight, and no caller waits for ${longestWaitMs / 1_000} s`,
    async run({ operator, measureWaits }) {
      const patterns = [compilable, ...others];
      const faults: string[] = [];
      const waitedMs = await measureWaits(async () => {
        const answers = await Promise.all([
          operator.call<{ patterns: readonly { valid: boolean; verdict: string }[] }>(
            'POST',
            '/policies/patterns/analyze',
            { patterns: Array.from({ length: 96 }, (_, index) => patterns[index % patterns.length]) },
          ),
          operator.call('POST', '/policies/validate', { document }),
          operator.call('POST', '/policies/test', { policy: document, test_content: ['x'] }),
        ]);
        const [analysed, validated, tested] = answers;
        const heavy = analysed.data.patterns.filter((_, index) => index % patterns.length === 0);
        if (heavy.some(({ verdict }) => verdict !== 'refused')) faults.push('the analysis took the pattern');
        if ((validated.data as { valid: boolean }).valid) faults.push('the validation took the pattern');
        if (tested.status !== 400) faults.push(`the trial answered ${tested.status}`);
      });
      if (waitedMs > longestWaitMs) faults.push(`others waited ${Math.round(waitedMs)} ms`);
      return judge(faults, 'refused, and no caller waited');
    },
  },
];
