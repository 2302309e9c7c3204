import { randomInt } from 'node:crypto';
import { once } from 'node:events';
import { createServer } from 'node:net';

const workers = 4;
const count = 5_000;

/**
 * Below the ports that systems give to clients and to servers without a wish: no one comes here by chance. Test files
 * that run at once have ports of their own.
 */
const first = 10_000 + (Number(process.env['JEST_WORKER_ID'] ?? 0) % workers) * count;

/** Where this process looks next; others began elsewhere. */
let next = randomInt(count);

/** A TCP port that is free, and stays so until its caller listens on it, also while it is let go for a while. */
export async function findFreePort(): Promise<number> {
  for (let tries = 0; tries < count; tries += 1) {
    const port = first + next;
    next = (next + 1) % count;
    if (await isFree(port)) return port;
  }
  throw new Error('No free port');
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
