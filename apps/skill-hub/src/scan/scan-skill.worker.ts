import { parentPort } from 'node:worker_threads';
import { openPackage } from '@portcullis/core/skills/archive/open-archives';
import { parseArchive } from '@portcullis/core/skills/archive/parse-archive';
import { packageOfSource, readPackage, type SkillPackage } from '@portcullis/core/skills/package/read-package';
import { createSkillScanner } from '@portcullis/core/skills/scan/scan-skill';
import { packSkill, type PackedSkill } from './pack-skill.ts';
import type { ScanAnswer, ScanQuestion } from './scan-question.ts';

const scanner = createSkillScanner();

interface ReadSkill {
  readonly skill: SkillPackage;
  readonly packed?: PackedSkill;
}

/** Answers why it is refused, or what there is to scan. */
function read(question: ScanQuestion): ReadSkill | string {
  if ('source' in question) return { skill: packageOfSource(question.source, question.path) };
  const { files, fault } = openPackage(question.archive);
  const own = parseArchive(question.archive);
  if (files === undefined || own.files === undefined) return (fault ?? own.fault)?.message ?? 'The archive is refused';
  try {
    return { skill: readPackage(files), packed: packSkill(own.files) };
  } catch (error) {
    if (error instanceof RangeError) return error.message;
    throw error;
  }
}

parentPort?.on('message', (question: ScanQuestion) => {
  const started = performance.now();
  const found = read(question);
  const answer: ScanAnswer =
    typeof found === 'string'
      ? { refusal: found }
      : { assessment: scanner.scan(found.skill), durationMs: performance.now() - started, packed: found.packed };
  parentPort?.postMessage(answer);
});
