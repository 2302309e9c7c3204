import { spawn } from 'node:child_process';
import { setTimeout as pause } from 'node:timers/promises';

export interface ProgramRun {
  /** Null when a signal ended it. */
  readonly code: number | null;
  /** What it wrote to stdout and stderr, the last of it where it was much. */
  readonly output: string;
  /** It was ended because its time was over. */
  readonly timedOut: boolean;
}

const maxOutput = 200_000;
const graceMs = 2_000;

/**
 * Runs a program without a terminal and resolves when it has ended, and every process that it started in its group with it.
 * @throws when it cannot be started
 */
export async function runProgram(
  file: string,
  parameters: readonly string[],
  options: {
    readonly cwd: string;
    readonly env: NodeJS.ProcessEnv;
    readonly timeoutMs: number;
    readonly signal: AbortSignal;
  },
): Promise<ProgramRun> {
  options.signal.throwIfAborted();
  const { cwd, env } = options;
  const child = spawn(file, parameters, { cwd, env, detached: true, stdio: ['ignore', 'pipe', 'pipe'] });
  let output = '';
  const keep = (chunk: Buffer): void => void (output = (output + chunk.toString()).slice(-maxOutput));
  child.stdout.on('data', keep);
  child.stderr.on('data', keep);

  let timedOut = false;
  const end = (): void => killGroup(child.pid, 'SIGKILL');
  const timer = setTimeout(() => {
    timedOut = true;
    end();
  }, options.timeoutMs);
  options.signal.addEventListener('abort', end);
  process.once('exit', end);
  try {
    const code = await new Promise<number | null>((resolve, reject) => {
      child.once('error', reject);
      child.once('exit', resolve);
    });
    // What it started may hold its pipes open for as long as it likes.
    const closed = new Promise((resolve) => child.once('close', resolve));
    killGroup(child.pid, 'SIGTERM');
    await Promise.race([closed, pause(graceMs)]);
    end();
    return { code, output, timedOut };
  } finally {
    clearTimeout(timer);
    options.signal.removeEventListener('abort', end);
    process.off('exit', end);
  }
}

function killGroup(leader: number | undefined, signal: NodeJS.Signals): void {
  if (leader === undefined) return;
  try {
    process.kill(-leader, signal);
  } catch {
    // Nothing is left of the group.
  }
}
