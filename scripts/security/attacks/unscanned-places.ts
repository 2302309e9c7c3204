import { startLoopbackPeer } from '../../../packages/testkit/src/loopback-peer.ts';
import { ask, chatWith, posting, type Question } from '../send-question.ts';
import { judge, type Attack } from '../attack.ts';
import { planted } from '../forbidden-word.ts';

const event = (value: unknown): string => `data: ${JSON.stringify(value)}\n\n`;
const chunk = (more: object = {}, choice: object = {}) => ({
  id: 'c',
  object: 'chat.completion.chunk',
  model: 'm',
  choices: [{ index: 0, delta: { content: 'hi' }, ...choice }],
  ...more,
});
const chat = chatWith('hello', { stream: true });
const anthropic: Question = posting(
  '/v1/messages',
  '{"model":"m","max_tokens":9,"stream":true,"messages":[{"role":"user","content":"hi"}]}',
);
const gemini: Question = posting(
  '/v1beta/models/m:streamGenerateContent?alt=sse',
  '{"contents":[{"role":"user","parts":[{"text":"hi"}]}]}',
);
const responses: Question = posting('/v1/responses', '{"model":"m","input":"hi","stream":true}');

type Headers = Readonly<Record<string, string>>;
const sse: Headers = { 'content-type': 'text/event-stream' };
const json: Headers = { 'content-type': 'application/json' };

/** Where a hostile target may put a word, and what the client asked. */
const places: readonly (readonly [place: string, question: Question, headers: Headers, body: string])[] = [
  ['beside choices', chat, sse, event(chunk({ citations: [planted] }))],
  ['beside delta', chat, sse, event(chunk({}, { note: planted }))],
  ['the id of a chunk', chat, sse, event(chunk({ id: planted }))],
  ['the reason of the end', chat, sse, event(chunk({}, { finish_reason: planted }))],
  ['Gemini, beside candidates', gemini, sse, event({ candidates: [], note: { text: planted } })],
  [
    'Anthropic, message_start',
    anthropic,
    sse,
    `event: message_start\n${event({ type: 'message_start', message: { id: planted, content: [{ type: 'text', text: planted }] } })}`,
  ],
  ['Anthropic, ping', anthropic, sse, `event: ping\n${event({ type: 'ping', note: planted })}`],
  [
    'item_id of responses',
    responses,
    sse,
    event({ type: 'response.output_text.delta', item_id: planted, output_index: 0, content_index: 0, delta: 'hi' }),
  ],
  ['an event line', chat, sse, `event: ${planted}\n${event(chunk())}`],
  ['an id line', chat, sse, `id: ${planted}\n${event(chunk())}`],
  ['a comment', chat, sse, `: ${planted}\n${event(chunk())}`],
  ['a comment inside of an event', chat, sse, `data: {"choices":\n: ${planted}\ndata: []}\n\n`],
  ['an unknown field', chat, sse, `x-${planted}: 1\n${event(chunk())}`],
  [
    'lines that end with CR alone',
    chat,
    sse,
    `data: ${JSON.stringify(chunk({}, { delta: { content: planted } }))}\r\r`,
  ],
  ['behind a byte order mark', chat, sse, `\uFEFF${event(chunk({}, { delta: { content: planted } }))}`],
  ['events without their type', chat, {}, event(chunk({}, { delta: { content: planted } }))],
  ['the first of repeated keys', chat, json, `{"choices":[{"message":{"content":"${planted}","content":"hi"}}]}`],
  [
    'text/json',
    chat,
    { 'content-type': 'text/json' },
    JSON.stringify({ choices: [{ message: { content: planted } }] }),
  ],
  [
    'bytes that are JSON',
    chat,
    { 'content-type': 'application/octet-stream' },
    JSON.stringify({ choices: [{ message: { content: planted } }] }),
  ],
  ['a header', chat, { ...json, 'x-note': planted }, '{"choices":[]}'],
];

const harmless: Attack = {
  name: 'a harmless answer in place of a forbidden word',
  attacker: 'target',
  expected: 'it reaches the client: what is refused below is refused for the word',
  async run({ openProxy }) {
    const body = event(chunk());
    await using target = await startLoopbackPeer((_request, response) => void response.writeHead(200, sse).end(body));
    const proxy = await openProxy({ target: target.url });
    const got = await ask(proxy, chat);
    return judge(got.status === 200 && got.body.includes('"hi"') ? [] : [`answered ${got.status}`], 'it came');
  },
};

const hidden: readonly Attack[] = places.map(([place, question, headers, body]) => ({
  name: `a forbidden word in an answer: ${place}`,
  attacker: 'target',
  expected: 'it does not reach the client',
  async run({ openProxy }) {
    await using target = await startLoopbackPeer(
      (_request, response) => void response.writeHead(200, headers).end(body),
    );
    const proxy = await openProxy({ target: target.url });
    const got = await ask(proxy, question).catch(() => undefined);
    const came = got !== undefined && `${got.body}${JSON.stringify(got.headers)}`.includes(planted);
    return judge(came ? ['it came'] : [], got === undefined ? 'broken off' : `answered ${got.status} without it`);
  },
}));

export const unscannedPlaces: readonly Attack[] = [harmless, ...hidden];
