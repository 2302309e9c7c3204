import { parentPort } from 'node:worker_threads';
import { openPackage } from '@portcullis/core/skills/archive/open-archives';
import { parseArchive } from '@portcullis/core/skills/archive/parse-archive';
import { packageOfSource, readPackage, type SkillPackage } from '@portcullis/core/skills/package/read-package';
import { createSkillScanner } from '@portcullis/core/skills/scan/scan-skill';
import { packSkill, type PackedSkill } from './pack-skill.ts';
import type { ScanAnswer, ScanRequest } from './scan-messages.ts';

const scanner = createSkillScanner();

interface ReadSkill {
  readonly skill: SkillPackage;
  readonly packed?: PackedSkill;
}

/** Answers why it is refused, or what there is to scan. */
function read(request: ScanRequest): ReadSkill | string {
  if ('source' in request) return { skill: packageOfSource(request.source, request.path) };
  const { files, fault } = openPackage(request.archive);
  const own = parseArchive(request.archive);
  if (files === undefined || own.files === undefined) return (fault ?? own.fault)?.message ?? 'The archive is refused';
  try {
    return { skill: readPackage(files), packed: packSkill(own.files) };
  } catch (error) {
    if (error instanceof RangeError) return error.message;
    throw error;
  }
}

parentPort?.on('message', (request: ScanRequest) => {
  const started = performance.now();
  const found = read(request);
  const answer: ScanAnswer =
    typeof found === 'string'
      ? { refusal: found }
      : { assessment: scanner.scan(found.skill), durationMs: performance.now() - started, packed: found.packed };
  parentPort?.postMessage(answer);
});
