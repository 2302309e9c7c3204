import type { PackageFile } from './package/read-package.ts';
import type { SkillDetector } from './skill-rule.ts';

/** What code found, at its place. */
export interface Detection {
  readonly detector: SkillDetector;
  readonly file: PackageFile;
  readonly start: number;
  readonly end: number;
  readonly weight: number;
  readonly trace?: readonly string[];
}
