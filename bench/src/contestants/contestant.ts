import type { Child, ChildOptions } from '../child.ts';
import type { Target } from '../load-order.ts';

/** One way from the load to the upstream. */
export interface Contestant {
  /** As in `--only` and in the table. */
  readonly name: string;
  readonly description: string;
  /**
   * Installs what is missing, starts it and checks that it answers.
   * @throws {Absent} when this machine cannot have it; any other error is a fault to be reported as such
   */
  open(rig: Rig): Promise<RunningContestant>;
}

export interface RunningContestant {
  readonly target: Target;
  /** Root of the processes whose CPU and memory count; undefined when nothing stands between. */
  readonly pid: number | undefined;
  /** Facts for the report, for example the version. */
  readonly facts: readonly string[];
  /** Checks after the load that what should have been done for each of the requests was done. */
  check?(requests: number): Promise<void>;
}

/** What the laboratory lends to a contestant. */
export interface Rig {
  readonly upstreamPort: number;
  /** Temporary folder, removed at the end. */
  readonly folder: string;
  /** Folder that stays for the next run. */
  readonly cacheFolder: string;
  readonly signal: AbortSignal;
  readonly say: (line: string) => void;
  /** Starts a process on the core under test; it is ended when the contestant is out or the run is over. */
  start(options: Omit<ChildOptions, 'core' | 'folder'>): Promise<Child>;
  /** Does something after the processes started later have ended. */
  defer(task: () => Promise<void>): void;
}

/** This machine cannot have the contestant; the message says why. */
export class Absent extends Error {
  constructor(message: string) {
    super(message);
    this.name = 'Absent';
  }
}

export const chatPath = '/v1/chat/completions';
