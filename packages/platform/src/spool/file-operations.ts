import { closeSync, fdatasync, ftruncateSync, openSync, writeSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { promisify } from 'node:util';

/** How segment files are changed. Replaced in tests that make a disk fail or a process die. */
export interface FileOperations {
  /** Opens for appending, makes the file when absent. */
  open(path: string): number;
  /** Answers how many bytes were written, which may be fewer than given. */
  write(fd: number, bytes: Uint8Array): number;
  truncate(fd: number): void;
  sync(fd: number): Promise<void>;
  close(fd: number): void;
  remove(path: string): Promise<void>;
}

export const fileOperations: FileOperations = {
  open: (path) => openSync(path, 'a', 0o600),
  write: (fd, bytes) => writeSync(fd, bytes),
  truncate: (fd) => ftruncateSync(fd),
  sync: promisify(fdatasync),
  close: closeSync,
  remove: (path) => rm(path, { force: true }),
};
