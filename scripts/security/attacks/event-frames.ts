import {
  EventStreamParser,
  eventStreamType,
  renderChunk,
  renderEvent,
  renderMessage,
} from '../../../packages/testkit/src/event-stream-frame.ts';
import { startLoopbackPeer } from '../../../packages/testkit/src/loopback-peer.ts';
import { ask, posting } from '../send-question.ts';
import { judge, type Attack } from '../attack.ts';
import { planted } from '../forbidden-word.ts';

const path = '/model/us.anthropic.claude-sonnet-4-5-20250929-v1%3A0/invoke-with-response-stream';
const question = JSON.stringify({
  anthropic_version: 'bedrock-2023-05-31',
  max_tokens: 9,
  messages: [{ role: 'user', content: 'hello' }],
});

const said = (text: string) => ({ type: 'content_block_delta', index: 0, delta: { type: 'text_delta', text } });
const inBase64 = (value: object): string => Buffer.from(JSON.stringify(value)).toString('base64');
const plain = { ':event-type': 'chunk', ':content-type': 'application/json', ':message-type': 'event' };
const framed = (payload: object | string, headers: Readonly<Record<string, string>> = {}): Buffer =>
  renderMessage({ ...plain, ...headers }, Buffer.from(typeof payload === 'string' ? payload : JSON.stringify(payload)));
/** A frame whose last byte of the payload came another way. */
const damaged = (frame: Buffer): Buffer => {
  const bytes = Buffer.from(frame);
  bytes[bytes.length - 6] = (bytes.at(-6) ?? 0) ^ 1;
  return bytes;
};

const harmless = [renderChunk(said('Good')), renderChunk(said(' morning')), renderChunk({ type: 'message_stop' })];
const hidden: readonly (readonly [name: string, frames: readonly Buffer[]])[] = [
  ['in pieces of seven letters', (planted.match(/.{1,7}/gs) ?? []).map((piece) => renderChunk(said(piece)))],
  ['in a header', [framed({ bytes: inBase64(said('a')) }, { note: planted })]],
  ['in the kind of an event', [renderEvent(planted, {})]],
  ['beside the bytes', [framed({ bytes: inBase64(said('a')), note: planted })]],
  ['in bytes that stand twice', [framed(`{"bytes":"${inBase64(said(planted))}","bytes":"${inBase64(said('a'))}"}`)]],
  ['in bytes with a blank behind them', [framed({ bytes: `${inBase64(said(planted))} ` })]],
  ['in an exception', [framed({ message: planted }, { ':event-type': '', ':exception-type': 'validationException' })]],
  ['in a frame with another checksum', [damaged(renderChunk(said(planted)))]],
  ['between frames', [Buffer.from(planted)]],
];
const types = [eventStreamType, 'application/octet-stream', 'text/plain'];

/** All that a reader could make of what came. */
function readable(bytes: Buffer): string {
  const parser = new EventStreamParser();
  let read = bytes.toString('latin1');
  try {
    for (const { payload } of parser.push(bytes)) {
      const { bytes: held } = payload;
      const text = typeof held === 'string' ? Buffer.from(held, 'base64').toString() : '';
      read += /"text":"([^"]*)"/.exec(text)?.[1] ?? text;
    }
  } catch {
    // A client reads no further either.
  }
  return read;
}

export const eventFrames: readonly Attack[] = [
  {
    name: 'a forbidden word in nine places of Amazon’s frames of events, under three content types',
    attacker: 'target',
    expected: 'no client can put it together, and harmless frames come byte for byte',
    async run({ openProxy }) {
      let frames: readonly Buffer[] = harmless;
      let type = eventStreamType;
      await using target = await startLoopbackPeer((_request, response) => {
        response.writeHead(200, { 'content-type': type }).end(Buffer.concat(frames));
      });
      const proxy = await openProxy({ target: target.url });
      const send = () => ask(proxy, posting(path, question)).catch(() => undefined);
      const faults: string[] = [];
      if ((await send())?.bytes.equals(Buffer.concat(harmless)) !== true) faults.push('harmless frames are changed');
      for (type of types) {
        for (const [name, bytes] of hidden) {
          frames = [...harmless.slice(0, 1), ...bytes, ...harmless.slice(1)];
          const got = await send();
          if (got !== undefined && readable(got.bytes).includes(planted)) faults.push(`${name} as ${type}`);
        }
      }
      return judge(faults, `${types.length * hidden.length} answers, the word in none`);
    },
  },
];
