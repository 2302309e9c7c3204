import { Type, type Static } from 'typebox';
import { ById, Count, Exact, Id, Timestamp, optional } from '../fields.ts';
import { createRouteList } from '../route.ts';
import { SkillAnalysis, skillRiskLevels, skillStatuses } from '../skills.ts';

export const routes = createRouteList('Skills');
const base = '/security/skills';

const Name = Type.String({ minLength: 1, maxLength: 200 });

export const SkillPackage = Exact(
  {
    id: Id,
    skill_id: Id,
    skill_name: Type.String(),
    version: Type.String(),
    skill_status: Type.Enum(skillStatuses),
    risk_level: Type.Enum(skillRiskLevels),
    file_name: Type.String(),
    size: Type.Integer({ ...Count, description: 'Of the ZIP that is handed out, in bytes' }),
    sha256: Type.String({ description: 'Of that ZIP' }),
    tree_hash: Type.String({ description: 'Of the files in it' }),
    current: Type.Boolean({ description: 'The registry knows the skill by these files; others are not handed out' }),
    files: Type.Array(Exact({ path: Type.String(), size: Count, sha256: Type.String() })),
    has_manifest: Type.Boolean({ description: 'It has a skill.json' }),
    download_count: Count,
    uploaded_by: Type.String(),
    created_at: Timestamp,
  },
  { title: 'SkillPackage' },
);
export type SkillPackage = Static<typeof SkillPackage>;

const PackageQuery = Exact({
  ...optional({
    skill_id: Id,
    status: Type.Enum(skillStatuses, { 'x-any-case': true, description: 'Of the skill' }),
    uploaded_by: Name,
    search: Type.String({ maxLength: 200, description: "Part of the file's or the skill's name, in any case" }),
  }),
  sort: Type.Enum(['created_at', 'file_name', 'size', 'download_count'], { default: 'created_at' }),
  order: Type.Enum(['asc', 'desc'], { default: 'desc' }),
  limit: Type.Integer({ minimum: 1, maximum: 1_000, default: 50 }),
  offset: Type.Integer({ minimum: 0, maximum: 1_000_000, default: 0 }),
});
export type SkillPackageQuery = Static<typeof PackageQuery>;

export const listSkillPackages = routes.define({
  method: 'GET',
  path: `${base}/packages`,
  role: 'viewer',
  summary: 'List the packages of skills',
  parts: {
    query: PackageQuery,
    response: Exact({ packages: Type.Array(SkillPackage), total: Count, limit: Count, offset: Count }),
  },
});

export const getSkillPackage = routes.define({
  method: 'GET',
  path: `${base}/packages/:id`,
  role: 'viewer',
  summary: 'Show a package with the files in it',
  parts: { params: ById, response: SkillPackage },
  errors: ['not_found'],
});

const uploadFacts = {
  file_name: Type.String({ ...Name, description: 'Made of the name and version of the skill unless given' }),
  skill_name: Type.String({ ...Name, description: 'As skill.json or SKILL.md has it unless given' }),
  version: Type.String({ ...Name, description: 'As skill.json or SKILL.md has it, or 1.0.0, unless given' }),
};

export const uploadSkillPackage = routes.define({
  method: 'POST',
  path: `${base}/packages`,
  role: 'admin',
  summary:
    'Upload a skill as a ZIP, in a form (curl -F file=@skill.zip), as the body, or in base64: its files are scanned, and it waits for a decision',
  file: { contentType: 'application/zip', field: 'content', nameField: 'file_name' },
  parts: {
    query: Exact(optional({ skill_name: uploadFacts.skill_name, version: uploadFacts.version })),
    body: Exact(
      optional({
        content: Type.String({
          maxLength: 67_108_864,
          description: 'The ZIP in base64, at most SKILL_PACKAGE_MAX_MB; not needed where it comes as a file',
        }),
        ...uploadFacts,
      }),
    ),
    response: Exact({ package: SkillPackage, analysis: SkillAnalysis }),
  },
  errors: ['bad_request', 'conflict', 'payload_too_large', 'skill_unscannable', 'service_unavailable', 'storage_full'],
  audit: ['skill.submitted', 'skill.uploaded'],
});

export const downloadSkillPackage = routes.define({
  method: 'GET',
  path: `${base}/packages/:id/download`,
  role: 'viewer',
  summary:
    'Download a package; only those of approved skills are handed out, and each download is written to the audit log',
  contentType: 'application/zip',
  parts: { params: ById },
  errors: ['not_found', 'internal_error'],
});

export const deleteSkillPackage = routes.define({
  method: 'DELETE',
  path: `${base}/packages/:id`,
  role: 'admin',
  summary: 'Remove a package; what the registry knows of the skill stays',
  parts: { params: ById },
  errors: ['not_found'],
  audit: 'skill.package.deleted',
});
