import { join } from 'node:path';
import type { Infrastructure } from '@portcullis/platform/service/infrastructure';
import { problemText } from '@portcullis/platform/errors/problem';
import { createSkillHub } from './create-skill-hub.ts';
import { startExpiringSkills } from './expire-skills.ts';
import type { HubPart } from './hub-part.ts';
import { download, readPackagedFile } from './packages/download.ts';
import { createFileReader } from './packages/file-reader.ts';
import { packageRoutes } from './packages/package-routes.ts';
import { createPackageStore } from './packages/package-store.ts';
import { registryRoutes } from './review/registry-routes.ts';
import { seedBuiltInSkill } from './registry/seed-built-in-skill.ts';
import { createAnnounceSkill } from '@portcullis/platform/skills/announce-skill';
import { reportRoutes } from './reports/report-routes.ts';
import { createAssessor } from './scan/assessor.ts';
import { createScanThread } from './scan/scan-thread.ts';
import type { SkillHub } from './skill-hub.ts';
import { statsRoutes } from './stats/stats-routes.ts';
import { submissionRoutes } from './submissions/submission-routes.ts';

const bytesPerKiB = 1_024;

/** The registry with everything behind it, and its routes. */
export function createHubDomain(infrastructure: Infrastructure): HubPart & { readonly hub: SkillHub } {
  const { database, config, log, coordination, dataDirectory } = infrastructure;
  const thread = createScanThread({ log });
  const assessor = createAssessor(database, thread);
  const store = createPackageStore(config.SKILL_PACKAGE_STORAGE_PATH ?? join(dataDirectory, 'skill-packages'));
  const reader = createFileReader({ log });
  const stored = { database, store, reader, log };
  const announce = createAnnounceSkill(infrastructure);
  const hub = createSkillHub({
    database,
    assessor,
    announce,
    coordination,
    maxSourceBytes: config.SKILL_SOURCE_MAX_KB * bytesPerKiB,
    download: (caller, skill) => download(stored, caller, skill),
    readFile: (caller, file) => readPackagedFile(stored, caller, file),
  });
  let expiring: AsyncDisposable | undefined;
  return {
    hub,
    bound: [
      ...registryRoutes({ database, announce }),
      ...submissionRoutes(database, hub),
      ...reportRoutes(database, hub),
      ...packageRoutes({
        ...stored,
        assessor,
        announce,
        maxBytes: config.SKILL_PACKAGE_MAX_MB * bytesPerKiB * bytesPerKiB,
        maxFiles: config.SKILL_PACKAGE_MAX_FILES,
      }),
      ...statsRoutes(database),
    ],
    async start() {
      expiring = startExpiringSkills({ database, log, store, keepMs: config.SKILL_SUBMISSION_RETENTION });
      await seedBuiltInSkill(database).catch((error: unknown) => {
        log.warn("The gateway's own skill could not be put into the registry", { reason: problemText(error) });
      });
    },
    async [Symbol.asyncDispose]() {
      await expiring?.[Symbol.asyncDispose]();
      await reader[Symbol.asyncDispose]();
      await thread[Symbol.asyncDispose]();
    },
  };
}
