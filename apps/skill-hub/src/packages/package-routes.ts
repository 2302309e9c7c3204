import {
  deleteSkillPackage,
  downloadSkillPackage,
  getSkillPackage,
  listSkillPackages,
  uploadSkillPackage,
} from '@portcullis/contracts/routes/skill-packages';
import { audited } from '@portcullis/platform/audit/audited';
import type { Queryable } from '@portcullis/platform/database/database';
import { readConsistent } from '@portcullis/platform/database/read-consistent';
import { bind, type BoundRoute } from '@portcullis/platform/routes/bound-route';
import { GatewayError } from '@portcullis/platform/http/gateway-error';
import { findPackagedContent } from '@portcullis/platform/skills/content-queries';
import { restCaller } from '../rest-caller.ts';
import { servePackage, type DownloadParts } from './download.ts';
import { deletePackageRow, findPackage, loadPackagePage, renderPackage } from './package-queries.ts';
import { upload, type UploadParts } from './upload.ts';

export function packageRoutes(parts: UploadParts & DownloadParts): BoundRoute[] {
  const { database } = parts;
  return [
    bind(listSkillPackages, async ({ query }) => {
      const { rows, total } = await readConsistent(database, (moment) => loadPackagePage(moment, query));
      return { data: { packages: rows.map(renderPackage), total, limit: query.limit, offset: query.offset } };
    }),
    bind(getSkillPackage, async ({ params: { id } }) => ({ data: renderPackage(await findOrThrow(database, id)) })),
    bind(uploadSkillPackage, async (call) => ({
      data: await upload(parts, restCaller(call), { ...call.query, ...call.body, file: call.file }),
      message: 'Package uploaded',
    })),
    bind(downloadSkillPackage, async (call) => {
      const found = await findOrThrow(database, call.params.id);
      const skill = await findPackagedContent(database, found.skill_id, found.tree_hash);
      if (skill === undefined) throw unknownPackage(call.params.id);
      const { content, filename } = await servePackage(parts, restCaller(call), skill, found);
      return { stream: once(content), contentType: 'application/zip', fileName: filename };
    }),
    bind(deleteSkillPackage, async (call) => {
      const { id } = call.params;
      const deleted = await audited(
        database,
        call,
        (transaction) => deletePackageRow(transaction, id),
        (row) =>
          row && {
            event: 'skill.package.deleted',
            resource: { type: 'skill_package', id, name: row.file_name },
            details: { skill_id: row.skill_id, sha256: row.sha256 },
          },
      );
      if (deleted === undefined) throw unknownPackage(id);
      return { message: 'Package deleted' };
    }),
  ];
}

async function* once(content: Uint8Array): AsyncGenerator<Uint8Array, void> {
  yield content;
}

async function findOrThrow(database: Queryable, id: number) {
  const row = await findPackage(database, id);
  if (row === undefined) throw unknownPackage(id);
  return row;
}

const unknownPackage = (id: number) => new GatewayError('not_found', { message: `There is no package ${id}` });
