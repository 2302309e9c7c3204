import { once } from 'node:events';
import type { Socket } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';

/** Resolves when the socket takes more, has ended, or has taken nothing for two seconds. */
export async function untilWritable(socket: Socket): Promise<void> {
  const taken = once(socket, 'drain').catch(() => undefined);
  const ended = once(socket, 'close').catch(() => undefined);
  await Promise.race([taken, ended, pause(2_000)]);
}
