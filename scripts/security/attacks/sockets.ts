import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { randomBytes } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import { deflateRawSync } from 'node:zlib';
import { startServerInitiatedMcpPeer } from '../../../packages/testkit/src/server-initiated-mcp-peer.ts';
import { waitFor } from '../../../packages/testkit/src/wait-for.ts';
import { judge, type Attack } from '../attack.ts';
import type { AttackedProxy, Laboratory } from '../laboratory.ts';
import { untilWritable } from '../socket-writable.ts';

interface RawSocket {
  readonly socket: Socket;
  /** Status of the handshake. */
  readonly status: number;
  readonly head: string;
  readonly isOpen: () => boolean;
}

const upgrade = (path: string, headers: string): string =>
  `GET ${path} HTTP/1.1\r\nhost: 127.0.0.1\r\nconnection: Upgrade\r\nupgrade: websocket\r\nsec-websocket-version: 13\r\n` +
  `sec-websocket-key: ${randomBytes(16).toString('base64')}\r\n${headers}\r\n`;

/** A WebSocket of which every frame is written by hand. */
async function openRaw(port: number, path: string, headers: string): Promise<RawSocket> {
  const socket = connect(port, '127.0.0.1');
  socket.on('error', () => undefined);
  await once(socket, 'connect');
  let isOpen = true;
  socket.once('close', () => (isOpen = false));
  socket.write(upgrade(path, headers));
  const [first] = (await Promise.race([
    once(socket, 'data'),
    pause(10_000).then(() => ['']),
    once(socket, 'close'),
  ])) as [Buffer | string];
  const head = String(first);
  return { socket, status: Number(/^HTTP\/1\.1 (\d+)/.exec(head)?.[1] ?? 0), head, isOpen: () => isOpen };
}

const openMcp = ({ port, key }: AttackedProxy, more = ''): Promise<RawSocket> =>
  openRaw(port, '/ws', `x-api-key: ${key}\r\n${more}`);

function renderLength(bytes: number): Buffer {
  if (bytes < 126) return Buffer.from([0x80 | bytes]);
  if (bytes < 65_536) return Buffer.from([0xfe, bytes >> 8, bytes & 0xff]);
  const length = Buffer.alloc(9, 0xff);
  length.writeBigUInt64BE(BigInt(bytes), 1);
  return length;
}

/** A frame of a client. @param first its first byte: the end of a message, reserved bits and the kind */
function frame(first: number, payload: Buffer, declared = payload.length): Buffer {
  const mask = Buffer.from([1, 2, 3, 4]);
  const length = renderLength(declared);
  const masked = Buffer.from(payload.map((byte, index) => byte ^ (mask[index % 4] ?? 0)));
  return Buffer.concat([Buffer.from([first]), length, mask, masked]);
}

const [textStart, text, more, ping] = [0x01, 0x81, 0x00, 0x89];
const longestWaitMs = 3_000;

const isCut = (raw: RawSocket): Promise<boolean> =>
  waitFor(() => !raw.isOpen(), { what: 'the end of the socket', timeoutMs: 15_000 }).then(
    () => true,
    () => false,
  );

async function openSocketProxy({ openProxy }: Laboratory, target: string): Promise<AttackedProxy> {
  return openProxy({ type: 'mcp', transport: 'websocket', target, settings: { tool_filtering: 'off' } });
}

