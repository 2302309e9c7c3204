/** What the command ends with; the same for every subcommand. */
export const exitCodes = {
  /** All was looked at, and nothing reached the threshold. */
  clean: 0,
  /** Something reached the threshold. */
  threshold: 1,
  /** The command was not understood. */
  usage: 2,
  /** What was to be looked at could not be read, or the report not be written. */
  unreadable: 3,
  /** The command itself failed. */
  fault: 4,
} as const;
export type ExitCode = (typeof exitCodes)[keyof typeof exitCodes];
