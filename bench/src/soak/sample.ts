import { readFileSync, readdirSync, readlinkSync, statSync } from 'node:fs';
import { join } from 'node:path';

/** What a process holds at one moment. Sizes in bytes. */
export interface Sample {
  readonly seconds: number;
  readonly requests: number;
  readonly rss: number;
  /** Of the resident memory that of WebAssembly: the embedded database, which grows with its rows. */
  readonly database: number;
  /** Of the main thread. */
  readonly heapUsed: number;
  readonly external: number;
  /** With sockets, without the files of the embedded database, which keeps as many open as it may. */
  readonly openFiles: number;
  readonly spool: number;
  /** Of the event loop since the last sample, milliseconds. */
  readonly delayP99: number;
  readonly delayMax: number;
}

/** A memory of WebAssembly is followed by the addresses that it may still take, which are reserved. */
const guardBytes = 2 ** 30;

/**
 * The resident memory of WebAssembly, out of `/proc/<pid>/smaps`: mappings that may be written and end where
 * a reserve of gigabytes begins.
 */
export function readWasmBytes(smaps: string): number {
  let bytes = 0;
  let mapping: { readonly end: string; readonly isWritable: boolean; rss: number } | undefined;
  for (const line of smaps.split('\n')) {
    const head = /^([0-9a-f]+)-([0-9a-f]+) (\S{4})/.exec(line);
    if (head !== null) {
      const [, start = '', end = '', rights = ''] = head;
      const isGuard = rights === '---p' && Number(`0x${end}`) - Number(`0x${start}`) >= guardBytes;
      if (isGuard && mapping?.isWritable === true && mapping.end === start) bytes += mapping.rss;
      mapping = { end, isWritable: rights.startsWith('rw'), rss: 0 };
    } else if (mapping !== undefined && line.startsWith('Rss:')) {
      mapping.rss = Number(/\d+/.exec(line)?.[0] ?? 0) * 1_024;
    }
  }
  return bytes;
}

export const readRss = (pid: number): number =>
  Number(/^VmRSS:\s+(\d+) kB/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1] ?? 0) * 1_024;

export const readDatabaseBytes = (pid: number): number => readWasmBytes(readFileSync(`/proc/${pid}/smaps`, 'utf8'));

/** How many files and sockets a process has open, those below a folder left out. */
export function countOpenFiles(pid: number, except: string): number {
  const folder = `/proc/${pid}/fd`;
  return readdirSync(folder).filter((name) => !targetOf(join(folder, name)).startsWith(`${except}/`)).length;
}

function targetOf(link: string): string {
  try {
    return readlinkSync(link);
  } catch {
    // It was closed meanwhile.
    return '';
  }
}

/** Bytes of all files below a folder; a file that goes away meanwhile counts as none. */
export function readFolderBytes(folder: string): number {
  let bytes = 0;
  try {
    for (const name of readdirSync(folder, { recursive: true })) {
      bytes += statSync(join(folder, String(name)), { throwIfNoEntry: false })?.size ?? 0;
    }
  } catch {
    // The folder is not there yet.
  }
  return bytes;
}

/** A figure without labels out of the text format of the metrics. */
export const readMetric = (metrics: string, name: string): number =>
  Number(new RegExp(String.raw`^${name} (\S+)$`, 'm').exec(metrics)?.[1] ?? 0);