export const sockets: readonly Attack[] = [
  {
    name: 'an MCP WebSocket with a huge frame, a compressed one, endless fragments, bare fragments and frames without a mask',
    attacker: 'key holder',
    expected: 'each ends its socket and no other',
    async run(laboratory) {
      await using server = await startServerInitiatedMcpPeer();
      const proxy = await openSocketProxy(laboratory, server.url);
      const bomb = deflateRawSync(Buffer.alloc(1_000_000, 0x20));
      const fragments = Buffer.concat([
        frame(textStart, Buffer.from('{')),
        ...Array.from({ length: 20_000 }, () => frame(more, Buffer.from(' '))),
      ]);
      const ways: readonly (readonly [name: string, bytes: Buffer, headers?: string])[] = [
        ['a frame of 2^40 bytes', frame(text, Buffer.from('{'), 2 ** 40)],
        ['a frame of 11 MB', frame(text, Buffer.from('{'), 11 * 1_048_576)],
        ['a compressed frame', frame(0xc1, bomb), 'sec-websocket-extensions: permessage-deflate\r\n'],
        ['20,000 fragments', fragments],
        ['a fragment of nothing', frame(more, Buffer.from(' '))],
        ['a frame without a mask', Buffer.from([text, 2, 0x7b, 0x7d])],
        ['a ping of 200 bytes', frame(ping, Buffer.alloc(200))],
      ];
      const bystander = await openMcp(proxy);
      if (bystander.status !== 101) throw new Error(`the handshake answered ${bystander.status}`);
      const faults: string[] = [];
      for (const [name, bytes, headers] of ways) {
        const raw = await openMcp(proxy, headers);
        if (/permessage-deflate/i.test(raw.head)) faults.push('compression was agreed on');
        raw.socket.write(bytes);
        if (!(await isCut(raw))) faults.push(`${name} left the socket open`);
        raw.socket.destroy();
      }
      bystander.socket.write(frame(text, Buffer.from('{"jsonrpc":"2.0","id":1,"method":"ping"}')));
      const answered = await waitFor(() => server.conversations.some(({ heard }) => heard.length > 0), {
        what: 'the message of the bystander',
        timeoutMs: 10_000,
      });
      bystander.socket.destroy();
      return judge(answered ? faults : ['another socket was cut'], `${ways.length} cut, another one answered`);
    },
  },
  {
    name: 'pings without end from a client that reads no pong, on an MCP WebSocket and on /ws',
    attacker: 'viewer',
    expected: 'cut before the pongs fill the memory; others do not wait',
    slow: true,
    async run(laboratory) {
      await using server = await startServerInitiatedMcpPeer();
      const proxy = await openSocketProxy(laboratory, server.url);
      const { port } = new URL(laboratory.url);
      const flood = Buffer.concat(Array.from({ length: 5_000 }, () => frame(ping, Buffer.alloc(125))));
      const opened = [await openMcp(proxy), await openRaw(Number(port), `/ws?token=${laboratory.viewer.token}`, '')];
      const faults: string[] = [];
      let sentBytes = 0;
      const waitedMs = await laboratory.measureWaits(async () => {
        for (const raw of opened) {
          if (raw.status !== 101) throw new Error(`the handshake answered ${raw.status}`);
          raw.socket.pause();
          for (let sent = 0; sent < 400 && raw.isOpen() && !raw.socket.destroyed; sent += 1) {
            sentBytes += flood.length;
            if (!raw.socket.write(flood)) await untilWritable(raw.socket);
          }
          raw.socket.destroy();
        }
      });
      if (waitedMs > longestWaitMs) faults.push(`others waited ${Math.round(waitedMs)} ms`);
      if (sentBytes >= 2 * 400 * flood.length) faults.push(`${Math.round(sentBytes / 1e6)} MB of pings were taken`);
      return judge(
        faults,
        `cut after ${Math.round(sentBytes / 1e6)} MB; others waited ${Math.round(waitedMs)} ms at most`,
      );
    },
  },
  {
    name: 'one key opens MCP WebSockets until it gets no more',
    attacker: 'key holder',
    expected: 'others still get theirs',
    slow: true,
    async run(laboratory) {
      await using server = await startServerInitiatedMcpPeer();
      const [proxy, other] = [
        await openSocketProxy(laboratory, server.url),
        await openSocketProxy(laboratory, server.url),
      ];
      const held: RawSocket[] = [];
      try {
        const most = 1_200;
        for (let refused = false; held.length < most && !refused;) {
          const batch = await Promise.all(Array.from({ length: 20 }, () => openMcp(proxy)));
          held.push(...batch);
          refused = batch.some(({ status }) => status !== 101);
        }
        const open = held.filter(({ status }) => status === 101).length;
        const next = await openMcp(other);
        held.push(next);
        const faults = [
          ...(next.status === 101 ? [] : [`another key was answered ${next.status}`]),
          ...(open >= most ? [`${open} were opened`] : []),
        ];
        return judge(faults, `${open} for one key, and another key got its own`);
      } finally {
        for (const { socket } of held) socket.destroy();
      }
    },
  },
];
