import { describe, expect, test } from '@jest/globals';
import type { UsageRecord } from '@portcullis/contracts/records';
import { textProperty } from '@portcullis/core/json/json-value';
import { EventStreamParser, eventStreamType } from '@portcullis/testkit/event-stream-frame';
import { renderFrame, renderFrameHeaders } from '../src/framing/event-frame.ts';
import { doorsPolicy, forbidden } from './stream-block-policy.ts';
import { goodKey, listen, startProxy, type StartOptions } from './start-proxy.ts';

const path = '/model/us.anthropic.claude-sonnet-4-5-20250929-v1%3A0';
const claude = { anthropic_version: 'bedrock-2023-05-31', max_tokens: 9, messages: [{ role: 'user', content: 'hi' }] };

const event = (kind: string, payload: object | string, headers: Readonly<Record<string, string>> = {}): Buffer =>
  renderFrame(
    renderFrameHeaders({
      ':event-type': kind,
      ':content-type': 'application/json',
      ':message-type': 'event',
      ...headers,
    }),
    Buffer.from(typeof payload === 'string' ? payload : JSON.stringify(payload)),
  );
const inBase64 = (data: object): string => Buffer.from(JSON.stringify(data)).toString('base64');
const chunk = (data: object, beside: object = {}): Buffer => event('chunk', { bytes: inBase64(data), ...beside });
const said = (text: string) => ({ type: 'content_block_delta', index: 0, delta: { type: 'text_delta', text } });

const began = chunk({
  type: 'message_start',
  message: { model: 'claude-sonnet-4-5-20250929', content: [], usage: { input_tokens: 100_000, output_tokens: 1 } },
});
const ended = [
  chunk({ type: 'message_delta', delta: { stop_reason: 'end_turn' }, usage: { output_tokens: 3_000 } }),
  chunk({ type: 'message_stop', 'amazon-bedrock-invocationMetrics': { inputTokenCount: 100_000 } }),
];
const streamOf = (...frames: readonly Buffer[]): Buffer => Buffer.concat([began, ...frames, ...ended]);

async function answerWith(
  bytes: Buffer,
  options: Partial<StartOptions> = {},
  type = eventStreamType,
  operation = 'invoke-with-response-stream',
) {
  await using target = await listen((request, response) => {
    request.resume().on('end', () => {
      response.writeHead(200, { 'content-type': type });
      for (let at = 0; at < bytes.length; at += 11) response.write(bytes.subarray(at, at + 11));
      response.end();
    });
  });
  await using proxy = await startProxy({ target: target.origin, ...options });
  const answer = await fetch(`${proxy.origin}${path}/${operation}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', authorization: `Bearer ${goodKey}` },
    body: JSON.stringify(claude),
  });
  const heard = Buffer.from(await answer.arrayBuffer());
  const records = proxy.spool.records.filter(({ kind }) => kind === 'usage') as UsageRecord[];
  return { status: answer.status, heard, records };
}

test('frames pass byte for byte, and what they tell is counted', async () => {
  const bytes = streamOf(chunk(said('Hello'), { p: 'abcdefgh' }));
  const { heard, records } = await answerWith(bytes, { policies: [doorsPolicy] });
  expect(heard.equals(bytes)).toBe(true);
  expect(records).toMatchObject([
    {
      protocol: 'anthropic-messages',
      model: 'us.anthropic.claude-sonnet-4-5-20250929-v1:0',
      input_tokens: 100_000,
      output_tokens: 3_000,
      estimated: false,
    },
  ]);
});

test('what was thought and signed stays as it is, beside what is hidden', async () => {
  const redacting = {
    ...doorsPolicy,
    rules: doorsPolicy.rules.map((rule) => ({ ...rule, action: 'redact' as const })),
  };
  const delta = (contentBlockIndex: number, more: object) =>
    event('contentBlockDelta', { contentBlockIndex, delta: more });
  const thoughts = [
    delta(0, { reasoningContent: { text: `So ${forbidden.slice(0, 4)}` } }),
    delta(0, { reasoningContent: { text: `${forbidden.slice(4)} it is` } }),
    delta(0, { reasoningContent: { signature: 'EqQBCkYIBBgCKkDx' } }),
  ];
  const bytes = Buffer.concat([...thoughts, delta(1, { text: `Well, ${forbidden}` })]);
  const { heard } = await answerWith(bytes, { policies: [redacting] }, eventStreamType, 'converse-stream');
  const before = Buffer.concat(thoughts);
  expect(heard.subarray(0, before.length).equals(before)).toBe(true);
  expect(eventsOf(heard).at(-1)?.payload).toEqual({ contentBlockIndex: 1, delta: { text: 'Well, <DOOR_1_1>' } });
});

const flipped = Buffer.from(chunk(said('fine')));
flipped[flipped.length - 9] = (flipped[flipped.length - 9] ?? 0) ^ 1;

describe('nothing that is forbidden leaves in a frame', () => {
  test.each<[where: string, frame: Buffer]>([
    ['its text', chunk(said(`Well, ${forbidden}`))],
    ['an unknown header', event('chunk', { bytes: inBase64(said('fine')) }, { note: forbidden })],
    ['a known header', event('chunk', { bytes: inBase64(said('fine')) }, { ':content-type': `text/${forbidden}` })],
    ['its kind', event(forbidden, {})],
    ['a field beside its bytes', chunk(said('fine'), { note: forbidden })],
    ['its padding', chunk(said('fine'), { p: forbidden })],
    ['bytes that some decode otherwise', event('chunk', { bytes: `${inBase64(said(forbidden))} ` })],
    [
      'bytes that stand twice',
      event('chunk', `{"bytes":"${inBase64(said(forbidden))}","bytes":"${inBase64(said('a'))}"}`),
    ],
    ['a payload that is no JSON', event('note', forbidden)],
    ['an exception', event('', { message: forbidden }, { ':exception-type': 'validationException' })],
    ['a frame whose checksum is another', flipped],
    ['bytes that are no frame', Buffer.from(`${forbidden} and more of it`)],
  ])('%s', async (_, frame) => {
    const { heard } = await answerWith(streamOf(frame), { policies: [doorsPolicy] });
    const read = `${heard.toString('latin1')}${readChunks(heard)}`;
    expect(read).not.toContain(forbidden);
    expect(read).not.toContain(inBase64(said(forbidden)));
    expect(lastOf(heard)).toMatchObject({ message: 'exception' });
  });

  test('under a type of files', async () => {
    const bytes = streamOf(chunk(said(`Well, ${forbidden}`)));
    const { heard } = await answerWith(bytes, { policies: [doorsPolicy] }, 'application/octet-stream');
    expect(readChunks(heard)).not.toContain(forbidden);
    expect(lastOf(heard)).toMatchObject({ message: 'exception', kind: 'validationException' });
  });
});

const eventsOf = (bytes: Buffer) => new EventStreamParser().push(bytes);
const lastOf = (bytes: Buffer) => eventsOf(bytes).at(-1);
const readChunks = (bytes: Buffer): string =>
  eventsOf(bytes)
    .map(({ payload }) => Buffer.from(textProperty(payload, 'bytes') ?? '', 'base64').toString())
    .join('');
