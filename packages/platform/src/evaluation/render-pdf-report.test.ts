import { expect, test } from '@jest/globals';
import type { EvaluationReport, ReportResult } from '@portcullis/core/evaluation/report/evaluation-report';
import { scoreEvaluation } from '@portcullis/core/evaluation/score/score-evaluation';
import { builtinCases } from '@portcullis/core/evaluation/suite/builtin-cases';
import { extractText, getDocumentProxy } from 'unpdf';
import { renderPdfReport } from './render-pdf-report.ts';

function reportOf(cases: number, said: string, outcome: ReportResult['outcome'] = 'failed'): EvaluationReport {
  const results = Array.from({ length: cases }, (_, index): ReportResult => {
    const one = builtinCases[index % builtinCases.length] as (typeof builtinCases)[number];
    return {
      testId: index < builtinCases.length ? one.test_id : `CUSTOM-${index}`,
      name: one.name,
      description: one.description,
      complianceImpact: one.compliance_impact,
      category: one.category,
      severity: one.severity,
      mappings: one.mappings,
      outcome: index % 3 === 0 ? outcome : 'passed',
      verdict: 'allowed',
      detection: 'none',
      reason: said,
      evidence: [{ kind: 'words', excerpt: said }],
      statusCode: 200,
      durationMs: 10,
      isFalsePositive: index === 3,
      notes: index === 3 ? 'seen by hand' : '',
    };
  });
  return {
    evaluationId: '7',
    name: 'Nightly',
    endpoint: 'chat of the house',
    suiteVersion: '1',
    startedAt: '2026-01-01T00:00:00.000Z',
    finishedAt: '2026-01-01T00:01:00.000Z',
    score: scoreEvaluation(results),
    results,
  };
}

async function read(report: EvaluationReport): Promise<readonly string[]> {
  const file = await renderPdfReport(report);
  expect(Buffer.from(file.subarray(0, 5)).toString()).toBe('%PDF-');
  const { text } = await extractText(await getDocumentProxy(new Uint8Array(file)), { mergePages: false });
  return text;
}

test('tells the scores, the categories, each failure with its evidence, and all results', async () => {
  const report = reportOf(71, 'the planted value came out');
  const pages = await read(report);
  const text = pages.join('\n');
  expect(pages.length).toBeGreaterThan(4);
  expect(pages[0]).toContain('Guardrails evaluation: Nightly');
  expect(pages[0]).toContain('chat of the house');
  expect(pages[0]).toContain(`Rating: ${report.score.rating.band}`);
  expect(pages[0]).toContain(report.score.riskScore?.toFixed(0));
  for (const word of ['Risk by category', 'Prompt injection', 'OWASP Top 10 for LLM Applications 2025', 'LLM01'])
    expect(text).toContain(word);
  expect(text).toContain('words: the planted value came out');
  expect(text).toContain('Note: seen by hand');
  for (const { testId } of report.results) expect(text).toContain(testId);
  expect(pages.at(-1)).toContain(`${pages.length} of ${pages.length}`);
});

test.each([
  ['in other scripts', 'Ответ: 漢字 שלום 😀 مرحبا', 'characters in Cyrillic]'],
  ['without a blank', 'x'.repeat(5_000), 'xxxx'],
  ['with controls and what turns directions', 'a\u202e\u0000\u0007b\r\n\u2028c', 'ab'],
  ['of nothing', '', 'None'],
])('is read by every reader with texts %s', async (_, said, expected) => {
  const text = (await read(reportOf(12, said, said === '' ? 'passed' : 'failed'))).join('\n');
  expect(text).toContain(expected);
  expect(text).toContain('Appendix: all results');
});

test('of a run without a score, and of one with more cases than are told one by one', async () => {
  expect((await read(reportOf(0, ''))).join('\n')).toContain('no score');
  const many = await read(reportOf(900, 'it did'));
  expect(many.join('\n')).toContain('are in the table of all results');
  // Titles of the columns stand on each page of the table.
  expect(many.at(-1)).toContain('Outcome');
}, 60_000);
