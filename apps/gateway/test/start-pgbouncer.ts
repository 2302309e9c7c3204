import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { chmod, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { findFreePort } from '@portcullis/testkit/free-port';
import { waitFor } from '@portcullis/testkit/wait-for';

const path = [process.env['PATH'], '/usr/sbin', '/usr/local/sbin'].join(delimiter);

/** Debian keeps it off the PATH of users. */
export const hasPgbouncer = spawnSync('pgbouncer', ['--version'], { env: { PATH: path } }).status === 0;

export interface Pgbouncer extends AsyncDisposable {
  /** Of the database behind it. */
  readonly url: string;
  /** What it logged. */
  readonly lines: readonly string[];
}

/** Starts a pool in transaction mode, as small as `connections`, in front of the server of a database. */
export async function startPgbouncer(database: URL, connections: number): Promise<Pgbouncer> {
  const folder = await mkdtemp(join(tmpdir(), 'portcullis-pgbouncer-'));
  await chmod(folder, 0o755);
  const port = await findFreePort();
  const file = join(folder, 'pgbouncer.ini');
  await writeFile(join(folder, 'users.txt'), `"${database.username}" "${database.password}"\n`);
  await writeFile(
    file,
    `[databases]
* = host=${database.hostname} port=${database.port || 5432}
[pgbouncer]
listen_addr = 127.0.0.1
listen_port = ${port}
unix_socket_dir =
auth_type = trust
auth_file = ${join(folder, 'users.txt')}
pool_mode = transaction
default_pool_size = ${connections}
ignore_startup_parameters = statement_timeout
`,
  );
  // It does not run as root; the package of PostgreSQL brings this user.
  const as = process.getuid?.() === 0 ? ['-u', 'postgres'] : [];
  const child = spawn('pgbouncer', [...as, file], { env: { PATH: path }, stdio: ['ignore', 'ignore', 'pipe'] });
  const lines: string[] = [];
  child.stderr.setEncoding('utf8').on('data', (text: string) => lines.push(...text.trim().split('\n')));
  await waitFor(() => answers(port), { what: `pgbouncer to listen: ${lines.join('\n')}` });
  const url = new URL(database);
  url.host = `127.0.0.1:${port}`;
  return {
    url: url.href,
    lines,
    async [Symbol.asyncDispose]() {
      const ended = once(child, 'exit');
      child.kill('SIGKILL');
      await ended;
      await rm(folder, { recursive: true });
    },
  };
}

const answers = (port: number): Promise<boolean> =>
  new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1');
    socket.once('connect', () => resolve(true)).once('error', () => resolve(false));
    socket.once('connect', () => socket.destroy());
  });
