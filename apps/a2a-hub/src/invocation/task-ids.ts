import { randomFillSync } from 'node:crypto';

const idBytes = 16;
/** Asked of the system for many ids at once, which takes as long as for one. */
const pool = Buffer.alloc(256 * idBytes);
let used = pool.length;

/** 128 random bits: ids of tasks and contexts cannot be guessed. */
export function makeId(): string {
  if (used === pool.length) {
    randomFillSync(pool);
    used = 0;
  }
  const id = pool.toString('hex', used, used + idBytes);
  pool.fill(0, used, used + idBytes);
  used += idBytes;
  return id;
}
