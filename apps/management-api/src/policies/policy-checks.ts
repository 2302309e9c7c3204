import type { Problem } from '@portcullis/contracts/envelope';
import type { PolicyReport, PolicyValidation } from '@portcullis/contracts/routes/policies';
import type { PolicyExam } from '@portcullis/contracts/policy-exam';
import type { PatternVerdict, TestedText } from '@portcullis/contracts/routes/policy-tests';
import type { PolicySample, SampleRun } from '@portcullis/contracts/routes/policy-samples';
import { originSet } from '@portcullis/core/policy/origins';
import { examinePolicies, type ExamTask } from '@portcullis/core/evaluation/exam/examine-policies';
import { roundTo } from '@portcullis/core/numbers/round-to';
import { parsePattern } from '@portcullis/core/policy/file/parse-pattern';
import { parsePolicyFile, type ParsedPolicyFile } from '@portcullis/core/policy/file/parse-policy-file';
import { analysePattern } from '@portcullis/core/policy/pattern/analyse-pattern';
import {
  ExceptionTable,
  type ExceptedTraffic,
  type PolicyException,
} from '@portcullis/core/policy/exceptions/exception-table';
import { compilePolicies } from '@portcullis/core/policy/compile/compile-policies';
import type { CompileReport, PatternNote, Policy, ScanContext } from '@portcullis/core/policy/policy';
import { explainText, type Explanation } from '@portcullis/core/policy/verdict/explain-text';

/**
 * Checks of policies that authors send. They run in a thread of their own (`policy-checks.worker.ts`):
 * with any patterns, documents and texts, other requests do not wait for them.
 */
export const policyChecks = {
  /** Reads a policy file. */
  parse: (document: unknown): ParsedPolicyFile => parsePolicyFile(document),

  /** Reads a policy file and tells what compiling makes of it. */
  validate(document: unknown): PolicyValidation {
    const { policy, problems = [] } = parsePolicyFile(document);
    if (policy === undefined) return { valid: false, problems: [...problems] };
    return { valid: true, problems: [], report: renderReport(compilePolicies([policy]).report) };
  },

  analyse: (patterns: readonly unknown[]): PatternVerdict[] => patterns.map(judgePattern),

  /** What policies find in texts. */
  test({ policies, texts, context, exceptions, traffic }: PolicyTrial): {
    results: TestedText[];
    report: PolicyReport;
  } {
    const plan = compilePolicies(policies);
    const now = () => performance.now();
    const table = new ExceptionTable(Date.now);
    table.replace(exceptions);
    const excepted = { ...context, exceptions: table.within(traffic) };
    const results = texts.map((text, index) => renderTested(index, explainText(plan, text, excepted, now)));
    return { results, report: renderReport(plan.report) };
  },

  /** What a policy does with the samples of its author. */
  samples: ({ policy, samples }: { readonly policy: Policy; readonly samples: readonly PolicySample[] }): SampleRun => {
    const plan = compilePolicies([policy]);
    const ofPolicy = policy.policy_type === 'both' ? 'llm' : policy.policy_type;
    const results = samples.map(({ name, text, expected, direction = 'request', protocol = ofPolicy, origin }) => {
      const context = { direction, protocol, origins: origin && originSet(origin) };
      const { action, findings } = explainText(plan, text, context, () => performance.now());
      const rules = [...new Set(findings.map(({ ruleId }) => ruleId))].slice(0, maxFindings);
      return { name, expected, actual: action, passed: action === expected, rules };
    });
    const failed = results.filter(({ passed }) => !passed);
    return {
      total: results.length,
      failed: failed.length,
      results: [...failed, ...results.filter(({ passed }) => passed)],
    };
  },

  /** What policies do with samples that are known to be attacks or not. */
  examine: (task: ExamTask): PolicyExam => examinePolicies(task, () => performance.now()),
};

export interface PolicyTrial {
  readonly policies: readonly Policy[];
  readonly texts: readonly string[];
  /** Data only: it goes from thread to thread. */
  readonly context: Omit<ScanContext, 'pointer' | 'exceptions'>;
  /** Those in force. */
  readonly exceptions: readonly PolicyException[];
  readonly traffic: ExceptedTraffic;
}

/** Findings shown of one text. */
const maxFindings = 200;

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
    confidence: roundTo(3, finding.confidence),
    view: finding.view,
    mapped: finding.mapped,
    start: finding.start,
    end: finding.end,
    evidence: finding.evidence,
    signals: finding.signals === undefined ? null : [...finding.signals],
    excepted_by: finding.exceptedBy ?? null,
  })),
  findings_total: findings.length,
  redacted,
  duration_us: Math.round(durationUs),
});

/** What compiling made of the policies, with the pattern notes of an author's own file. */
function renderReport(report: CompileReport): PolicyReport {
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
    weight: roundTo(2, pattern.weight),
  };
}
