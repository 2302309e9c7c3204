import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { createTestAuthority, type TestAuthority } from '@portcullis/testkit/test-authority';
import { waitFor } from '@portcullis/testkit/wait-for';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { request as requestOnce, Agent } from 'node:https';
import type { IncomingMessage } from 'node:http';
import { connect, type AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { connect as connectTls, type ConnectionOptions, type TLSSocket } from 'node:tls';
import { silentLog } from '../../test/test-database.ts';
import { StartProblem } from '../errors/start-problem.ts';
import { openTls } from './open-tls.ts';
import type { PortTls, Tls } from './tls.ts';

const checkEveryMs = 20;
const folder = mkdtempSync(join(tmpdir(), 'portcullis-tls-'));
const file = (name: string): string => join(folder, name);
const files = { TLS_CERT_FILE: file('tls.crt'), TLS_KEY_FILE: file('tls.key') };
const none: Parameters<typeof openTls>[0]['config'] = {
  TLS_CERT_FILE: undefined,
  TLS_KEY_FILE: undefined,
  TLS_PAIRS_DIR: undefined,
  TLS_CLIENT_CA_FILE: undefined,
  TLS_CLIENT_AUTH: 'request',
};

let authority: TestAuthority;
let other: TestAuthority;
beforeAll(async () => {
  [authority, other] = await Promise.all([createTestAuthority(), createTestAuthority('CN=Another')]);
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const issue = async (subject: string, days?: number, from = authority): Promise<void> => {
  const { cert, key } = await from.issue({ subject, ...(days !== undefined && { days }) });
  writeFileSync(files.TLS_CERT_FILE, cert);
  writeFileSync(files.TLS_KEY_FILE, key);
};

let opened: AsyncDisposableStack;
beforeEach(async () => {
  opened = new AsyncDisposableStack();
  await issue('CN=first');
});
afterEach(() => opened.disposeAsync());

const open = async (options: Partial<typeof none> = files): Promise<Tls> =>
  opened.use(await openTls({ config: { ...none, ...options }, log: silentLog, checkEveryMs }));

async function listen(tls: Tls, port: PortTls = {}): Promise<number> {
  const createServer = await tls.prepare(port);
  const server = createServer({ headersTimeout: 5_000 }, (request, response) => {
    const { authorized } = request.socket as TLSSocket;
    response.end(`${request.url} ${String(authorized)}`);
  });
  server.on('clientError', (_error, socket) => socket.destroy());
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  opened.defer(() => {
    server.closeAllConnections();
    server.close();
  });
  return (server.address() as AddressInfo).port;
}

async function meet(port: number, options: ConnectionOptions = {}): Promise<string> {
  const socket = connectTls({
    port,
    host: '127.0.0.1',
    servername: 'localhost',
    ca: [authority.cert, other.cert],
    ...options,
  });
  try {
    await once(socket, 'secureConnect');
    return socket.getPeerCertificate().subject.CN as string;
  } finally {
    socket.destroy();
  }
}

async function get(port: number, options: object = {}): Promise<string> {
  const ca = [authority.cert, other.cert];
  const sent = requestOnce({
    port,
    host: '127.0.0.1',
    servername: 'localhost',
    path: '/',
    agent: false,
    ca,
    ...options,
  }).end();
  const [response] = (await once(sent, 'response')) as [IncomingMessage];
  let text = '';
  for await (const chunk of response) text += String(chunk);
  return text;
}

describe('the certificate of a process', () => {
  test('serves TLS 1.2 and 1.3, and nothing older or in clear', async () => {
    const port = await listen(await open());
    expect(await meet(port)).toBe('first');
    expect(await meet(port, { maxVersion: 'TLSv1.2' })).toBe('first');
    await expect(
      meet(port, { minVersion: 'TLSv1.1', maxVersion: 'TLSv1.1', ciphers: 'ALL@SECLEVEL=0' }),
    ).rejects.toThrow(/alert protocol version|wrong version|no protocols/i);
    await expect(meet(port, { maxVersion: 'TLSv1.2', ciphers: 'AES128-SHA' })).rejects.toThrow(/handshake failure/i);
    const clear = connect(port, '127.0.0.1');
    clear.write('GET / HTTP/1.1\r\nHost: x\r\n\r\n');
    let answer = '';
    try {
      for await (const chunk of clear) answer += String(chunk);
    } catch {
      // Cut without a word, which is as good.
    }
    expect(answer).not.toContain('HTTP/1.1 200');
  });

  test('that changes on disk is in force within seconds, and connections that stand go on', async () => {
    const port = await listen(await open());
    const agent = new Agent({ keepAlive: true, maxSockets: 1, ca: authority.cert, servername: 'localhost' });
    const standing: TLSSocket[] = [];
    const getStanding = async () => {
      const sent = requestOnce({ port, host: '127.0.0.1', path: '/standing', agent });
      sent.once('socket', (socket) => standing.push(socket as TLSSocket));
      const [response] = (await once(sent.end(), 'response')) as [IncomingMessage];
      for await (const _chunk of response);
      return response.statusCode;
    };
    expect(await getStanding()).toBe(200);
    await issue('CN=second');
    await waitFor(async () => (await meet(port)) === 'second', { what: 'the new certificate' });
    expect(await getStanding()).toBe(200);
    expect(new Set(standing).size).toBe(1);
    agent.destroy();
  });

  test('stays in force while what took its place does not fit', async () => {
    const tls = await open();
    const port = await listen(tls);
    const { cert } = await authority.issue({ subject: 'CN=third' });
    writeFileSync(files.TLS_CERT_FILE, cert);
    await waitFor(() => tls.problems().some((problem) => problem.includes('does not fit the key')), {
      what: 'the problem',
    });
    expect(await meet(port)).toBe('first');
    await issue('CN=fourth');
    await waitFor(async () => (await meet(port)) === 'fourth', { what: 'the pair that fits' });
    expect(tls.problems()).toEqual([]);
  });

  test.each([
    ['is missing', () => rmSync(files.TLS_KEY_FILE), /tls\.key cannot be read: ENOENT/],
    ['is no key', () => writeFileSync(files.TLS_KEY_FILE, 'nonsense'), /tls\.crt goes with a key that cannot be read/],
    [
      'is no certificate',
      () => writeFileSync(files.TLS_CERT_FILE, 'nonsense'),
      /tls\.crt cannot be read: its file holds none/,
    ],
    [
      'is far too large',
      () => writeFileSync(files.TLS_CERT_FILE, 'x'.repeat(2_000_000)),
      /tls\.crt cannot be read: it is larger/,
    ],
  ])('refuses the start, by name, when its file %s', async (_what, spoil, text) => {
    spoil();
    await expect(open()).rejects.toThrow(StartProblem);
    await expect(open()).rejects.toThrow(text);
  });

  test('refuses the start with a key of another one', async () => {
    const { key } = await authority.issue({ subject: 'CN=another' });
    writeFileSync(files.TLS_KEY_FILE, key);
    await expect(open()).rejects.toThrow(/TLS_CERT_FILE: the certificate in .*tls\.crt does not fit the key/);
  });

  test('is told when it ends within 14 days', async () => {
    const tls = await open();
    expect(tls.problems()).toEqual([]);
    const inDays = (days: number) => Date.now() + days * 86_400_000;
    expect(tls.problems(inDays(15.9))).toEqual([]);
    expect(tls.problems(inDays(17))).toEqual([expect.stringMatching(/^tls: TLS_CERT_FILE: CN=first ends on \d{4}-/)]);
    expect(tls.ending(inDays(17))).toMatchObject([{ name: 'TLS_CERT_FILE', daysLeft: 12 }]);
    expect(tls.problems(inDays(31))).toEqual([expect.stringMatching(/CN=first ended on /)]);
  });
});

test('without a certificate ports speak in clear', async () => {
  const tls = await open({});
  expect(tls.enabled).toBe(false);
  const port = await listen(tls);
  expect(await (await fetch(`http://127.0.0.1:${port}/clear`)).text()).toBe('/clear undefined');
});

describe('a pair of a port', () => {
  const addPair = async (name: string): Promise<void> => {
    const { cert, key } = await authority.issue({ subject: `CN=pair ${name}` });
    mkdirSync(file(`pairs/${name}`), { recursive: true });
    writeFileSync(file(`pairs/${name}/tls.crt`), cert);
    writeFileSync(file(`pairs/${name}/tls.key`), key);
  };
  const withPairs = { ...files, TLS_PAIRS_DIR: file('pairs') };

  test('takes the place of that of the process', async () => {
    await addPair('team-a');
    const tls = await open(withPairs);
    expect(await meet(await listen(tls, { pair: 'team-a' }))).toBe('pair team-a');
    expect(await meet(await listen(tls, { pair: null }))).toBe('first');
  });

  test('is all that a port speaks where the process has none', async () => {
    await addPair('team-b');
    const tls = await open({ TLS_PAIRS_DIR: file('pairs') });
    expect(await meet(await listen(tls, { pair: 'team-b' }))).toBe('pair team-b');
  });

  test.each(['../secret', 'a/b', '..', 'A', '', '/etc', 'x'.repeat(64)])('is never %j', async (pair) => {
    await expect((await open(withPairs)).prepare({ pair })).rejects.toThrow('is no name of a TLS pair');
  });

  test('that is not there leaves the port closed, until it is', async () => {
    const tls = await open(withPairs);
    let mended = 0;
    tls.onMended(() => (mended += 1));
    await expect(tls.prepare({ pair: 'later' })).rejects.toThrow(/TLS pair later: .*later\/tls\.crt cannot be read/);
    expect(tls.problems()).toEqual([expect.stringContaining('tls: TLS pair later: ')]);
    await addPair('later');
    await waitFor(() => mended === 1, { what: 'the pair' });
    expect(await meet(await listen(tls, { pair: 'later' }))).toBe('pair later');
    tls.keepOnly(new Set());
  });

  test('that are not asked for any more is forgotten, with its problem', async () => {
    const tls = await open(withPairs);
    await expect(tls.prepare({ pair: 'gone' })).rejects.toThrow('TLS pair gone');
    tls.keepOnly(new Set(['another']));
    expect(tls.problems()).toEqual([]);
  });

  test('needs a folder', async () => {
    await expect((await open()).prepare({ pair: 'a' })).rejects.toThrow('needs TLS_PAIRS_DIR');
  });
});

describe('client certificates', () => {
  const withClients = { ...files, TLS_CLIENT_CA_FILE: file('clients.crt') };
  const asks: PortTls = { asksClients: true };

  test('are asked for where the port does, and are good by their authority and purpose', async () => {
    writeFileSync(withClients.TLS_CLIENT_CA_FILE, authority.cert);
    const tls = await open(withClients);
    const [asking, silent] = [await listen(tls, asks), await listen(tls)];
    const [good, foreign, ended, server] = await Promise.all([
      authority.issue({ subject: 'CN=agent', client: true }),
      other.issue({ subject: 'CN=agent', client: true }),
      authority.issue({ subject: 'CN=agent', client: true, days: -1 }),
      authority.issue({ subject: 'CN=agent' }),
    ]);
    expect(await get(asking, good)).toBe('/ true');
    for (const bad of [foreign, ended, server, {}]) expect(await get(asking, bad)).toBe('/ false');
    expect(await get(silent, good)).toBe('/ false');
  });

  test('follow a change of the authorities, resumed connections too', async () => {
    writeFileSync(withClients.TLS_CLIENT_CA_FILE, authority.cert);
    const port = await listen(await open(withClients), asks);
    const [one, another] = await Promise.all(
      [authority, other].map((from) => from.issue({ subject: 'CN=agent', client: true })),
    );
    let session: Buffer | undefined;
    const agent = new Agent({ maxCachedSessions: 0 });
    const sent = requestOnce({ port, host: '127.0.0.1', servername: 'localhost', ca: authority.cert, agent, ...one });
    sent.once('socket', (socket) => socket.on('session', (ticket: Buffer) => (session = ticket)));
    const [response] = (await once(sent.end(), 'response')) as [IncomingMessage];
    for await (const _chunk of response);
    await waitFor(() => session !== undefined, { what: 'a session' });
    expect(await get(port, { session })).toBe('/ true');
    writeFileSync(withClients.TLS_CLIENT_CA_FILE, other.cert);
    await waitFor(async () => (await get(port, another)) === '/ true', { what: 'the other authority' });
    expect(await get(port, one)).toBe('/ false');
    expect(await get(port, { session })).toBe('/ false');
  });

  test('are required on ports that ask for them where TLS_CLIENT_AUTH says so', async () => {
    writeFileSync(withClients.TLS_CLIENT_CA_FILE, authority.cert);
    const tls = await open({ ...withClients, TLS_CLIENT_AUTH: 'require' });
    const [good, foreign, ended] = await Promise.all([
      authority.issue({ subject: 'CN=agent', client: true }),
      other.issue({ subject: 'CN=agent', client: true }),
      authority.issue({ subject: 'CN=agent', client: true, days: -1 }),
    ]);
    const [asking, silent] = [await listen(tls, asks), await listen(tls)];
    expect(await get(asking, good)).toBe('/ true');
    for (const bad of [foreign, ended, {}]) await expect(get(asking, bad)).rejects.toBeInstanceOf(Error);
    expect(await get(silent)).toBe('/ false');
  });

  test('of authorities that cannot be read refuse the start', async () => {
    writeFileSync(withClients.TLS_CLIENT_CA_FILE, 'nonsense');
    await expect(open(withClients)).rejects.toThrow(
      /TLS_CLIENT_CA_FILE: the certificate in .*clients\.crt cannot be read/,
    );
  });
});
