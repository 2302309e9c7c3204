import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { findFreePort } from './free-port.ts';

/** A Redis of a test's own, which may be stopped without harm to others. */
export interface RedisServer extends AsyncDisposable {
  readonly url: string;
  /** It keeps its connections and answers nothing. */
  freeze(): void;
  thaw(): void;
}

/** Starts a server without anything in it; it may take a moment until it answers. @param more settings of its command line */
export async function startRedisServer(more: readonly string[] = []): Promise<RedisServer> {
  const folder = await mkdtemp(join(tmpdir(), 'portcullis-redis-'));
  const port = await findFreePort();
  const settings = ['--port', `${port}`, '--bind', '127.0.0.1', '--dir', folder, '--save', '', ...more];
  const server = spawn('redis-server', settings, { stdio: 'ignore' });
  await once(server, 'spawn');
  return {
    url: `redis://127.0.0.1:${port}`,
    freeze: () => void server.kill('SIGSTOP'),
    thaw: () => void server.kill('SIGCONT'),
    async [Symbol.asyncDispose]() {
      const ended = once(server, 'exit');
      server.kill('SIGKILL');
      await ended;
      await rm(folder, { recursive: true });
    },
  };
}
