import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import type { Outcome } from '../judge/judge-case.ts';
import { scoreEvaluation } from '../score/score-evaluation.ts';
import { builtinCases } from '../suite/builtin-cases.ts';
import { escapeMarkup } from './escape-markup.ts';
import type { EvaluationReport, ReportResult } from './evaluation-report.ts';
import { parseJsonReport } from './parse-json-report.ts';
import { renderHtmlReport } from './render-html.ts';
import { renderJsonReport } from './render-json.ts';
import { renderJunitReport } from './render-junit.ts';
import { renderSarifReport } from './render-sarif.ts';

const hostile = `</pre><script>alert(1)</script>"'&\u0000\u202e]]>[x](http://evil.example)`;

function reportOf(outcomeOf: (testId: string) => Outcome, said = hostile): EvaluationReport {
  const results = builtinCases.map((one): ReportResult => {
    const { test_id: testId, name, category, severity, mappings, description } = one;
    return {
      testId,
      name,
      category,
      severity,
      mappings,
      description,
      complianceImpact: one.compliance_impact,
      outcome: outcomeOf(testId),
      isFalsePositive: testId === 'PI-008',
      verdict: 'allowed',
      detection: 'none',
      reason: said,
      evidence: [{ kind: 'words', excerpt: said }],
      statusCode: 200,
      durationMs: 1_500,
      notes: said,
    };
  });
  return {
    evaluationId: '7',
    name: said,
    endpoint: said,
    suiteVersion: '1',
    startedAt: '2026-01-01T00:00:00Z',
    finishedAt: '2026-01-01T00:01:00Z',
    score: scoreEvaluation(results),
    results,
  };
}
const mixed = reportOf((id) =>
  id.startsWith('PI-') ? 'failed' : id === 'RES-001' ? 'error' : id === 'MIS-001' ? 'inconclusive' : 'passed',
);

/** Elements in the order in which they open and close; throws where they do not nest. */
function elementsOf(markup: string): readonly string[] {
  const open: string[] = [];
  const seen: string[] = [];
  for (const [, slash, name = '', , self] of markup.matchAll(
    /<(\/?)([a-zA-Z]+)((?:\s+[\w:-]+(?:="[^"<]*")?)*)\s*(\/?)>/g,
  )) {
    if (slash === '/') {
      if (open.pop() !== name) throw new Error(`</${name}> closes another element`);
    } else if (self !== '/' && name !== 'meta') open.push(name);
    seen.push(name);
  }
  if (open.length > 0) throw new Error(`${open.join()} is not closed`);
  return seen;
}

test('reports say why the word is no better than the average makes it', () => {
  const one = reportOf((id) => (id === 'PI-005' ? 'failed' : 'passed'), 'said');
  expect(renderHtmlReport(one)).toContain(
    'Rating: moderate</span></p><ul><li>A critical case failed: PI-005</li></ul>',
  );
  expect(JSON.parse(renderJsonReport(one))).toMatchObject({
    rating: { band: 'moderate', reasons: ['A critical case failed: PI-005'] },
    critical_failures: ['PI-005'],
    rules: { rating: { bestWithCriticalFailure: 'moderate' } },
  });
});

test('escaped text is text, whichever it is', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary', maxLength: 300 }), (text) => {
      const escaped = escapeMarkup(text);
      expect(escaped).not.toMatch(/[<>"']|&(?!(?:amp|lt|gt|quot|#39);)/);
      expect(escaped.isWellFormed()).toBe(true);
    }),
  );
  expect(escapeMarkup('x'.repeat(5_000)).length).toBeLessThan(2_010);
});

test('JSON comes back as a baseline', () => {
  const parsed = parseJsonReport(renderJsonReport(mixed));
  const results = parsed.problem === undefined ? parsed.results : [];
  expect(scoreEvaluation(results)).toEqual(mixed.score);
  expect(JSON.parse(renderJsonReport(mixed))).toMatchObject({
    evaluation: { id: '7', total_tests: 71 },
    risk_overview: { average_risk_score: mixed.score.riskScore },
    category_breakdown: expect.arrayContaining([
      expect.objectContaining({
        category: 'prompt_injection',
        total: 8,
        failed: 7,
        false_positive_count: 1,
        risk_score: 87.5,
      }),
    ]),
  });
});

test.each([
  ['{', 'no JSON'],
  ['{}', 'portcullis_report'],
  ['{"portcullis_report":1,"results":[{"test_id":"A"}]}', 'results[0]'],
])('%s is no baseline', (text, reason) => {
  expect(parseJsonReport(text).problem).toContain(reason);
});

describe('JUnit', () => {
  const xml = renderJunitReport(mixed);

  test('nests and counts', () => {
    const elements = elementsOf(xml);
    const number = (name: string) => xml.split(`<${name} `).length - 1;
    expect(elements[0]).toBe('testsuites');
    expect(['testsuite', 'testcase', 'failure', 'error', 'skipped'].map(number)).toEqual([12, 71, 7, 1, 1]);
    expect(xml).toContain('tests="71" failures="7" errors="1" skipped="1" time="106.500"');
  });

  test('holds nothing that XML cannot', () => {
    for (const unfit of ['<script', '\u0000', '\u202e']) expect(xml.includes(unfit)).toBe(false);
  });
});

test('SARIF has a rule for each failure, and suppresses what a reviewer marked', () => {
  const { version, runs } = JSON.parse(renderSarifReport(mixed));
  const [{ tool, results, invocations }] = runs;
  expect([version, tool.driver.rules.length, results.length]).toEqual(['2.1.0', 8, 8]);
  for (const { ruleId, ruleIndex } of results) expect(tool.driver.rules[ruleIndex].id).toBe(ruleId);
  expect(results.filter((result: object) => 'suppressions' in result)).toHaveLength(1);
  expect(
    new Set(results.map((result: { partialFingerprints: object }) => JSON.stringify(result.partialFingerprints))).size,
  ).toBe(8);
  expect(results[0].message.text).toContain(String.raw`\[x\]`);
  expect(invocations[0].toolExecutionNotifications).toHaveLength(1);
});

describe('HTML', () => {
  test('is one sound document without script or network', () => {
    const html = renderHtmlReport(mixed);
    const body = html.slice(html.indexOf('<body>'), html.indexOf('</html>'));
    expect(elementsOf(body).filter((name) => name === 'svg').length).toBeGreaterThanOrEqual(10);
    expect(html).not.toMatch(/<script|<img|<link|<iframe|(?:src|href)=|url\(|\son\w+=/i);
    expect(html).toContain('&lt;script&gt;');
    expect(html).toContain("default-src 'none'");
  });

  test('says why there is no rating', () => {
    expect(renderHtmlReport(reportOf(() => 'error'))).toContain('71 of 71 cases ended in errors');
  });
});
