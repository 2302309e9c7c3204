import { randomInt } from 'node:crypto';
import { once } from 'node:events';
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const workers = 4;
const count = 5_000;

/**
 * Below the ports that systems give to clients and to servers without a wish: no one comes here by chance. Test files
 * that run at once have ports of their own.
 */
const first = 10_000 + (Number(process.env['JEST_WORKER_ID'] ?? 0) % workers) * count;

/** Where this process looks next; others began elsewhere. */
let next = randomInt(count);

/** Names the process that has each port, since workers of two runs on one machine look at the same ones. */
const claims = join(tmpdir(), 'portcullis-test-ports');

/** A TCP port that is free, and stays so until its caller listens on it, also while it is let go for a while. */
export async function findFreePort(): Promise<number> {
  for (let tries = 0; tries < count; tries += 1) {
    const port = first + next;
    next = (next + 1) % count;
    if (isOurs(port) && (await isFree(port))) return port;
  }
  throw new Error('No free port');
}

/** Whether this process has the port from now on, as long as it lives. */
function isOurs(port: number): boolean {
  const file = join(claims, String(port));
  if (tryClaim(file)) return true;
  const owner = readOwner(file);
  if (owner !== undefined && isAlive(owner)) return owner === process.pid;
  rmSync(file, { force: true });
  return tryClaim(file);
}

function tryClaim(file: string): boolean {
  try {
    mkdirSync(claims, { recursive: true });
    writeFileSync(file, String(process.pid), { flag: 'wx' });
    return true;
  } catch {
    return false;
  }
}

/** Undefined where it is gone meanwhile, or half written. */
function readOwner(file: string): number | undefined {
  try {
    return Number(readFileSync(file, 'utf8')) || undefined;
  } catch {
    return undefined;
  }
}

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}

async function isFree(port: number): Promise<boolean> {
  const server = createServer().listen(port, '127.0.0.1');
  const listening = await once(server, 'listening').then(
    () => true,
    () => false,
  );
  if (!listening) return false;
  server.close();
  await once(server, 'close');
  return true;
}
