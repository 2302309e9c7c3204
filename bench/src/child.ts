import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, openSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

export interface ChildOptions {
  /** Names the log file. */
  readonly name: string;
  readonly command: string;
  readonly parameters: readonly string[];
  /** Everything the child sees besides PATH and HOME: what the shell exports must not change a figure. */
  readonly env?: Readonly<Record<string, string>>;
  /** CPU the child is bound to; undefined leaves the choice to the system. */
  readonly core: number | undefined;
  /** Existing folder for its output. */
  readonly folder: string;
  /** Whether the child speaks to this process by messages. */
  readonly messages?: boolean;
}

/** A child in a process group of its own, so that its whole tree can be ended; disposing ends it. */
export interface Child extends AsyncDisposable {
  readonly pid: number;
  /** The last lines it printed. */
  tail(): string;
  hasEnded(): boolean;
  send(message: object): void;
  /** Resolves with the next message; rejects when the child ends or the signal fires before. */
  nextMessage(signal: AbortSignal): Promise<unknown>;
}

const graceMs = 12_000;

export async function startChild(options: ChildOptions): Promise<Child> {
  const logFile = join(options.folder, `${options.name.replaceAll(/\W+/g, '-')}.log`);
  const spawned = spawnPinned(options, logFile);
  await once(spawned, 'spawn');
  const { pid } = spawned;
  if (pid === undefined) throw new Error(`${options.name} has no process id`);
  const kill = (signal: NodeJS.Signals) => killGroup(pid, signal);
  // For a crash of this process, which disposes nothing.
  const killAtExit = () => kill('SIGKILL');
  process.once('exit', killAtExit);
  const hasEnded = () => spawned.exitCode !== null || spawned.signalCode !== null;
  const tail = () => readFileSync(logFile, 'utf8').trimEnd().split('\n').slice(-8).join('\n');
  return {
    pid,
    tail,
    hasEnded,
    send: (message) => void spawned.send?.(message, () => undefined),
    nextMessage: (signal) => nextMessage(spawned, signal, () => `${options.name} ended: ${tail()}`),
    /** Asks the whole group to end, and after a while no longer asks. */
    async [Symbol.asyncDispose]() {
      process.off('exit', killAtExit);
      if (!hasEnded()) {
        kill('SIGTERM');
        await once(spawned, 'exit', { signal: AbortSignal.timeout(graceMs) }).catch(() => undefined);
      }
      kill('SIGKILL');
    },
  };
}

function spawnPinned({ command, parameters, env, core, messages }: ChildOptions, logFile: string): ChildProcess {
  const log = openSync(logFile, 'a');
  const [file, args] =
    core === undefined ? [command, parameters] : ['taskset', ['--cpu-list', String(core), command, ...parameters]];
  try {
    return spawn(file, args, {
      detached: true,
      env: { PATH: process.env['PATH'], HOME: process.env['HOME'], ...env },
      stdio: messages === true ? ['ignore', log, log, 'ipc'] : ['ignore', log, log],
    });
  } finally {
    closeSync(log);
  }
}

async function nextMessage(child: ChildProcess, signal: AbortSignal, whyEnded: () => string): Promise<unknown> {
  const ended = new AbortController();
  const end = () => ended.abort(new Error(whyEnded()));
  child.once('exit', end);
  if (child.exitCode !== null || child.signalCode !== null) end();
  const given = AbortSignal.any([signal, ended.signal]);
  try {
    const parts: unknown[] = await once(child, 'message', { signal: given });
    return parts[0];
  } catch (error) {
    throw given.aborted ? given.reason : error;
  } finally {
    child.off('exit', end);
  }
}

function killGroup(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(-pid, signal);
  } catch {
    // The group is gone already.
  }
}
