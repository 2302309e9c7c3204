import type { ExitCode } from './exit-codes.ts';

/** What a command has of the world around it, beside the file system. */
export interface CommandIo {
  /** Paths are relative to it. */
  readonly folder: string;
  /** The result. */
  say(text: string): void;
  /** What a person should know of beside the result. */
  warn(text: string): void;
  /** Draws the one line of a progress anew; undefined where no person watches. An empty text takes it away. */
  readonly progress?: ((text: string) => void) | undefined;
  /** A variable of the environment; undefined when it is not set, or empty. */
  environment(name: string): string | undefined;
  /** Aborted when the person wants the command to end. */
  readonly stopping: AbortSignal;
  /** Marks text where the result goes to a terminal that shows colours. */
  style(look: Look, text: string): string;
}

export type Look = 'bold' | 'dim' | 'red' | 'yellow' | 'green';

export interface Command {
  readonly usage: string;
  /** Throws UsageError on parameters that it does not know. */
  run(parameters: readonly string[], io: CommandIo): Promise<ExitCode>;
}

/** The command line is at fault; the message says how. */
export class UsageError extends Error {}

/** A path cannot be read or written; the message says which, and why. */
export class UnreadablePath extends Error {}
