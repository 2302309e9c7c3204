import { startLoopbackPeer } from '../../../packages/testkit/src/loopback-peer.ts';
import { ask, chatWith, posting } from '../send-question.ts';
import { judge, type Attack } from '../attack.ts';
import { planted } from '../forbidden-word.ts';

const types = [
  'application/x-ndjson',
  'application/ndjson',
  'application/jsonl',
  'application/json-lines',
  'application/stream+json',
  'application/json-seq',
  'application/json',
  'text/plain',
  'application/octet-stream',
  undefined,
];
const pieces = planted.match(/.{1,7}/gs) ?? [];
const line = (text: string): string => JSON.stringify({ choices: [{ index: 0, delta: { content: text } }] });
const framings: readonly (readonly [name: string, body: Buffer])[] = [
  ['lines', Buffer.from(pieces.map((piece) => `${line(piece)}\n`).join(''))],
  ['lines that end with CR', Buffer.from(pieces.map((piece) => `${line(piece)}\r`).join(''))],
  ['values without space between them', Buffer.from(pieces.map(line).join(''))],
  ['records behind RS', Buffer.from(pieces.map((piece) => `\u001E${line(piece)}\n`).join(''))],
  ['UTF-16', Buffer.from(line(planted), 'utf16le')],
  ['UTF-16 with its mark', Buffer.from(`\uFEFF${line(planted)}`, 'utf16le')],
  ['events', Buffer.from(pieces.map((piece) => `data: ${line(piece)}\n\n`).join(''))],
];

/** What a reader puts together out of the texts that came. */
const readable = (body: Buffer): string => {
  const source = body.includes(0) ? body.toString('utf16le') : body.toString();
  return [...source.matchAll(/"content":\s*"((?:[^"\\]|\\.)*)"/g)].map(([, text]) => text).join('');
};

export const lineFramedJson: readonly Attack[] = [
  {
    name: 'a forbidden word in pieces of seven letters, in lines of JSON and other framings under ten content types',
    attacker: 'target',
    expected: 'no client can put it together',
    async run({ openProxy }) {
      let body: Buffer = Buffer.alloc(0);
      let type: string | undefined;
      await using target = await startLoopbackPeer((_request, response) => {
        response.writeHead(200, type === undefined ? {} : { 'content-type': type }).end(body);
      });
      const proxy = await openProxy({ target: target.url });
      const faults: string[] = [];
      let tried = 0;
      for (type of types) {
        for (const [name, bytes] of framings) {
          body = bytes;
          tried += 1;
          const got = await ask(proxy, chatWith('hello', { stream: true })).catch(() => undefined);
          if (got !== undefined && readable(got.bytes).includes(planted))
            faults.push(`${name} as ${type ?? 'no type'}`);
        }
      }
      return judge(faults, `${tried} answers, the word in none`);
    },
  },
  {
    name: 'the same in a request',
    attacker: 'key holder',
    expected: 'it does not reach the target',
    async run({ openProxy }) {
      await using target = await startLoopbackPeer((_request, response) => void response.writeHead(200).end('{}'));
      const proxy = await openProxy({ target: target.url });
      const faults: string[] = [];
      for (const type of types) {
        for (const [name, bytes] of framings) {
          const question = posting('/v1/anything', bytes, type ?? '');
          await ask(proxy, type === undefined ? { ...question, headers: {} } : question);
          if (target.requests.length > 0) faults.push(`${name} as ${type ?? 'no type'}`);
          target.forget();
        }
      }
      return judge(faults, `${types.length * framings.length} requests kept back`);
    },
  },
];
