import type { SkillPackage } from '@portcullis/contracts/routes/skill-packages';
import type { SkillAnalysis } from '@portcullis/contracts/skills';
import { auditEntry } from '@portcullis/platform/audit/audited';
import { recordAudit } from '@portcullis/platform/audit/record-audit';
import type { Queryable } from '@portcullis/platform/database/database';
import { GatewayError } from '@portcullis/platform/http/gateway-error';
import { problemCode } from '@portcullis/platform/errors/problem';
import { announceChange, auditedCall, renderAnalysis, submissionAudit } from '../submissions/analyze.ts';
import { checkSkillName } from '../registry/check-skill-name.ts';
import { checkName, checkText, checkVersion, firstVersion } from '../registry/check-names.ts';
import { readDeclaredFacts } from '../submissions/declared-facts.ts';
import type { AnnounceSkill } from '@portcullis/platform/skills/announce-skill';
import { nameOfCaller, recordSubmission, type ScannedSubmission } from '../submissions/record-submission.ts';
import { quotaOf } from '../caller-quota.ts';
import { assessWithFacts, withFacts } from '../scan/assess-facts.ts';
import { hashSource, type AssessedPackage, type Assessor } from '../scan/assessor.ts';
import type { PackedSkill } from '../scan/pack-skill.ts';
import type { SkillCaller } from '../skill-hub.ts';
import { findPackage, renderPackage, saveArchive, savePackage } from './package-queries.ts';
import type { PackageStore } from './package-store.ts';
import { readManifest } from './read-manifest.ts';

export interface UploadParts {
  readonly database: Queryable;
  readonly assessor: Assessor;
  readonly store: PackageStore;
  readonly announce: AnnounceSkill;
  readonly maxBytes: number;
  readonly maxFiles: number;
}

export interface Upload {
  /** The ZIP. */
  readonly file?: Uint8Array | undefined;
  /** The ZIP in base64, where it did not come as a file. */
  readonly content?: string | undefined;
  readonly file_name?: string | undefined;
  readonly skill_name?: string | undefined;
  readonly version?: string | undefined;
}

const base64 = /^[A-Za-z0-9+/]*={0,2}$/;
/** Disk full, of PostgreSQL. */
const databaseFull = '53100';

/** Scans a package and keeps it: the file first, then all rows in one transaction, so that no row is without its file. */
export async function upload(
  parts: UploadParts,
  caller: SkillCaller,
  upload: Upload,
): Promise<{ readonly package: SkillPackage; readonly analysis: SkillAnalysis }> {
  const archive = readArchive(upload, parts.maxBytes);
  const share = quotaOf(caller);
  const assessed = await parts.assessor.assessArchive(archive, share);
  const { packed } = assessed;
  if (packed.files.length > parts.maxFiles) {
    const message = `The package has ${packed.files.length} files; allowed are ${parts.maxFiles}`;
    throw new GatewayError('payload_too_large', { message });
  }
  const described = describe(caller, upload, assessed);
  const content = Promise.resolve({ assessment: assessed.assessment, isCached: false });
  const judged = await assessWithFacts(parts.assessor, described, content, share);
  const scanned = { ...described, content: assessed.assessment, facts: judged.facts };
  const fileName = nameFile(upload.file_name, scanned);
  await parts.store.save(packed.sha256, packed.archive);
  const { taken, id } = await saveUpload(parts.database, caller, { scanned, packed, fileName });
  await announceChange(parts.announce, taken);
  const row = await findPackage(parts.database, id);
  if (row === undefined) throw new GatewayError('conflict', { message: 'The skill was deleted at the same moment' });
  const assessment = withFacts(scanned.content, scanned.facts);
  return { package: renderPackage(row), analysis: renderAnalysis(taken, { assessment, isCached: false }, undefined) };
}

