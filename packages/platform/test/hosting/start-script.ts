import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';

/** A script of this folder that runs as a process of its own. */
export interface Script {
  readonly child: ChildProcess;
  /** Resolves with the match as soon as the process has printed it, on either stream. */
  said(pattern: RegExp): Promise<RegExpExecArray>;
  /** Resolves when the process has ended. */
  readonly ended: Promise<{
    readonly code: number | null;
    readonly signal: NodeJS.Signals | null;
    readonly stdout: string;
    readonly stderr: string;
  }>;
}

/** Starts a script with nothing in its environment but what is given. */
export function startScript(name: string, parameters: string[] = [], environment: Record<string, string> = {}): Script {
  const child = spawn(process.execPath, [join(import.meta.dirname, name), ...parameters], { env: environment });
  let [stdout, stderr] = ['', ''];
  child.stdout.on('data', (chunk: Buffer) => (stdout += chunk.toString()));
  child.stderr.on('data', (chunk: Buffer) => (stderr += chunk.toString()));
  const ended = once(child, 'close').then(() => ({ code: child.exitCode, signal: child.signalCode, stdout, stderr }));

  return {
    child,
    ended,
    said: (pattern) =>
      new Promise((resolve, reject) => {
        const look = () => {
          const match = pattern.exec(stdout) ?? pattern.exec(stderr);
          if (match !== null) resolve(match);
        };
        child.stdout.on('data', look);
        child.stderr.on('data', look);
        void ended.then(() =>
          reject(new Error(`${name} ended before it said ${String(pattern)}:\n${stdout}${stderr}`)),
        );
        look();
      }),
  };
}

/** Ends processes that a failed test has left behind. */
export async function killScripts(scripts: Script[]): Promise<void> {
  for (const { child, ended } of scripts.splice(0)) {
    child.kill('SIGKILL');
    await ended;
  }
}
