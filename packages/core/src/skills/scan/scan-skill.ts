import type { Severity } from '@portcullis/contracts/records';
import { renderEvidence } from '../../policy/verdict/evidence.ts';
import type { View } from '../../policy/policy.ts';
import type { Detection } from '../detection.ts';
import { findByDetectors } from '../detect/find-by-detectors.ts';
import { classifyHidden } from '../detect/hidden-text.ts';
import type { SkillAssessment, SkillFinding } from '../finding.ts';
import { compileSkillRules, type CompiledSkillRules } from '../match/compile-rules.ts';
import { matchUnits } from '../match/match-units.ts';
import { skillLimits } from '../package/skill-limits.ts';
import type { PackageFile, SkillPackage } from '../package/read-package.ts';
import { lineOfFile } from '../reading/line-of-file.ts';
import { readUnits } from '../reading/read-units.ts';
import { skillRules, skillRulesVersion } from '../rules/all-rules.ts';
import { levelOf, scoreOf } from './score.ts';
import type { SkillDetector, SkillPattern, SkillRule, Strength } from '../skill-rule.ts';
import { traceFlows } from '../flow/trace-flows.ts';
import { traceShell } from '../shell/trace-shell.ts';
import { weigh } from '../weigh.ts';

export interface SkillScanner {
  /** The same package gives the same assessment, on any machine. */
  scan(skill: SkillPackage): SkillAssessment;
}

/** Compiles the rules once; a scanner is kept as long as its process. */
export function createSkillScanner(rules: readonly SkillRule[] = skillRules): SkillScanner {
  const compiled = compileSkillRules(rules);
  const ofDetector = new Map(
    rules.flatMap((rule) =>
      rule.patterns.flatMap((pattern) =>
        pattern.detector === undefined ? [] : [[pattern.detector, { rule, pattern }] as const],
      ),
    ),
  );
  return { scan: (skill) => scanPackage(skill, compiled, ofDetector) };
}

const aboutSecurity =
  /^description:[^]{0,600}?\b(?:security (?:audit|review|scan|test|analysis|research|vulnerab)\w{0,6}|vulnerabilit\w{1,3}|pen(?:etration)?[- ]?test\w{0,3}|static analysis|fuzz\w{0,4}|malware|threat model\w{0,4}|exploit\w{0,6}|red team\w{0,3}|forensic\w{0,2}|yara|semgrep|codeql|prompt injection|attack (?:surface|vectors?)|breach|hardening|insecure)\b/im;

type OfDetector = ReadonlyMap<SkillDetector, { readonly rule: SkillRule; readonly pattern: SkillPattern }>;

function scanPackage(given: SkillPackage, compiled: CompiledSkillRules, ofDetector: OfDetector): SkillAssessment {
  const incomplete = [...given.incomplete];
  const found: SkillFinding[] = [];
  const isAboutSecurity = given.files.some(
    ({ path, text }) => /(?:^|\/)SKILL\.md$/i.test(path) && aboutSecurity.test(text?.slice(0, 3_000) ?? ''),
  );
  const { skill, detections: ofShell } = traceShell(given, isAboutSecurity);
  const detected: Detection[] = [...ofShell];
  for (const file of skill.files) {
    const { findings, detections, whole } = scanFile(file, compiled, isAboutSecurity);
    found.push(...findings);
    detected.push(...detections);
    if (!whole) incomplete.push(`${file.path}: more to read than the bound of a scan`);
  }
  for (const detection of [...detected, ...findByDetectors(skill), ...traceFlows(skill, isAboutSecurity)]) {
    const known = ofDetector.get(detection.detector);
    if (known !== undefined) found.push(renderFinding(known.rule, known.pattern, { view: 'plain', ...detection }));
  }
  return assess(found, incomplete);
}

/** What was not read may hold anything, so a person looks at it: it is Medium. */
const leastUnread = 15;

function assess(found: readonly SkillFinding[], incomplete: readonly string[]): SkillAssessment {
  const sorted = withoutRepeats(found).toSorted(byImportance).slice(0, skillLimits.findings);
  const score = Math.max(scoreOf(sorted), incomplete.length > 0 ? leastUnread : 0);
  return {
    score,
    level: levelOf(score),
    findings: sorted.filter(({ strength }) => strength !== 'capability'),
    abilities: sorted.filter(({ strength }) => strength === 'capability'),
    incomplete,
    rulesVersion: skillRulesVersion,
  };
}

interface FileScan {
  readonly findings: readonly SkillFinding[];
  readonly detections: readonly Detection[];
  readonly whole: boolean;
}