function readArchive({ file, content }: Upload, maxBytes: number): Uint8Array {
  if (file !== undefined && content !== undefined) {
    throw new GatewayError('bad_request', { message: 'Send the ZIP once: as a file, or in content' });
  }
  const archive = file ?? decodeContent(content);
  if (archive.length > maxBytes) {
    const message = `The package has ${archive.length} bytes; allowed are ${maxBytes}`;
    throw new GatewayError('payload_too_large', { message });
  }
  return archive;
}

function decodeContent(content = ''): Uint8Array {
  const text = content.replaceAll(/[\r\n]+/g, '');
  if (!base64.test(text) || text === '') {
    const message =
      'content must be a ZIP in base64; or send the ZIP as a form (curl -F file=@skill.zip) or as the body';
    throw new GatewayError('bad_request', { message });
  }
  return new Uint8Array(Buffer.from(text, 'base64'));
}

/** What is not given is read from its skill.json, then from its SKILL.md. */
function describe(
  caller: SkillCaller,
  given: Upload,
  { packed }: AssessedPackage,
): Omit<ScannedSubmission, 'content' | 'facts'> {
  const manifest = readManifest(packed.manifest);
  const declared = readDeclaredFacts(packed.source ?? '');
  const name = given.skill_name ?? manifest.name ?? declared.name;
  if (name === undefined) {
    const message = 'Neither a skill.json nor a SKILL.md of the package says its name: send skill_name';
    throw new GatewayError('bad_request', { message });
  }
  const author = manifest.author ?? declared.author ?? '';
  const user = nameOfCaller(caller.user) ?? 'unknown';
  return {
    name: checkSkillName('skill_name', name),
    version: checkVersion(given.version ?? manifest.version ?? declared.version ?? firstVersion),
    description: checkText('description', manifest.description ?? declared.description ?? '', 4_000),
    author: author === '' ? '' : checkName('author', author),
    tags: declared.tags,
    agentName: checkName('agent_name', `admin-upload:${user}`.slice(0, 200)),
    contentHash: packed.source === undefined ? packed.treeHash : hashSource(packed.source),
    treeHash: packed.treeHash,
    source: packed.source,
  };
}

const unsafeInNames = /[^\w.+-]+/g;

/** A name that any system takes, and that says nothing about folders. */
function nameFile(given: string | undefined, { name, version }: ScannedSubmission): string {
  const base = (given ?? `${name}-${version}`).replace(/\.zip$/i, '').replaceAll(unsafeInNames, '-');
  return `${base.replace(/^[-.]+/, '').slice(0, 120) || 'skill'}.zip`;
}

interface ReadyUpload {
  readonly scanned: ScannedSubmission;
  readonly packed: PackedSkill;
  readonly fileName: string;
}

async function saveUpload({ kysely }: Queryable, caller: SkillCaller, { scanned, packed, fileName }: ReadyUpload) {
  try {
    return await kysely.transaction().execute(async (transaction) => {
      const queryable = { kysely: transaction };
      await saveArchive(queryable, packed.sha256, packed.archive);
      const taken = await recordSubmission(queryable, scanned, caller);
      const id = await savePackage(queryable, {
        skill_id: taken.skill.id,
        file_name: fileName,
        size: packed.archive.length,
        sha256: packed.sha256,
        tree_hash: packed.treeHash,
        files: JSON.stringify(packed.files),
        has_manifest: packed.manifest !== undefined,
        uploaded_by: nameOfCaller(caller.user) ?? 'unknown',
      });
      const call = auditedCall(caller);
      if (taken.isNews) await recordAudit(transaction, auditEntry(call, submissionAudit(taken, scanned)));
      const { skill } = taken;
      const entry = auditEntry(call, {
        event: 'skill.uploaded',
        resource: { type: 'skill', id: skill.id, name: `${skill.name} ${skill.version}` },
        details: { package_id: id, file_name: fileName, size: packed.archive.length, sha256: packed.sha256 },
      });
      await recordAudit(transaction, entry);
      return { taken, id };
    });
  } catch (error) {
    if (problemCode(error) !== databaseFull) throw error;
    throw new GatewayError('storage_full', { message: 'The disk of the database is full', cause: error });
  }
}
