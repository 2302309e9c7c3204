import { skillLimits } from '../package/skill-limits.ts';

/** What one archive, with all that is nested in it, may come to. */
export const archiveLimits = {
  /** Of the archive itself. */
  bytes: 50_000_000,
  /** Entries, folders among them, of an archive and of all that are nested in it. */
  entries: 2 * skillLimits.files,
  /** Of all entries together, inflated. */
  inflatedBytes: 100_000_000,
  /** Inflated to stored, of an entry that inflates to more than `ratioFromBytes`: text comes to 20 at most. */
  ratio: 200,
  ratioFromBytes: 1_000_000,
  nameBytes: 255,
  depth: skillLimits.pathDepth,
  /** An archive in an archive in an archive is opened, one further is refused. */
  nesting: 3,
} as const;

/** What is left to inflate; one for an archive and all that are nested in it. */
export interface ArchiveBudget {
  entries: number;
  inflatedBytes: number;
}

export const createArchiveBudget = (): ArchiveBudget => ({
  entries: archiveLimits.entries,
  inflatedBytes: archiveLimits.inflatedBytes,
});
