import { isAbsolute, relative, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { Severity } from '@portcullis/contracts/records';
import type { SkillFinding } from '@portcullis/core/skills/finding';
import { fingerprintFindings } from '@portcullis/core/skills/scan/fingerprint-findings';
import { skillRules, skillRulesVersion } from '@portcullis/core/skills/rules/all-rules';
import type { ScannedSkill, ScanResult } from './scan-target.ts';
import { renderLocation } from './skill-location.ts';

const levels: Readonly<Record<Severity, string>> = { Critical: 'error', High: 'error', Medium: 'warning', Low: 'note' };
/** What code hosts sort by, on the scale of CVSS. */
const securitySeverities: Readonly<Record<Severity, string>> = {
  Critical: '9.5',
  High: '8.0',
  Medium: '5.0',
  Low: '2.0',
};

/** The findings as SARIF 2.1.0, with addresses relative to `folder` where they lie below it. Abilities are no findings. */
export function renderSarif({ skills, refused }: ScanResult, folder: string): string {
  const notes = [
    ...skills.flatMap((skill) =>
      skill.assessment.incomplete.map((note) => ({
        level: 'warning',
        text: `${renderLocation(skill)}: not read: ${note}`,
      })),
    ),
    ...refused.map(({ path, fault }) => ({ level: 'error', text: `${path}: ${fault.message} (${fault.code})` })),
  ];
  const log = {
    $schema: 'https://json.schemastore.org/sarif-2.1.0.json',
    version: '2.1.0',
    runs: [
      {
        tool: {
          driver: { name: 'Portcullis', semanticVersion: `${skillRulesVersion}.0.0`, rules: renderSarifRules() },
        },
        columnKind: 'utf16CodeUnits',
        invocations: [
          {
            executionSuccessful: refused.length === 0,
            toolExecutionNotifications: notes.map(({ level, text }) => ({ level, message: { text } })),
          },
        ],
        results: skills.flatMap((skill) => renderResults(skill, folder)),
      },
    ],
  };
  return `${JSON.stringify(log, undefined, 2)}\n`;
}

const renderSarifRules = () =>
  skillRules.map(({ id, name, category, severity, rationale, remedy }) => ({
    id,
    name,
    shortDescription: { text: name },
    fullDescription: { text: rationale },
    help: { text: remedy },
    defaultConfiguration: { level: levels[severity] },
    properties: { tags: ['security', category], 'security-severity': securitySeverities[severity] },
  }));

const ruleIndexes = new Map(skillRules.map(({ id }, index) => [id, index]));

function renderResults(skill: ScannedSkill, folder: string): readonly object[] {
  const { findings, score, level } = skill.assessment;
  const fingerprints = fingerprintFindings(findings);
  return findings.map((finding, index) => ({
    ruleId: finding.ruleId,
    ruleIndex: ruleIndexes.get(finding.ruleId) ?? -1,
    level: levels[finding.severity],
    message: { text: messageOf(skill, finding) },
    locations: [{ physicalLocation: locationOf(skill, finding, folder) }],
    partialFingerprints: { 'portcullisFinding/v1': fingerprints[index] },
    properties: {
      category: finding.category,
      severity: finding.severity,
      strength: finding.strength,
      weight: finding.weight,
      skillRiskScore: score,
      skillRiskLevel: level,
    },
  }));
}

function messageOf({ kind }: ScannedSkill, { reason, remedy, excerpt, file, line, trace }: SkillFinding): string {
  const inside = kind === 'archive' || file.includes('!/') ? `In ${file}, line ${line}. ` : '';
  const way = trace === undefined ? '' : ` The value's way: ${trace.join(' → ')}.`;
  return `${inside}${reason}${way} ${remedy} Found: ${excerpt}`;
}

/** Of a file in an archive, the archive: that is the file which others know. */
function locationOf({ path, kind, folder: below }: ScannedSkill, { file, line }: SkillFinding, folder: string): object {
  const place =
    kind === 'folder' ? resolve(folder, path, below, file.split('!/', 1)[0] ?? file) : resolve(folder, path);
  const isInside = kind === 'archive' || file.includes('!/');
  return {
    artifactLocation: { uri: uriOf(place, folder) },
    region: { startLine: isInside ? 1 : line },
  };
}

function uriOf(place: string, folder: string): string {
  const below = relative(folder, place);
  if (below.startsWith('..') || isAbsolute(below)) return pathToFileURL(place).href;
  return below.split(/[/\\]/).map(encodeURIComponent).join('/');
}
