import { Type, type Static } from 'typebox';
import { ById, Count, EvidenceId, Exact, Id, Nullable, Timestamp, optional } from '../fields.ts';
import { severities } from '../records.ts';
import { historyOf } from '../history.ts';
import { createRouteList } from '../route.ts';
import {
  Skill,
  SkillAnalysis,
  SkillDetails,
  SkillFinding,
  SkillReportReceipt,
  skillActivityTypes,
  skillCategories,
  skillRiskLevels,
  skillStatuses,
  skillSubmissionStatuses,
} from '../skills.ts';

export const routes = createRouteList('Skills');
const base = '/security/skills';

const anyCase = { 'x-any-case': true };
const order = Type.Enum(['asc', 'desc'], { default: 'desc' });
const limit = Type.Integer({ minimum: 1, maximum: 1_000, default: 50 });
const offset = Type.Integer({ minimum: 0, maximum: 1_000_000, default: 0 });
const Search = Type.String({ maxLength: 200 });
const Name = Type.String({ minLength: 1, maxLength: 200 });
const RiskLevel = Type.Enum(skillRiskLevels, anyCase);
const paged = { total: Count, limit: Count, offset: Count };

const registryQuery = {
  ...optional({
    status: Type.Enum(skillStatuses, anyCase),
    category: Type.Enum(skillCategories, { ...anyCase, description: 'Skills with a finding of it' }),
    risk_level: RiskLevel,
    author: Name,
    has_package: Type.Boolean(),
    search: Type.String({ ...Search, description: 'Part of name, description, author or a tag, in any case' }),
  }),
  sort: Type.Enum(['submitted_at', 'created_at', 'name', 'risk_score', 'status'], { default: 'submitted_at' }),
  order,
  limit,
  offset,
};
const SkillListQuery = Exact(registryQuery);
export type SkillListQuery = Static<typeof SkillListQuery>;

export const listSkills = routes.define({
  method: 'GET',
  path: `${base}/registry`,
  role: 'viewer',
  summary: 'List the skills that are known, a row for each name and version',
  parts: { query: SkillListQuery, response: Exact({ skills: Type.Array(Skill), ...paged }) },
});

export const getSkill = routes.define({
  method: 'GET',
  path: `${base}/registry/:id`,
  role: 'viewer',
  summary: 'Show a skill with its findings and what was decided',
  parts: { params: ById, response: SkillDetails },
  errors: ['not_found'],
});

const Side = Exact({
  id: Id,
  version: Type.String(),
  content_hash: Type.String(),
  tree_hash: Nullable(Type.String()),
  rules_version: Type.String(),
  risk_score: Count,
  risk_level: Type.Enum(skillRiskLevels),
});

export const SkillDiff = Exact(
  {
    skill_name: Type.String(),
    from: Side,
    to: Side,
    source_diff: Nullable(
      Type.String({
        description: 'Unified diff of the sources; null where they are alike, or too far apart to be shown',
      }),
    ),
    changed_files: Type.Array(Exact({ path: Type.String(), change: Type.Enum(['added', 'removed', 'changed']) }), {
      description: 'Where both sides have a package that is still there',
    }),
    added_findings: Type.Array(SkillFinding),
    removed_findings: Type.Array(SkillFinding),
    unchanged_findings: Type.Array(SkillFinding),
    risk_score_delta: Type.Integer(),
    recommendation: Type.String(),
  },
  { title: 'SkillDiff' },
);
export type SkillDiff = Static<typeof SkillDiff>;

export const diffSkill = routes.define({
  method: 'GET',
  path: `${base}/registry/:id/diff`,
  role: 'viewer',
  summary:
    'Compare a skill with another version; unless one is named, with what was approved of it before, or else the version before it',
  parts: { params: ById, query: Exact(optional({ previous_id: Id })), response: SkillDiff },
  errors: ['not_found', 'bad_request'],
});

const Decision = Exact(
  optional({
    notes: Type.String({
      maxLength: 2_000,
      description: 'Needed to approve what the scanner did not read whole: what it is',
    }),
    content_hash: Type.String({
      pattern: '^[0-9a-fA-F]{64}$',
      description:
        'What was looked at: the content_hash of the skill, or the tree_hash of its package; or the ETag of the skill in If-Match. Refused when something else was submitted meanwhile. What was decided before can be named besides: approved, it is shown again',
    }),
    reviewer: Type.String({ maxLength: 320, description: 'Taken and not used: the reviewer is the one who signed in' }),
  }),
);
export type SkillDecision = Static<typeof Decision>;

