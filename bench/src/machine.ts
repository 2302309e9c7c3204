import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { cpus, loadavg, release, totalmem } from 'node:os';

/** Which CPU each process is bound to; undefined where binding is not possible. */
export interface Cores {
  readonly proxy: number | undefined;
  readonly upstream: number | undefined;
  readonly load: number | undefined;
}

export interface Machine {
  readonly date: string;
  readonly cpu: string;
  readonly cores: number;
  readonly memoryGiB: number;
  readonly kernel: string;
  readonly node: string;
  /** Load average of the last minute, before the run: what else the machine was doing. */
  readonly loadBefore: number;
  readonly pinned: Cores;
}

/** The proxy gets a core of its own; upstream and load share the next one where there are only two. */
export function chooseCores(allowed: readonly number[], canPin: boolean): Cores {
  const [proxy, upstream] = allowed;
  if (!canPin || upstream === undefined) return { proxy: undefined, upstream: undefined, load: undefined };
  return { proxy, upstream, load: allowed[2] ?? upstream };
}

/** Parses the kernel's list of CPUs, such as `0-3,6`. */
export const parseCpuList = (text: string): number[] =>
  text
    .split(',')
    .filter(Boolean)
    .flatMap((range) => {
      const [first = 0, last = first] = range.split('-').map(Number);
      return Array.from({ length: last - first + 1 }, (_, index) => first + index);
    });

export function describeMachine(): Machine {
  const allowed = parseCpuList(
    /^Cpus_allowed_list:\s*(\S+)/m.exec(readFileSync('/proc/self/status', 'utf8'))?.[1] ?? '',
  );
  return {
    date: new Date().toISOString(),
    cpu: cpus()[0]?.model ?? 'unknown',
    cores: allowed.length,
    memoryGiB: Math.round(totalmem() / 2 ** 30),
    kernel: release(),
    node: process.version,
    loadBefore: loadavg()[0] ?? 0,
    pinned: chooseCores(allowed, hasTaskset()),
  };
}

/** Moves a process with all its threads, so that what it does is not done on the core under test. */
export function bindProcess(pid: number, core: number | undefined): void {
  if (core === undefined) return;
  execFileSync('taskset', ['--all-tasks', '--pid', '--cpu-list', String(core), String(pid)], { stdio: 'ignore' });
}

function hasTaskset(): boolean {
  try {
    execFileSync('taskset', ['--version'], { stdio: 'ignore' });
    return true;
  } catch {
    return false;
  }
}
