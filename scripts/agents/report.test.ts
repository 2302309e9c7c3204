import { describe, expect, test } from '@jest/globals';
import type { Examination } from './examine-agent.ts';
import type { Verdict } from './ledger.ts';
import { isPassed, renderReport } from './report.ts';

const verdict = (policy: string, change: Partial<Verdict> = {}): Verdict => ({
  policy,
  blocked: 0,
  requests: 3,
  findings: [],
  ...change,
});

const examination = (change: Partial<Examination> = {}): Examination => ({
  agent: 'mason',
  title: 'Mason',
  version: '1.2.3',
  undone: [],
  verdicts: [verdict('first'), verdict('second')],
  hindered: [],
  tellsRefusal: true,
  answered: 10,
  ...change,
});

const finding = (action: 'block' | 'redact' | 'monitor') =>
  ({ policy: 'second', rule: `rule-${action}`, action, location: '/messages/0', task: 'edit' }) as const;

describe('the table', () => {
  test('has a column for each policy, and says what was found where', () => {
    const blocked = verdict('second', { blocked: 2, findings: [finding('block'), finding('monitor')] });
    const text = renderReport([examination({ verdicts: [verdict('first'), blocked] })], ['Potter is missing: gone']);
    expect(text).toBe(`| agent | first | second | tasks with all that passed | shows refusals | goes on after a block |
| --- | --- | --- | --- | --- | --- |
| Mason 1.2.3 | passed | BLOCKED 2 of 3 | done | yes | 10 of 10 |

- Potter is missing: gone
- Mason, second: block \`rule-block\` at /messages/0 (edit)
- Mason, second: monitor \`rule-monitor\` at /messages/0 (edit)
`);
  });

  test('counts what was redacted and reported without standing in the way', () => {
    const text = renderReport(
      [examination({ verdicts: [verdict('second', { findings: [finding('redact'), finding('monitor')] })] })],
      [],
    );
    expect(text).toContain('| passed, 1 redacted, 1 reported |');
  });

  test('says nothing of policies where the agent did not do its tasks without them', () => {
    const text = renderReport([examination({ undone: ['edit: the file was not mended'], tellsRefusal: false })], []);
    expect(text).toContain('| Mason 1.2.3 | not driven | not driven | not driven | no |');
    expect(text).toContain('- Mason did not do edit: the file was not mended');
  });
});

describe('passes', () => {
  test.each([
    ['nothing stood in the way', {}, true],
    ['a policy blocked', { verdicts: [verdict('first', { blocked: 1 })] }, false],
    ['a task was hindered', { hindered: ['edit: the file was not mended'] }, false],
    ['a session did not go on', { answered: 9 }, false],
    ['a task was not done without policies', { undone: ['edit: the file was not mended'] }, false],
  ])('%s', (_what, change, passed) => {
    expect(isPassed([examination(), examination(change)])).toBe(passed);
  });
});