export const approveSkill = routes.define({
  method: 'POST',
  path: `${base}/registry/:id/approve`,
  role: 'admin',
  summary:
    'Approve a skill as it was submitted last; what comes in later waits beside it. Where more than one content was submitted, content_hash says which one is meant',
  bodyOptional: true,
  parts: { params: ById, body: Decision, response: Skill },
  errors: ['not_found', 'conflict', 'precondition_failed', 'precondition_required'],
  audit: 'skill.approved',
});

export const rejectSkill = routes.define({
  ...approveSkill,
  path: `${base}/registry/:id/reject`,
  summary:
    'Reject what was submitted last; what is approved beside it stays so. Without content_hash a no to what is approved ends all approvals of the version',
  errors: ['not_found', 'conflict', 'precondition_failed'],
  audit: 'skill.rejected',
});

export const quarantineSkill = routes.define({
  ...approveSkill,
  path: `${base}/registry/:id/quarantine`,
  summary:
    'Hold a skill back, with all that is approved of the version; with content_hash that content alone. What is known of it is kept',
  errors: ['not_found', 'conflict', 'precondition_failed'],
  audit: 'skill.quarantined',
});

export const deleteSkill = routes.define({
  method: 'DELETE',
  path: `${base}/registry/:id`,
  role: 'admin',
  summary: 'Remove a skill with its submissions and packages',
  parts: { params: ById },
  errors: ['not_found', 'conflict'],
  audit: 'skill.deleted',
});

export const deleteSkills = routes.define({
  method: 'POST',
  path: `${base}/registry/bulk-delete`,
  role: 'admin',
  summary:
    'Remove many skills with their submissions and packages: those with the ids, or what strangers sent and nobody looked at, the oldest first',
  parts: {
    body: Exact(
      optional({
        skill_ids: Type.Array(Id, { minItems: 1, maxItems: 1_000 }),
        source_ip: Type.String({
          minLength: 1,
          maxLength: 100,
          description:
            'What came without key or login from the network of this address: an address of IPv4, a /64 of IPv6',
        }),
        search: Type.String({ ...Search, minLength: 1, description: 'Part of the name, in any case' }),
      }),
    ),
    response: Exact({
      deleted: Type.Integer({
        ...Count,
        description: 'Skills, and contents that waited beside what stays; at most 1000 at once',
      }),
      kept: Type.Array(Exact({ id: Id, reason: Type.String() }), {
        description: 'Of the ids those that stay, and why',
      }),
    }),
  },
  errors: ['bad_request'],
  audit: 'skill.bulk.deleted',
});

export const SkillSubmission = Exact(
  {
    id: EvidenceId,
    skill_id: Id,
    skill_name: Type.String(),
    version: Type.String(),
    agent_name: Type.String(),
    user_identity: Nullable(Type.String()),
    source_ip: Type.String(),
    via: Type.Enum(['mcp', 'rest']),
    content_hash: Type.String(),
    tree_hash: Nullable(Type.String()),
    rules_version: Type.String(),
    risk_score: Count,
    risk_level: Type.Enum(skillRiskLevels),
    findings_count: Count,
    status: Type.Enum(skillSubmissionStatuses),
    created_at: Timestamp,
  },
  { title: 'SkillSubmission' },
);
export type SkillSubmission = Static<typeof SkillSubmission>;

const SubmissionQuery = Exact({
  ...optional({
    skill_id: Id,
    skill_name: Name,
    agent_name: Name,
    risk_level: RiskLevel,
    status: Type.Enum(skillSubmissionStatuses, anyCase),
    search: Type.String({ ...Search, description: "Part of the skill's or the agent's name, in any case" }),
  }),
  sort: Type.Enum(['created_at', 'risk_score', 'skill_name'], { default: 'created_at' }),
  order,
  limit,
  offset,
});
export type SkillSubmissionQuery = Static<typeof SubmissionQuery>;

export const listSkillSubmissions = routes.define({
  method: 'GET',
  path: `${base}/submissions`,
  role: 'viewer',
  summary: 'List the submissions of skills',
  parts: { query: SubmissionQuery, response: Exact({ submissions: Type.Array(SkillSubmission), ...paged }) },
});

