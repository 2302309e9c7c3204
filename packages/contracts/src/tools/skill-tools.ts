import { Type } from 'typebox';
import { Exact, optional } from '../fields.ts';
import {
  maxAskedSkills,
  maxListedSkills,
  SkillAnalysis,
  SkillApproval,
  skillActivityTypes,
  skillCategories,
  SkillComparison,
  SkillDetails,
  SkillList,
  SkillReportReceipt,
  skillRiskLevels,
  skillStatuses,
  SkillStatusReport,
} from '../skills.ts';
import { defineTool } from './tool-contract.ts';

const name = { skill_name: Type.String({ minLength: 1, maxLength: 200, description: 'Name of the skill' }) };
const version = (description: string) => ({ version: Type.String({ minLength: 1, maxLength: 64, description }) });
const agent = {
  agent_name: Type.String({ minLength: 1, maxLength: 200, description: 'How you, the agent, call yourself' }),
};
const latest = version('latest unless given');
const word = (words: readonly string[], description: string) =>
  Type.Enum([...words], { 'x-any-case': true, description });
const category = word(skillCategories, 'Skills with a finding of this category');
const riskLevel = word(skillRiskLevels, 'Skills of this risk level');
const maxResults = Type.Integer({
  minimum: 1,
  maximum: maxListedSkills,
  default: 50,
  description: 'Most skills in the answer',
});

export const analyzeSkillTool = defineTool({
  name: 'analyze_skill',
  title: 'Analyze a skill',
  description:
    'Scans the source of a skill for hostile behaviour before it is installed, and hands it to the admins for review. Answers a risk score, findings with file and line, and whether the skill is approved. Use a skill only when it is approved.',
  input: Exact({
    ...name,
    skill_source: Type.String({ description: 'The whole text: SKILL.md or code, all files one after the other' }),
    ...agent,
    ...optional({
      description: Type.String({ maxLength: 2_000, description: 'What the skill says that it does' }),
      author: Type.String({ maxLength: 200, description: 'Who wrote it' }),
      ...version('1.0.0 unless given'),
    }),
  }),
  output: Exact({ analysis: SkillAnalysis }),
  hints: { readOnly: false, idempotent: true },
});

export const checkSkillApprovalTool = defineTool({
  name: 'check_skill_approval',
  title: 'Check whether a skill is approved',
  description:
    'Tells whether a skill may be used. With the SHA-256 of the source that you have, approved is only exactly that source.',
  input: Exact({
    ...name,
    ...optional({
      content_hash: Type.String({
        pattern: '^[0-9a-fA-F]{64}$',
        'x-allowed': 'a SHA-256 in 64 hexadecimal digits',
        description: 'SHA-256 of the source, in hexadecimal digits',
      }),
      ...latest,
    }),
  }),
  output: Exact({ approval: SkillApproval }),
  hints: { readOnly: true },
});

export const listApprovedSkillsTool = defineTool({
  name: 'list_approved_skills',
  title: 'List skills',
  description: 'Lists the skills of the registry, those that are approved unless another status is asked for.',
  input: Exact(
    optional({
      category,
      risk_level: riskLevel,
      status: Type.Enum([...skillStatuses, 'all'], {
        'x-any-case': true,
        default: 'approved',
        description: 'approved unless given',
      }),
      search: Type.String({ maxLength: 200, description: 'Part of name, description, author or a tag' }),
      max_results: maxResults,
    }),
  ),
  output: SkillList,
  hints: { readOnly: true },
});

export const getSkillDetailsTool = defineTool({
  name: 'get_skill_details',
  title: 'Get the details of a skill',
  description: 'Shows a skill of the registry: description, findings, review, categories, tags and its versions.',
  input: Exact({ ...name, ...optional(latest) }),
  output: Exact({ skill: SkillDetails }),
  hints: { readOnly: true },
});

export const reportSkillActivityTool = defineTool({
  name: 'report_skill_activity',
  title: 'Report what a skill did',
  description:
    'Reports that a skill did something at run time that its description does not say. Reports are read by the admins and may hold the skill back.',
  input: Exact({
    ...name,
    activity_type: word(skillActivityTypes, 'What kind of activity it was'),
    description: Type.String({ minLength: 1, maxLength: 10_000, description: 'What happened' }),
    ...agent,
    ...optional({
      evidence: Type.String({ maxLength: 10_000, description: 'What shows it, such as a command or an address' }),
      ...version('Of the skill that you have'),
    }),
  }),
  output: Exact({ report: SkillReportReceipt }),
  hints: { readOnly: false },
});

export const getSkillSecurityStatusTool = defineTool({
  name: 'get_skill_security_status',
  title: 'Get the status of installed skills',
  description: 'Tells for each of the skills that you have installed whether it may be used, and what to do about it.',
  input: Exact({
    skill_names: Type.Array(Type.String({ minLength: 1, maxLength: 200 }), {
      minItems: 1,
      maxItems: maxAskedSkills,
      description: `Names of installed skills, at most ${maxAskedSkills}`,
    }),
  }),
  output: Exact({ status: SkillStatusReport }),
  hints: { readOnly: true },
});

export const getSystemPromptTool = defineTool({
  name: 'get_system_prompt',
  title: 'Get the instructions for skills',
  description: 'Answers the text that tells an agent how to work with this hub: put it into your system prompt.',
  input: Exact({}),
  output: Exact({ prompt: Type.String(), gateway_url: Type.String() }),
  hints: { readOnly: true },
});

export const downloadSkillTool = defineTool({
  name: 'download_skill',
  title: 'Download a skill',
  description: 'Answers the package of an approved skill as a ZIP in base64. Each download is taken down.',
  input: Exact({ ...name, ...optional(latest) }),
  output: Exact({
    download: Exact({
      skill_name: Type.String(),
      version: Type.String(),
      filename: Type.String(),
      size: Type.Integer({ minimum: 0, description: 'Bytes of the ZIP' }),
      content_hash: Type.String({ description: 'SHA-256 of the ZIP, in hexadecimal digits' }),
      risk_level: Type.Enum(skillRiskLevels),
      content_base64: Type.String(),
    }),
  }),
  hints: { readOnly: true },
});

export const searchSkillsTool = defineTool({
  name: 'search_skills',
  title: 'Search skills',
  description:
    'Searches the registry of skills of every status. Tells which have a package and how often it was downloaded.',
  input: Exact(
    optional({
      query: Type.String({ maxLength: 200, description: 'Part of name, description, author or a tag' }),
      category,
      risk_level: riskLevel,
      author: Type.String({ maxLength: 200 }),
      has_package: Type.Boolean({ description: 'Only skills with a package, or only those without' }),
      max_results: maxResults,
    }),
  ),
  output: SkillList,
  hints: { readOnly: true },
});

export const compareSkillVersionsTool = defineTool({
  name: 'compare_skill_versions',
  title: 'Compare two versions of a skill',
  description:
    'Tells which findings a version of a skill adds and which it removes, how its risk score changes, and what to do.',
  input: Exact({
    ...name,
    from_version: Type.String({ minLength: 1, maxLength: 64, description: 'The version that you have' }),
    to_version: Type.String({ minLength: 1, maxLength: 64, description: 'The version that would replace it' }),
  }),
  output: Exact({ comparison: SkillComparison }),
  hints: { readOnly: true },
});
