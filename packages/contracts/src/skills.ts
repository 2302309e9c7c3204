import { Type, type Static } from 'typebox';
import { Count, EvidenceId, Exact, Id, Nullable, Timestamp } from './fields.ts';
import { severities, type Severity } from './records.ts';

/** Words and shapes of the skill hub, the same over MCP and over REST. */
export const skillRiskLevels = ['None', 'Low', 'Medium', 'High', 'Critical'] as const;
export type SkillRiskLevel = (typeof skillRiskLevels)[number];

/** What findings are about. */
export const skillCategories = [
  'data_exfiltration',
  'credential_access',
  'env_harvesting',
  'prompt_injection',
  'user_deception',
  'hidden_unicode',
  'obfuscation',
  'remote_code_execution',
  'trojan_prerequisite',
  'reverse_shell_backdoor',
  'persistence',
  'privilege_escalation',
  'destructive',
  'crypto_mining',
  'supply_chain',
  'tool_poisoning',
  'memory_identity_poisoning',
  'excessive_agency',
  'unexpected_network',
  'logic_bomb_evasion',
  'sandbox_escape',
] as const;
export type SkillCategory = (typeof skillCategories)[number];

/** What an admin decided about a skill; `pending` until then. */
export const skillStatuses = ['pending', 'approved', 'rejected', 'quarantined'] as const;
export type SkillStatus = (typeof skillStatuses)[number];

/** A skill that is not in the registry. */
export const unknownSkill = 'unknown';
export const askedSkillStatuses = [...skillStatuses, unknownSkill] as const;
export type AskedSkillStatus = (typeof askedSkillStatuses)[number];

/** What agents report of a skill that runs, with how grave a report of it is. */
export const skillActivities = {
  data_exfiltration: 'Critical',
  unexpected_network: 'Medium',
  privilege_escalation: 'High',
  credential_access: 'High',
  behavior_change: 'Medium',
} as const satisfies Readonly<Record<string, Severity>>;
export type SkillActivity = keyof typeof skillActivities;
export const skillActivityTypes = Object.keys(skillActivities) as readonly SkillActivity[];

/** Most names that one question for the status of skills may have. */
export const maxAskedSkills = 100;
/** Most rows that a list or a search of skills answers. */
export const maxListedSkills = 100;

export const skillSubmissionStatuses = ['analyzed', 'linked_to_approved'] as const;
export type SkillSubmissionStatus = (typeof skillSubmissionStatuses)[number];

const Hash = Type.String({ pattern: '^[0-9a-f]{64}$', description: 'SHA-256, in hexadecimal digits' });
const Score = Type.Integer({ minimum: 0, maximum: 100 });
const RiskLevel = Type.Enum(skillRiskLevels);

export const SkillFinding = Exact(
  {
    rule_id: Type.String(),
    rule_name: Type.String(),
    category: Type.Enum(skillCategories),
    severity: Type.Enum(severities),
    description: Type.String({ description: 'Why this is a finding' }),
    matched_pattern: Type.String({
      description: 'How it was found: chain, sign or ability, and the reading of the text',
    }),
    source_file: Type.String(),
    line_number: Type.Integer({ minimum: 1 }),
    matched_content: Type.String({ description: 'At most 160 characters, secrets masked' }),
    remedy: Type.String(),
    weight: Type.Number({ description: 'Of 0 to 1: where it stands, and whether it is asked for, quoted or denied' }),
    trace: Type.Optional(Type.Array(Type.String(), { description: 'Of a flow: what a value passes, in order' })),
    fingerprint: Type.String({ description: 'The same for the same finding in another version' }),
  },
  { title: 'SkillFinding' },
);
export type SkillFinding = Static<typeof SkillFinding>;

/** The answer of `analyze_skill`. */
export const SkillAnalysis = Exact(
  {
    submission_id: EvidenceId,
    skill_name: Type.String(),
    version: Type.String(),
    risk_score: Score,
    risk_level: RiskLevel,
    findings: Type.Array(SkillFinding),
    abilities: Type.Array(SkillFinding, { description: 'What the skill can do, without judgement' }),
    incomplete: Type.Array(Type.String(), { description: 'What could not be read: such a skill is Medium at least' }),
    approval_status: Type.Enum(skillStatuses),
    submission_status: Type.Enum(skillSubmissionStatuses),
    content_hash: Hash,
    rules_version: Type.String(),
    cached: Type.Boolean({ description: 'The same source was scanned by the same rules before' }),
    analysis_time_ms: Type.Number({ description: 'What the scan took when it was made' }),
    change: Type.Optional(
      Exact(
        {
          approved_hash: Hash,
          risk_score_delta: Type.Integer({ description: 'Against what was approved' }),
          added_lines: Count,
          removed_lines: Count,
        },
        { description: 'What made an approved skill pending again' },
      ),
    ),
  },
  { title: 'SkillAnalysis' },
);
export type SkillAnalysis = Static<typeof SkillAnalysis>;

