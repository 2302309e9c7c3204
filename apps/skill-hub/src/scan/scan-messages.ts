import type { SkillAssessment } from '@portcullis/core/skills/finding';
import type { PackedSkill } from './pack-skill.ts';

/** What the thread scans: one source, with its name in findings unless it is a SKILL.md, or a package as it was uploaded. */
export type ScanRequest =
  | { readonly source: string; readonly path?: string | undefined }
  | { readonly archive: Uint8Array };

export type ScanAnswer =
  | {
      readonly assessment: SkillAssessment;
      readonly durationMs: number;
      /** Of an archive. */
      readonly packed?: PackedSkill | undefined;
    }
  /** Why the scanner does not read this. */
  | { readonly refusal: string };