export const getSkillSubmission = routes.define({
  method: 'GET',
  path: `${base}/submissions/:id`,
  role: 'viewer',
  summary: 'Show a submission with what was found in it',
  parts: {
    params: Exact({ id: EvidenceId }),
    response: Exact({
      ...SkillSubmission.properties,
      findings: Type.Array(SkillFinding),
      abilities: Type.Array(SkillFinding),
      incomplete: Type.Array(Type.String()),
    }),
  },
  errors: ['not_found'],
});

export const submitSkill = routes.define({
  method: 'POST',
  path: `${base}/submissions`,
  role: 'operator',
  summary: 'Scan the source of a skill and record it, as the tool analyze_skill does',
  parts: {
    body: Exact({
      skill_name: Name,
      skill_source: Type.String({ maxLength: 4_194_304, description: 'At most SKILL_SOURCE_MAX_KB' }),
      ...optional({
        description: Type.String({ maxLength: 4_000 }),
        author: Name,
        version: Name,
        agent_name: Type.String({ ...Name, description: 'The name of the user unless given' }),
      }),
    }),
    response: SkillAnalysis,
  },
  errors: ['bad_request', 'conflict', 'payload_too_large', 'skill_unscannable', 'service_unavailable'],
  audit: 'skill.submitted',
});

export const SkillReport = Exact(
  {
    id: EvidenceId,
    skill_name: Type.String(),
    version: Nullable(Type.String()),
    activity_type: Type.Enum(skillActivityTypes),
    severity: Type.Enum(severities),
    agent_name: Type.String({ description: 'Who reports it, as it calls itself' }),
    user_identity: Nullable(Type.String()),
    source_ip: Type.String(),
    via: Type.Enum(['mcp', 'rest']),
    description: Type.String(),
    evidence: Type.String(),
    alert_created: Type.Boolean(),
    quarantined: Type.Boolean(),
    created_at: Timestamp,
  },
  { title: 'SkillReport' },
);
export type SkillReport = Static<typeof SkillReport>;

const ReportQuery = Exact({
  ...optional({
    skill_name: Name,
    agent_name: Name,
    activity_type: Type.Enum(skillActivityTypes, anyCase),
    severity: Type.Enum(severities, anyCase),
    alert_created: Type.Boolean(),
    search: Type.String({ ...Search, description: 'Part of the skill, the agent or the description, in any case' }),
  }),
  sort: Type.Enum(['created_at', 'skill_name'], { default: 'created_at' }),
  order,
  limit,
  offset,
});
export type SkillReportQuery = Static<typeof ReportQuery>;

export const listSkillReports = routes.define({
  method: 'GET',
  path: `${base}/activity`,
  role: 'viewer',
  summary: 'List what agents reported of skills that ran',
  parts: { query: ReportQuery, response: Exact({ reports: Type.Array(SkillReport), ...paged }) },
});

export const reportSkill = routes.define({
  method: 'POST',
  path: `${base}/activity`,
  role: 'operator',
  summary: 'Report what a skill did, as the tool report_skill_activity does',
  parts: {
    body: Exact({
      skill_name: Name,
      activity_type: Type.String({ maxLength: 100, description: `One of ${skillActivityTypes.join(', ')}` }),
      description: Type.String({ minLength: 1, maxLength: 10_000 }),
      ...optional({
        evidence: Type.String({ maxLength: 10_000 }),
        version: Name,
        agent_name: Type.String({ ...Name, description: 'The name of the user unless given' }),
      }),
    }),
    response: SkillReportReceipt,
  },
  errors: ['bad_request', 'too_many_requests', 'service_unavailable'],
  audit: 'skill.reported',
});

const byLevel = Exact(
  Object.fromEntries(skillRiskLevels.map((level) => [level, Count])) as Record<string, typeof Count>,
);

export const getSkillStats = routes.define({
  method: 'GET',
  path: `${base}/stats`,
  role: 'viewer',
  summary: 'Count the skills by status and risk, and list the most frequent submitters and the latest skills',
  parts: {
    response: Exact({
      total: Type.Integer({ ...Count, description: 'Skills in the registry' }),
      pending: Count,
      approved: Count,
      rejected: Count,
      quarantined: Count,
      risk_distribution: byLevel,
      total_submissions: Count,
      submissions_last_24h: Count,
      total_reports: Count,
      reports_last_24h: Count,
      total_packages: Count,
      total_downloads: Count,
      top_agents: Type.Array(Exact({ agent_name: Type.String(), submissions: Count })),
      recent_submissions: Type.Array(SkillSubmission),
    }),
  },
});

export const getSkillHistory = routes.define(historyOf(`${base}/registry/:id`, 'a skill'));
