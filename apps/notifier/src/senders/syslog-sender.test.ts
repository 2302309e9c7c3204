import { once } from 'node:events';
import { createServer, type AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { Secret } from '@portcullis/platform/config/secret';
import { startSyslogPeer, type SyslogPeer, type SyslogPeerOptions } from '@portcullis/testkit/syslog-peer';
import {
  createTestAuthority,
  trustAuthority,
  type TestAuthority,
  type TestPair,
} from '@portcullis/testkit/test-authority';
import { createSyslogSender, type SyslogServer } from './syslog-sender.ts';

let authority: TestAuthority;
let pair: TestPair;
let trusted: Disposable;
beforeAll(async () => {
  authority = await createTestAuthority();
  trusted = trustAuthority(authority);
  pair = await authority.issue({ subject: 'CN=logs' });
});
afterAll(() => trusted[Symbol.dispose]());

const tls = { verify: true, client: undefined };
const lines = ['one', 'two'].map((text) => Buffer.from(`<131>1 2026-11-20T10:20:30Z - - - - - ${text}`));
const never = new AbortController().signal;

async function send(
  { peer, allowPrivate = true, timeoutMs = 2_000 }: { peer: SyslogPeer; allowPrivate?: boolean; timeoutMs?: number },
  change: Partial<SyslogServer> = {},
  messages = lines,
) {
  const server = { host: '127.0.0.1', port: peer.port, tls: undefined, ...change };
  return createSyslogSender({ allowPrivate }, timeoutMs).send({ server, messages, rejectionWaitMs: 100 }, never);
}

describe('messages to a syslog server', () => {
  test.each([
    ['in clear', false],
    ['over TLS', true],
  ])('arrive %s, all of them on one connection', async (_how, isTls) => {
    await using peer = await startSyslogPeer(isTls ? { pair } : {});
    const many = Array.from({ length: 500 }, (_, at) => Buffer.from(`<131>1 - - - - - - ${at} ${'x'.repeat(1_000)}`));
    expect(await send({ peer }, { tls: isTls ? tls : undefined }, many)).toEqual({ kind: 'delivered', status: null });
    expect(peer.messages.map(({ text }) => Number.parseInt(text ?? '', 10))).toEqual(many.map((_, at) => at));
    expect(peer).toMatchObject({ refusals: [] });
    expect(peer.connections()).toBe(1);
  });

  test('are delivered to a server that never closes, too', async () => {
    await using peer = await startSyslogPeer({ keepsOpen: true });
    expect(await send({ peer })).toMatchObject({ kind: 'delivered' });
    expect(peer.messages).toHaveLength(2);
  });

  test('go to a server that asks for a certificate with one', async () => {
    await using peer = await startSyslogPeer({ pair, clientAuthority: authority.cert });
    const { cert: certificate, key } = await authority.issue({ subject: 'CN=gateway', client: true });
    expect(await send({ peer }, { tls: { ...tls, client: { certificate, key: new Secret(key) } } })).toMatchObject({
      kind: 'delivered',
    });
    expect(peer.messages).toHaveLength(2);
    expect(await send({ peer }, { tls })).toMatchObject({
      kind: 'failed',
      reason: expect.stringContaining('it asks for another certificate of the gateway'),
    });
    expect(peer.messages).toHaveLength(2);
  });

  test('that are malformed are not taken for delivered', async () => {
    await using peer = await startSyslogPeer();
    const many = Array.from({ length: 2_000 }, () => Buffer.from('no syslog'.repeat(100)));
    expect(await send({ peer }, {}, many)).toMatchObject({ kind: 'failed' });
    expect(peer.refusals).toEqual([expect.stringContaining('No header')]);
  });

  test('go to a certificate that nobody vouches for only where an admin has said so', async () => {
    const foreign = await (await createTestAuthority('CN=Foreign')).issue({ subject: 'CN=logs' });
    await using peer = await startSyslogPeer({ pair: foreign });
    expect(await send({ peer }, { tls })).toMatchObject({
      kind: 'failed',
      reason: expect.stringContaining('its certificate is from an authority that is not trusted here'),
    });
    expect(peer.messages).toEqual([]);
    expect(await send({ peer }, { tls: { ...tls, verify: false } })).toMatchObject({ kind: 'delivered' });
  });
});

describe('a syslog server', () => {
  test.each<[string, SyslogPeerOptions, Partial<SyslogServer>, object]>([
    [
      'that does not listen',
      {},
      { port: 1 },
      { kind: 'failed', reason: expect.stringContaining('the connection is refused at this port (ECONNREFUSED)') },
    ],
    [
      'whose name is not there',
      {},
      { host: 'logs.invalid' },
      { kind: 'failed', reason: expect.stringMatching(/ENOTFOUND|EAI_AGAIN/) },
    ],
    [
      'on an address that is never allowed',
      {},
      { host: '169.254.169.254' },
      { kind: 'refused', reason: 'The host of the syslog server must not point to a cloud metadata service' },
    ],
  ])('%s: the reason is told', async (_name, options, change, outcome) => {
    await using peer = await startSyslogPeer(options);
    expect(await send({ peer }, change)).toMatchObject(outcome);
  });

  test('on another machine of the network is refused where private addresses are', async () => {
    await using peer = await startSyslogPeer();
    expect(await send({ peer, allowPrivate: false })).toMatchObject({ kind: 'refused' });
    expect(peer.connections()).toBe(0);
  });

  test('that speaks TLS, or does not, is told from one that is away', async () => {
    await using encrypted = await startSyslogPeer({ pair });
    expect(await send({ peer: encrypted })).toMatchObject({
      kind: 'failed',
      reason: expect.stringMatching(/^The syslog server closed the connection .*, or it speaks TLS at this port$/),
    });
    await using clear = await startSyslogPeer();
    expect(await send({ peer: clear }, { tls })).toMatchObject({
      kind: 'failed',
      reason: expect.stringContaining('broken off'),
    });
  });

  test('that says by an alert of TLS what it wants is not tried again', async () => {
    const server = createServer((socket) => {
      socket.on('error', () => undefined);
      socket.once('data', () => socket.end(Buffer.from('15030100020246', 'hex')));
    }).listen(0, '127.0.0.1');
    await once(server, 'listening');
    const { port } = server.address() as AddressInfo;
    await using peer = await startSyslogPeer();
    expect(await send({ peer }, { port })).toEqual({
      kind: 'refused',
      status: null,
      reason: 'The syslog server speaks TLS at this port, and the transport is tcp',
    });
    server.close();
  });

  test('that hangs is given up in time', async () => {
    await using peer = await startSyslogPeer();
    peer.hang(true);
    const megabytes = Array.from({ length: 64 }, () => Buffer.alloc(512 * 1_024, 'x'));
    const startedAt = performance.now();
    expect(await send({ peer, timeoutMs: 300 }, {}, megabytes)).toEqual({
      kind: 'failed',
      status: null,
      reason: 'The syslog server did not take the messages within 300 ms',
    });
    expect(performance.now() - startedAt).toBeLessThan(2_000);
  });
});
