import { readFileSync, readdirSync } from 'node:fs';

/** What a process and all its descendants have used so far. */
export interface Usage {
  readonly cpuMicros: number;
  /** The main thread of the first process alone. */
  readonly mainThreadMicros: number;
  /** CPU by the name of the thread, microseconds. */
  readonly threadMicros: Readonly<Record<string, number>>;
  /** Resident memory; pages that two processes share count twice. */
  readonly rssBytes: number;
}

/** Reads /proc. The kernel's run time per thread is exact to the nanosecond; threads that ended are not in it. */
export function readUsage(rootPid: number): Usage {
  const threadMicros: Record<string, number> = {};
  let cpuMicros = 0;
  let mainThreadMicros = 0;
  let rssBytes = 0;
  for (const pid of processTree(rootPid)) {
    rssBytes += Number(/^VmRSS:\s+(\d+) kB/m.exec(readProc(`${pid}/status`))?.[1] ?? 0) * 1_024;
    for (const thread of threadsOf(pid)) {
      const micros = parseSchedstat(readProc(`${pid}/task/${thread}/schedstat`));
      const name = readProc(`${pid}/task/${thread}/comm`).trim();
      threadMicros[name] = (threadMicros[name] ?? 0) + micros;
      cpuMicros += micros;
      if (thread === rootPid) mainThreadMicros = micros;
    }
  }
  return { cpuMicros, mainThreadMicros, threadMicros, rssBytes };
}

/** Whether this machine tells what a thread has used. */
export const canReadUsage = (): boolean => readUsage(process.pid).cpuMicros > 0;

/** The first number is the time on a CPU in nanoseconds. */
export const parseSchedstat = (text: string): number => Number(text.split(' ', 1)[0]) / 1e3;

const threadsOf = (pid: number): number[] => {
  try {
    return readdirSync(`/proc/${pid}/task`).map(Number);
  } catch {
    return [];
  }
};

const processTree = (pid: number): number[] => [
  pid,
  ...threadsOf(pid).flatMap((thread) =>
    readProc(`${pid}/task/${thread}/children`).split(' ').filter(Boolean).map(Number).flatMap(processTree),
  ),
];

/** Empty when the thread has ended meanwhile. */
function readProc(path: string): string {
  try {
    return readFileSync(`/proc/${path}`, 'utf8');
  } catch {
    return '';
  }
}
