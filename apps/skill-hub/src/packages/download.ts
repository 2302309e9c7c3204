import { hash } from 'node:crypto';
import { auditEntry } from '@portcullis/platform/audit/audited';
import { recordAudit } from '@portcullis/platform/audit/record-audit';
import type { Queryable } from '@portcullis/platform/database/database';
import { GatewayError } from '@portcullis/platform/http/gateway-error';
import { problemText } from '@portcullis/platform/errors/problem';
import type { Logger } from '@portcullis/platform/log/logger';
import { auditedCall } from '../submissions/analyze.ts';
import { checkName, checkVersion } from '../registry/check-names.ts';
import { contentRows } from '@portcullis/platform/skills/content-queries';
import type { SkillRow } from '@portcullis/platform/skills/skill-queries';
import { findSkillOrThrow } from '../registry/skill-details.ts';
import type { SkillCaller, SkillDownload, SkillReference } from '../skill-hub.ts';
import { countDownload, findArchive, findServedPackage, type PackageRow } from './package-queries.ts';
import { quotaOf } from '../caller-quota.ts';
import { maxFileBytes, type FileReader } from './file-reader.ts';
import type { PackageStore } from './package-store.ts';
import type { PackedFile } from '../scan/pack-skill.ts';

export interface DownloadParts {
  readonly database: Queryable;
  readonly store: PackageStore;
  readonly reader: FileReader;
  readonly log: Logger;
}

/** Serves the package of an approved skill. Without a version, the one that was approved last and has a package. */
export async function download(
  parts: DownloadParts,
  caller: SkillCaller,
  reference: SkillReference,
): Promise<SkillDownload> {
  const { skill, found } = await findServedOrThrow(parts.database, reference);
  return servePackage(parts, caller, skill, found);
}

async function findServedOrThrow(database: Queryable, reference: SkillReference) {
  const skill = await findServed(database, reference);
  const found = await findServedPackage(database, skill);
  if (found !== undefined) return { skill, found };
  const message = `The skill ${skill.name} ${skill.version} is approved, and no package of it was uploaded`;
  throw new GatewayError('not_found', { message });
}

/** Reads one file of the package of an approved skill, and records that as a download. Undefined for a file it does not have. */
export async function readPackagedFile(
  parts: DownloadParts,
  caller: SkillCaller,
  { path, ...reference }: SkillReference & { readonly path: string },
): Promise<Uint8Array | undefined> {
  const { skill, found } = await findServedOrThrow(parts.database, reference);
  const size = (found.files as unknown as readonly PackedFile[]).find((file) => file.path === path)?.size ?? 0;
  if (size > maxFileBytes) {
    const message = `The file has ${size} bytes, and at most ${maxFileBytes} are read; take the package with download_skill`;
    throw new GatewayError('payload_too_large', { message });
  }
  const where = parts.store.locate(found.sha256);
  const file = { where, sha256: found.sha256, path };
  const bytes = await parts.reader.read(file, () => loadVerified(parts, found.sha256), quotaOf(caller));
  if (bytes !== undefined) await recordDownload(parts.database, caller, skill, found);
  return bytes;
}

/** Reads a package and records its download. */
export async function servePackage(
  parts: DownloadParts,
  caller: SkillCaller,
  skill: SkillRow,
  found: PackageRow,
): Promise<SkillDownload> {
  const content = await loadVerified(parts, found.sha256);
  await recordDownload(parts.database, caller, skill, found);
  return {
    name: skill.name,
    version: skill.version,
    filename: found.file_name,
    size: found.size,
    content_hash: found.sha256,
    risk_level: skill.risk_level,
    content,
  };
}

/** Counts a download and audits it. @throws {GatewayError} `not_found` for a package that is not approved at this moment */
const recordDownload = (database: Queryable, caller: SkillCaller, skill: SkillRow, found: PackageRow): Promise<void> =>
  database.kysely.transaction().execute(async (transaction) => {
    // A decision that came meanwhile counts: nothing is handed out that is not approved at this moment.
    const now = await transaction
      .selectFrom('skill_contents')
      .select('status')
      .where('skill_id', '=', skill.id)
      .where('tree_hash', '=', found.tree_hash)
      .forShare()
      .executeTakeFirst();
    if (now?.status !== 'approved') throw notApproved(skill, now?.status ?? 'deleted');
    await countDownload({ kysely: transaction }, found.id);
    const entry = auditEntry(auditedCall(caller), {
      event: 'skill.downloaded',
      resource: { type: 'skill', id: skill.id, name: `${skill.name} ${skill.version}` },
      details: {
        package_id: found.id,
        sha256: found.sha256,
        size: found.size,
        agent_name: caller.agent ?? null,
        via: caller.via,
      },
    });
    await recordAudit(transaction, entry);
  });

async function findServed(database: Queryable, { name, version }: SkillReference): Promise<SkillRow> {
  const wanted = {
    name: checkName('skill_name', name),
    version: version === undefined ? undefined : checkVersion(version),
  };
  // What is approved is handed out, whatever came in after it.
  const served = await contentRows(database)
    .where('name', '=', wanted.name)
    .where('status', '=', 'approved')
    .$if(wanted.version !== undefined, (query) => query.where('version', '=', wanted.version as string))
    .orderBy('has_package', 'desc')
    .orderBy('approved_at', 'desc')
    .limit(1)
    .executeTakeFirst();
  if (served !== undefined) return served;
  const known = await findSkillOrThrow(database, wanted);
  throw notApproved(known, known.status);
}

const notApproved = ({ name, version }: SkillRow, status: string) =>
  new GatewayError('not_found', {
    message: `The skill ${name} ${version} is ${status}, and only approved skills are handed out`,
  });

/** From disk, or from the database where the file is lost or damaged; then it is written again. */
async function loadVerified({ database, store, log }: DownloadParts, sha256: string): Promise<Uint8Array> {
  const bytes = await store.load(sha256);
  if (bytes !== undefined) return bytes;
  const copy = await findArchive(database, sha256);
  if (copy === undefined || hash('sha256', copy) !== sha256) {
    throw new GatewayError('internal_error', { message: 'The package is damaged: upload it again' });
  }
  log.warn('The file of a package was not there or damaged, and is written again', { sha256 });
  await store.save(sha256, copy).catch((error: unknown) => {
    log.warn('The file of a package could not be written', { sha256, reason: problemText(error) });
  });
  return copy;
}
