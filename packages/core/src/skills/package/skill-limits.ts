/** What one skill may come to. More is not read and said so: a package that was not read whole is never called harmless. */
export const skillLimits = {
  files: 2_000,
  pathLength: 400,
  pathDepth: 16,
  /** Characters of one text, and of all of them together. */
  fileCharacters: 2_000_000,
  packageCharacters: 16_000_000,
  /** Of one rule in one file; and in the whole assessment. */
  findingsPerRule: 20,
  findings: 1_000,
} as const;
