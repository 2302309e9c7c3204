import { mkdir } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { collectAnalyses, restoreAnalyses } from '@portcullis/core/policy/pattern/analyse-pattern';
import { skillRules } from '@portcullis/core/skills/rules/all-rules';
import { createSkillScanner, type SkillScanner } from '@portcullis/core/skills/scan/scan-skill';
import { createAnalysisStore, hashDocument } from '@portcullis/platform/policies/analysis-store';

/** Beside what is installed: a process that may write there may change the sources as well. */
const keptBesideInstallation = join(import.meta.dirname, '../../../../node_modules/.cache/portcullis/skill-analyses');

/** The seal of the file shows damage here, and no more: the installation has no secret. */
const seal = 'skill rules';

/** Analysing the patterns of the rules takes most of a short scan, so what came of it is kept in a file. */
export async function openScanner(path: string = keptBesideInstallation): Promise<SkillScanner> {
  const store = createAnalysisStore(path, seal);
  const rules = hashDocument(skillRules);
  // Without the file, or with a damaged one, everything works as well, and later.
  const kept = await store.load().catch(() => undefined);
  const known = kept?.get(rules);
  if (known !== undefined) {
    restoreAnalyses(known);
    return createSkillScanner();
  }
  const made: SkillScanner[] = [];
  const analyses = collectAnalyses(() => made.push(createSkillScanner()));
  await mkdir(dirname(path), { recursive: true })
    .then(() => store.save(new Map([[rules, analyses]])))
    .catch(() => undefined);
  return made[0] ?? createSkillScanner();
}
