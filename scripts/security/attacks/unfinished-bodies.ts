import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { judge, type Attack } from '../attack.ts';

const largeBytes = 9 * 1_048_576;
const large = 40;
const small = 1_500;
const smallBytes = 60_000;
const patienceMs = 20_000;

const publicPaths = ['/api/v1/auth/login', '/api/v1/oauth/validate', '/api/v1/mcp/skill-security'];

interface Held {
  readonly socket: Socket;
  /** Of the answer; undefined while there is none. */
  status: number | undefined;
}

/** Begins a body that never ends. */
async function hold(url: string, path: string, bytes: number): Promise<Held> {
  const { hostname, host, port } = new URL(url);
  const socket = connect(Number(port), hostname);
  socket.on('error', () => undefined);
  await once(socket, 'connect');
  const held: Held = { socket, status: undefined };
  socket.on('data', (data) => (held.status ??= Number(data.toString('latin1').split(' ')[1])));
  const accept = 'accept: application/json, text/event-stream';
  // In chunks: how long it will be is not told.
  socket.write(
    `POST ${path} HTTP/1.1\r\nhost: ${host}\r\ncontent-type: application/json\r\n${accept}\r\ntransfer-encoding: chunked\r\n\r\n`,
  );
  const piece = Buffer.alloc(Math.min(bytes, 60_000), 0x20);
  for (let sent = 0; sent < bytes && !socket.destroyed; sent += piece.length) {
    socket.write(`${piece.length.toString(16)}\r\n`);
    socket.write(piece);
    // A socket that was reset while it waits is refused, and no fault of the attack.
    if (socket.write('\r\n')) continue;
    await Promise.race([once(socket, 'drain'), once(socket, 'close')]).catch(() => undefined);
  }
  return held;
}

/** Many at once, twenty by twenty. */
async function holdMany(url: string, count: number, bytes: number): Promise<readonly Held[]> {
  const all: Held[] = [];
  while (all.length < count) {
    const batch = Array.from({ length: 20 }, (_, at) => hold(url, publicPaths[at % publicPaths.length] ?? '', bytes));
    all.push(...(await Promise.all(batch)));
  }
  return all;
}

const login = (url: string): Promise<number> =>
  fetch(`${url}/api/v1/auth/login`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ username: 'nobody', password: 'no password' }),
    signal: AbortSignal.timeout(patienceMs),
  }).then(({ status }) => status);

async function waitUntil(isTrue: () => boolean): Promise<void> {
  const end = performance.now() + patienceMs;
  while (!isTrue() && performance.now() < end) await new Promise((resolve) => void setTimeout(resolve, 50));
}

export const unfinishedBodies: readonly Attack[] = [
  {
    name: `${large} strangers send nine megabytes each that never end, to public routes`,
    attacker: 'stranger',
    expected: 'refused as soon as they are longer than what these routes take, and nothing of them is kept',
    slow: true,
    async run({ url }) {
      const all = await holdMany(url, large, largeBytes);
      try {
        await waitUntil(() => all.every(({ status }) => status !== undefined));
        const kept = all.filter(({ status }) => status !== 413 && status !== 503);
        return judge(kept.length === 0 ? [] : [`${kept.length} were taken`], 'all refused');
      } finally {
        for (const { socket } of all) socket.destroy();
      }
    },
  },
  {
    name: `${small} strangers send sixty kilobytes each that never end, to public routes`,
    attacker: 'stranger',
    expected: '503 once the share of strangers is taken; logins and large bodies of others have room',
    slow: true,
    async run({ url, admin }) {
      const all = await holdMany(url, small, smallBytes);
      try {
        await waitUntil(() => all.some(({ status }) => status === 503));
        const faults = all.some(({ status }) => status === 503) ? [] : ['all were taken'];
        const status = await login(url);
        if (status !== 401) faults.push(`a login was answered ${status}`);
        const known = await admin.call('POST', '/policies', { document: { name: 'x'.repeat(3_000_000) } });
        if (known.status !== 400) faults.push(`a large body of an admin was answered ${known.status}`);
        return judge(faults, 'refused beyond a share; others were served');
      } finally {
        for (const { socket } of all) socket.destroy();
      }
    },
  },
];
