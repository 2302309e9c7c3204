import type { Logger } from '@portcullis/platform/log/logger';
import { spawn } from 'node:child_process';
import { setPriority } from 'node:os';
import { join } from 'node:path';

const script = join(import.meta.dirname, '../../console/build/build-console.mjs');
const maxOutputBytes = 4_000;

/** Builds the console beside the gateway where its sources changed. Traffic goes first, and a build that fails is only told. */
export function buildConsole(log: Logger): void {
  const child = spawn(process.execPath, [script], { stdio: ['ignore', 'ignore', 'pipe'] });
  let output = '';
  child.stderr.on('data', (chunk: Buffer) => (output = (output + chunk.toString()).slice(-maxOutputBytes)));
  child.once('spawn', () => child.pid !== undefined && setPriority(child.pid, 10));
  child.once('error', ({ message }) => log.warn('The console could not be built', { problem: message }));
  child.once('close', (code) => {
    if (code !== 0) log.warn('The console could not be built', { problem: output.trim() });
  });
}
