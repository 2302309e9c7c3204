import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import { startLoopbackPeer } from '../../../packages/testkit/src/loopback-peer.ts';
import { startLlmPeer } from '../../../packages/testkit/src/llm-peer.ts';
import { ask, chatWith } from '../send-question.ts';
import { judge, type Attack } from '../attack.ts';
import type { AttackedProxy } from '../laboratory.ts';
import { untilWritable } from '../socket-writable.ts';

const longestWaitMs = 3_000;
const count = 200;
/** Of those, as many as the buffers of the system between all of them are filled for in a moment. */
const streamCount = 40;

async function open(port: number, text: string): Promise<Socket> {
  const socket = connect(port, '127.0.0.1');
  socket.on('error', () => undefined);
  await once(socket, 'connect');
  socket.write(text);
  return socket;
}

const head = ({ key }: AttackedProxy, path: string, more = ''): string =>
  `POST ${path} HTTP/1.1\r\nhost: gateway\r\nx-api-key: ${key}\r\ncontent-type: application/json\r\n${more}`;

const endAll = (sockets: readonly Socket[]): void => {
  for (const socket of sockets) socket.destroy();
};

/** Keeps `count` connections in the state that `begin` brings them to, and answers how long others waited meanwhile. */
async function holdMany(
  measureWaits: (attack: () => Promise<unknown>) => Promise<number>,
  begin: () => Promise<Socket>,
  wanted = count,
  alsoWhile: () => Promise<unknown> = () => pause(1_000),
): Promise<number> {
  const sockets: Socket[] = [];
  try {
    return await measureWaits(async () => {
      for (let opened = 0; opened < wanted; opened += 20) {
        sockets.push(...(await Promise.all(Array.from({ length: 20 }, begin))));
      }
      await alsoWhile();
    });
  } finally {
    endAll(sockets);
  }
}

const judgeWait = (waitedMs: number, faults: readonly string[] = []) =>
  judge(
    waitedMs > longestWaitMs ? [...faults, `others waited ${Math.round(waitedMs)} ms`] : faults,
    `others waited ${Math.round(waitedMs)} ms at most`,
  );

export const slowClients: readonly Attack[] = [
  {
    name: `${count} clients stop in the middle of their headers, on the public port and on a proxy`,
    attacker: 'stranger',
    expected: 'others do not wait; the connections end by themselves',
    slow: true,
    async run({ url, openProxy, measureWaits }) {
      await using target = await startLlmPeer();
      const proxy = await openProxy({ target: target.url });
      let number = 0;
      const ports = [Number(new URL(url).port), proxy.port];
      const waitedMs = await holdMany(measureWaits, () =>
        open(ports[(number += 1) % 2] ?? proxy.port, 'GET /api/v1/health HTTP/1.1\r\nhost: g'),
      );
      return judgeWait(waitedMs);
    },
  },
  {
    name: `${count} clients send nine megabytes each and keep back the last byte`,
    attacker: 'key holder',
    expected: '503 once a share of the memory is taken; others do not wait and have room',
    slow: true,
    async run({ openProxy, measureWaits }) {
      await using target = await startLlmPeer();
      const [proxy, other] = [await openProxy({ target: target.url }), await openProxy({ target: target.url })];
      const body = Buffer.from(chatWith(' '.repeat(9_000_000)).body);
      const text = `${head(proxy, '/v1/chat/completions')}content-length: ${body.length + 1}\r\n\r\n`;
      let refused = 0;
      const begin = async (): Promise<Socket> => {
        const socket = await open(proxy.port, text);
        socket.once('data', (data: Buffer) => (refused += data.includes(' 503 ') ? 1 : 0));
        socket.write(body);
        await untilWritable(socket);
        return socket;
      };
      let status = 0;
      const waitedMs = await holdMany(measureWaits, begin, count, async () => {
        await pause(500);
        ({ status } = await ask(other, chatWith('x '.repeat(100_000))));
      });
      const faults = [
        ...(refused > count / 2 ? [] : [`only ${refused} of ${count} were refused`]),
        ...(status === 200 ? [] : [`a large body of another key was answered ${status}`]),
      ];
      return judgeWait(waitedMs, faults);
    },
  },
  {
    name: `${streamCount} clients of a long stream read nothing`,
    attacker: 'key holder',
    expected: 'the target is not read further than a bound; others do not wait',
    slow: true,
    async run({ openProxy, measureWaits }) {
      let sentBytes = 0;
      const piece = `data: {"choices":[{"index":0,"delta":{"content":"${'word '.repeat(2_000)}"}}]}\n\n`;
      await using target = await startLoopbackPeer((_request, response) => {
        response.writeHead(200, { 'content-type': 'text/event-stream' });
        const more = (): void => {
          sentBytes += piece.length;
          // One piece each time round: the measurement runs in this process as well.
          if (response.destroyed) return;
          if (response.write(piece)) setImmediate(more);
          else response.once('drain', more);
        };
        more();
      });
      const proxy = await openProxy({ target: target.url, guarded: false });
      const { body } = chatWith('hello', { stream: true });
      const text = `${head(proxy, '/v1/chat/completions')}content-length: ${body.length}\r\n\r\n${body}`;
      const begin = async (): Promise<Socket> => {
        const socket = await open(proxy.port, text);
        return socket.pause();
      };
      let sentBefore = 0;
      const waitedMs = await holdMany(measureWaits, begin, streamCount, async () => {
        await pause(6_000);
        sentBefore = sentBytes;
        await pause(2_000);
      });
      const perClient = Math.round(sentBytes / streamCount / 1_024);
      const faults = sentBytes > sentBefore * 1.1 ? ['the target goes on being read'] : [];
      const { got, isHeld } = judgeWait(waitedMs, faults);
      return { got: `${got}; ${perClient} KiB were read for each`, isHeld };
    },
  },
];