function scanFile(file: PackageFile, compiled: CompiledSkillRules, isAboutSecurity: boolean): FileScan {
  const { text } = file;
  if (text === undefined || text.trim() === '') return { findings: [], detections: [], whole: true };
  const { matches, hidden, whole } = compiled.find(text);
  const detections = [...classifyHidden(file, hidden)];
  if (matches.length === 0) return { findings: [], detections, whole };
  const findings: SkillFinding[] = [];
  for (const { compiled: held, unit, start, end, view } of matchUnits(text, compiled, readUnits(file), matches)) {
    const weight = weigh(text, unit, held, [start, end], isAboutSecurity);
    findings.push(renderFinding(held.rule, held.pattern, { file, start, end, view, weight }));
    // An order that had to be decoded was put away on purpose.
    if (held.pattern.strength === 'chain' && orderViews.has(view))
      detections.push({ detector: 'decoded-order', file, start, end, weight });
  }
  return { findings, detections, whole };
}

const orderViews: ReadonlySet<View> = new Set(['tags', 'base64', 'base32', 'hex']);

interface Place {
  readonly file: PackageFile;
  readonly start: number;
  readonly end: number;
  readonly view: View;
  readonly weight: number;
  readonly trace?: readonly string[] | undefined;
}

const lower: Readonly<Record<Severity, Severity>> = { Critical: 'Medium', High: 'Medium', Medium: 'Low', Low: 'Low' };
const severityOf = (severity: Severity, strength: Strength): Severity =>
  strength === 'chain' ? severity : strength === 'sign' ? lower[severity] : 'Low';

const viewNames: Partial<Record<View, string>> = {
  tags: 'written in invisible tag characters',
  base64: 'encoded in base64',
  base32: 'encoded in base32',
  hex: 'encoded in hexadecimal',
  url: 'percent-encoded',
  escapes: 'written in escapes',
  entities: 'written in character references',
  leet: 'written with digits for letters',
  spaced: 'written letter by letter',
  reversed: 'written backwards',
  rot13: 'written with shifted letters',
  binary: 'written in binary digits',
  morse: 'written in Morse code',
};

function renderFinding(
  rule: SkillRule,
  pattern: SkillPattern,
  { file, start, end, view, weight, trace }: Place,
): SkillFinding {
  const { text = '' } = file;
  return {
    ruleId: rule.id,
    ruleName: pattern.ability ?? rule.name,
    category: rule.category,
    severity: severityOf(rule.severity, pattern.strength),
    strength: pattern.strength,
    file: file.path,
    line: lineOfFile(file, start),
    excerpt: renderEvidence(text, start, Math.max(start, end), false),
    ...explain(rule, pattern, viewNames[view]),
    view,
    weight,
    trace,
  };
}

function explain({ rationale, remedy }: SkillRule, { ability }: SkillPattern, hidden: string | undefined) {
  if (ability !== undefined)
    return {
      reason: 'Ordinary skills do this as well: it is told, and not judged.',
      remedy: 'See whether it is what the skill is for.',
    };
  return { reason: hidden === undefined ? rationale : `${rationale} It stands here ${hidden}.`, remedy };
}

/** One finding of a rule on a line, the strongest; and no more of one rule in one file than anyone reads. */
function withoutRepeats(found: readonly SkillFinding[]): readonly SkillFinding[] {
  const best = new Map<string, SkillFinding>();
  for (const finding of found) {
    const key = `${finding.ruleId}\n${finding.file}\n${finding.line}\n${finding.strength === 'capability'}`;
    const known = best.get(key);
    if (known === undefined || byImportance(finding, known) < 0) best.set(key, finding);
  }
  const counts = new Map<string, number>();
  return [...best.values()].toSorted(byImportance).filter(({ ruleId, file, strength }) => {
    const key = `${ruleId}\n${file}\n${strength === 'capability'}`;
    const count = (counts.get(key) ?? 0) + 1;
    counts.set(key, count);
    return count <= skillLimits.findingsPerRule;
  });
}

const rank: Readonly<Record<Severity, number>> = { Critical: 50, High: 30, Medium: 15, Low: 5 };
const importance = ({ severity, weight, strength }: SkillFinding): number =>
  strength === 'capability' ? weight : 1 + rank[severity] * weight;

const byImportance = (one: SkillFinding, other: SkillFinding): number =>
  importance(other) - importance(one) ||
  compare(one.file, other.file) ||
  one.line - other.line ||
  compare(one.ruleId, other.ruleId);

const compare = (one: string, other: string): number => (one < other ? -1 : one > other ? 1 : 0);
