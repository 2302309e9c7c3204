import {
  analysePatterns,
  testPolicy,
  type PatternVerdict,
  type TestedText,
} from '@portcullis/contracts/routes/policy-tests';
import type { PolicyReport } from '@portcullis/contracts/routes/policies';
import type { Problem } from '@portcullis/contracts/envelope';
import { compilePolicies } from '@portcullis/core/policy/plan/compile-policies';
import { explainText, type Explanation } from '@portcullis/core/policy/verdict/explain-text';
import { parsePattern } from '@portcullis/core/policy/file/parse-pattern';
import { analysePattern } from '@portcullis/core/policy/pattern/analyse-pattern';
import { originSet } from '@portcullis/core/policy/origins';
import type { CompileReport, PatternNote, Policy } from '@portcullis/core/policy/policy';
import type { Database } from '@portcullis/platform/database/database';
import { bind, type BoundRoute } from '@portcullis/platform/http/bound-route';
import { GatewayError } from '@portcullis/platform/http/gateway-error';
import { findPolicyByName } from './policy-queries.ts';
import { parseFileOrThrow } from './save-policy.ts';

/** Characters of all sample texts together: more would keep other callers waiting. */
const maxCharacters = 1_000_000;
/** Findings shown of one text. */
const maxFindings = 200;

export const policyTestRoutes = (database: Database): BoundRoute[] => [
  bind(testPolicy, async ({ body }) => {
    checkSize(body.test_content);
    const policies = await loadPolicies(database, body.policy, body.policy_names);
    const plan = compilePolicies(policies);
    const { direction = 'request', protocol = 'llm', role, origin, tool, model, path } = body;
    const origins = origin && originSet(origin);
    const context = { direction, protocol, role, origins, tool, model, path };
    const results = body.test_content.map((text, index) =>
      renderTested(
        index,
        explainText(plan, text, context, () => performance.now()),
      ),
    );
    return { data: { results, report: renderReport(plan.report) } };
  }),

  bind(analysePatterns, ({ body }) => ({ data: { patterns: body.patterns.map(judgePattern) } })),
];

function checkSize(texts: readonly string[]): void {
  const characters = texts.reduce((sum, text) => sum + text.length, 0);
  if (characters <= maxCharacters) return;
  const rule = `must have at most ${maxCharacters} characters in all`;
  throw new GatewayError('bad_request', { problems: [{ path: '/body/test_content', rule }] });
}

async function loadPolicies(
  database: Database,
  file: unknown,
  names: readonly string[] | undefined,
): Promise<readonly Policy[]> {
  const policies: Policy[] = file === undefined ? [] : [parseFileOrThrow(file, '/body/policy')];
  for (const [index, name] of (names ?? []).entries()) {
    const row = await findPolicyByName(database, name);
    if (row === undefined) {
      const rule = `must name a policy: there is no ${JSON.stringify(name)}`;
      throw new GatewayError('bad_request', { problems: [{ path: `/body/policy_names/${index}`, rule }] });
    }
    policies.push(row.document);
  }
  if (policies.length > 0) return policies;
  throw new GatewayError('bad_request', {
    problems: [{ path: '/body/policy', rule: 'must be given, or policy_names' }],
  });
}

const renderTested = (index: number, { action, findings, redacted, durationUs }: Explanation): TestedText => ({
  index,
  action,
  findings: findings.slice(0, maxFindings).map((finding) => ({
    policy_name: finding.policyName,
    rule_id: finding.ruleId,
    rule_name: finding.ruleName,
    severity: finding.severity,
    category: finding.category,
    action: finding.action,
    type: finding.type,
    confidence: finding.confidence,
    view: finding.view,
    mapped: finding.mapped,
    start: finding.start,
    end: finding.end,
    evidence: finding.evidence,
    signals: finding.signals === undefined ? null : [...finding.signals],
  })),
  findings_total: findings.length,
  redacted,
  duration_us: durationUs,
});

/** What compiling made of the policies, with the pattern notes of an author's own file. */
export function renderReport(report: CompileReport): PolicyReport {
  const { rules, patterns, literals } = report;
  const places = (notes: readonly PatternNote[]) =>
    notes.slice(0, maxFindings).map(({ ruleId, place }) => ({ ruleId, place }));
  return {
    rules,
    patterns,
    literals,
    unanchored: places(report.unanchored),
    unbounded: places(report.unbounded),
    linear: places(report.linear),
  };
}

function judgePattern(given: unknown): PatternVerdict {
  const problems: Problem[] = [];
  const parsed = parsePattern(given, '', { kind: 'regex' }, problems);
  const { pattern, reason } =
    parsed === undefined ? { reason: problems[0]?.rule ?? 'is not a pattern' } : analysePattern(parsed);
  if (pattern === undefined) {
    return {
      pattern: given,
      valid: false,
      verdict: 'refused',
      reason: reason ?? null,
      bounded: false,
      max_length: null,
      literals: [],
      weight: 0,
    };
  }
  return {
    pattern: given,
    valid: true,
    verdict: pattern.engine === 'linear' ? 'linear' : pattern.literals === undefined ? 'everywhere' : 'fast',
    reason: null,
    bounded: pattern.bounded,
    max_length: pattern.bounded ? pattern.maxLength : null,
    literals: (pattern.literals?.texts ?? []).slice(0, 50).map((text) => text.toLowerCase()),
    weight: pattern.weight,
  };
}