/** The answer of `check_skill_approval`. */
export const SkillApproval = Exact(
  {
    skill_name: Type.String(),
    version: Nullable(Type.String()),
    approved: Type.Boolean(),
    status: Type.Enum(askedSkillStatuses),
    risk_score: Score,
    risk_level: Type.Enum([...skillRiskLevels, 'Unknown']),
    content_hash: Nullable(Hash),
    approved_at: Nullable(Timestamp),
    notes: Nullable(Type.String()),
  },
  { title: 'SkillApproval' },
);
export type SkillApproval = Static<typeof SkillApproval>;

const skill = {
  id: Id,
  name: Type.String(),
  version: Type.String(),
  description: Type.String(),
  author: Type.String(),
  tags: Type.Array(Type.String()),
  categories: Type.Array(Type.Enum(skillCategories), { description: 'Of the findings' }),
  status: Type.Enum(skillStatuses),
  risk_score: Score,
  risk_level: RiskLevel,
  findings_count: Count,
  content_hash: Hash,
  tree_hash: Nullable({ ...Hash, description: 'Of the files of its package; null without one' }),
  rules_version: Type.String(),
  submissions_count: Count,
  built_in: Type.Boolean({ description: "The gateway's own: nothing changes it" }),
  has_package: Type.Boolean({ description: 'There is a package with what the registry knows' }),
  download_count: Count,
  reviewer: Nullable(Type.String()),
  review_notes: Nullable(Type.String()),
  reviewed_at: Nullable(Timestamp),
  approved_at: Nullable(Timestamp),
  submitted_at: Timestamp,
  created_at: Timestamp,
  updated_at: Timestamp,
};

/** A row of the registry. */
export const Skill = Exact(skill, { title: 'Skill' });
export type Skill = Static<typeof Skill>;

/** The answer of `get_skill_details`, and of a look at one row of the registry. */
export const SkillDetails = Exact(
  {
    ...skill,
    findings: Type.Array(SkillFinding),
    abilities: Type.Array(SkillFinding),
    incomplete: Type.Array(Type.String()),
    versions: Type.Array(Type.String(), { description: 'All of this skill, the latest submission first' }),
    approved_hash: Nullable({ ...Hash, description: 'What was approved last' }),
    approved_risk_score: Nullable(Score),
    risk_score_delta: Nullable(Type.Integer({ description: 'Against what was approved last, while it waits again' })),
  },
  { title: 'SkillDetails' },
);
export type SkillDetails = Static<typeof SkillDetails>;

/** The answer of `list_approved_skills` and `search_skills`. */
export const SkillList = Exact({ skills: Type.Array(Skill), total: Count }, { title: 'SkillList' });
export type SkillList = Static<typeof SkillList>;

/** The answer of `report_skill_activity`. */
export const SkillReportReceipt = Exact(
  {
    report_id: EvidenceId,
    severity: Type.Enum(severities),
    alert_created: Type.Boolean({
      description: 'False where the caller has raised as many alerts as one may in a minute',
    }),
    quarantined: Type.Boolean({ description: 'The report made the registry hold the skill back' }),
  },
  { title: 'SkillReportReceipt' },
);
export type SkillReportReceipt = Static<typeof SkillReportReceipt>;

/** The answer of `get_skill_security_status`. */
export const SkillStatusReport = Exact(
  {
    skill_statuses: Type.Array(
      Exact({
        skill_name: Type.String(),
        version: Nullable(Type.String()),
        status: Type.Enum(askedSkillStatuses),
        risk_score: Score,
        risk_level: Type.Enum([...skillRiskLevels, 'Unknown']),
        recommendation: Type.String(),
      }),
    ),
    overall_risk: Type.Enum([...skillRiskLevels, 'Unknown'], { description: 'The highest; Unknown ranks as High' }),
    unapproved_count: Count,
    recommendations: Type.Array(Type.String()),
  },
  { title: 'SkillStatusReport' },
);
export type SkillStatusReport = Static<typeof SkillStatusReport>;

/** The answer of `compare_skill_versions`. */
export const SkillComparison = Exact(
  {
    skill_name: Type.String(),
    from_version: Type.String(),
    to_version: Type.String(),
    added_findings: Type.Array(SkillFinding),
    removed_findings: Type.Array(SkillFinding),
    unchanged_findings: Type.Array(SkillFinding),
    risk_score_delta: Type.Integer(),
    recommendation: Type.String(),
  },
  { title: 'SkillComparison' },
);
export type SkillComparison = Static<typeof SkillComparison>;
