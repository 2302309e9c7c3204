import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { traceContentContext, type TraceContent } from '@portcullis/contracts/trace-content';
import { startLlmPeer, type LlmPeer } from '@portcullis/testkit/llm-peer';
import { waitFor } from '@portcullis/testkit/wait-for';
import { aPolicy, aRule } from './a-policy.ts';
import { doorsPolicy, forbidden } from './stream-block-policy.ts';
import { contentEncryption, goodKey, startProxy, type RunningProxy } from './start-proxy.ts';

/** Hides a code name from the target, and gives it back to the client. */
const codeNames = aPolicy(
  'code-names',
  [
    aRule('NAME', 'operation [a-z]+', {
      name: 'Code name',
      severity: 'Medium',
      action: 'redact',
      redact: { restore: true },
    }),
  ],
  { severity: 'Medium' },
);

/** Anthropic's clients send it. */
const version = { 'anthropic-version': '2023-06-01' };
const secret = `ghp_${'a1B2c3D4e5'.repeat(4).slice(0, 36)}`;
const mail = 'ann.miller@mailbox.org';

const paths = {
  chat: ['/v1/chat/completions', (content: unknown) => ({ messages: [{ role: 'user', content }] })],
  responses: ['/v1/responses', (content: unknown) => ({ input: [{ role: 'user', content }] })],
  messages: ['/v1/messages', (content: unknown) => ({ max_tokens: 9, messages: [{ role: 'user', content }] })],
  gemini: [
    '/v1beta/models/gemini-2.5-flash:generateContent',
    (content: unknown) => ({
      model: undefined,
      stream: undefined,
      contents: [{ role: 'user', parts: [{ text: content }] }],
    }),
  ],
} as const;

/** Gemini names what is done in the path. */
const streaming = (path: string): string => path.replace(':generateContent', ':streamGenerateContent?alt=sse');

describe('the content of a trace', () => {
  let target: LlmPeer;
  let proxy: RunningProxy;
  beforeAll(async () => {
    target = await startLlmPeer();
    proxy = await startProxy({
      target: target.url,
      policies: [codeNames, doorsPolicy],
      snapshot: { tracesContent: true },
    });
  });
  afterAll(async () => {
    await proxy?.[Symbol.asyncDispose]();
    await target?.[Symbol.asyncDispose]();
  });

  let asked = 0;
  const post = async (body: object, path: string = paths.chat[0]) => {
    asked += 1;
    const id = `content-request-${asked}`;
    const response = await fetch(`${proxy.origin}${path}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'x-api-key': goodKey, 'x-request-id': id, ...version },
      body: JSON.stringify({ model: 'gpt-4o-mini', ...body }),
    });
    const text = await response.text();
    const log = await waitFor(
      () => proxy.spool.records.find((record) => record.kind === 'request_log' && record.request_id === id),
      { what: 'the log of the request' },
    );
    return { status: response.status, text, eventId: log.event_id };
  };
  const contentOf = (eventId: string): TraceContent | undefined => {
    const found = proxy.spool.records.find(
      (record) => record.kind === 'trace_content' && record.event_id === eventId,
    ) as { readonly content: string } | undefined;
    return found && JSON.parse(contentEncryption.decrypt(found.content, traceContentContext(eventId)));
  };
  const noted = (eventId: string) => waitFor(() => contentOf(eventId), { what: 'the content' });
  const say = (content: unknown, more: object = {}) => post({ messages: [{ role: 'user', content }], ...more });

  test.each(
    Object.entries(paths).flatMap(([name, way]) => [false, true].map((stream) => [name, stream, ...way] as const)),
  )('is redacted on both sides: %s, streamed %s', async (_name, stream, path, bodyOf) => {
    target.behave({ reply: `Write to ${mail} with ${secret}, please.` });
    const { text, eventId } = await post(
      { stream, ...bodyOf(`I am ${mail}, my key is ${secret}.`) },
      stream ? streaming(path) : path,
    );
    expect(text).toContain('with');
    const content = await noted(eventId);
    expect(content).toEqual({
      input: [{ role: 'user', parts: [expect.stringMatching(/^I am <\w+>, my key is <\w+>\.$/)] }],
      output: {
        parts: [expect.stringMatching(/^Write to <\w+> with <\w+>, please\.$/)],
        finish_reason: expect.stringMatching(/^(?:stop|end_turn|STOP)$/),
      },
      cut: false,
    });
    const spooled = JSON.stringify(proxy.spool.records);
    expect(spooled).not.toContain(mail);
    expect(spooled).not.toContain('please');
  });

  test('holds what went to the target, not what the client has back', async () => {
    target.behave({ reply: (prompt) => `You said ${prompt}` });
    const { text, eventId } = await say('about operation midnight');
    expect(text).toContain('operation midnight');
    expect(await noted(eventId)).toMatchObject({
      input: [{ parts: ['about <NAME_1>'] }],
      output: { parts: ['You said about <NAME_1>'] },
    });
  });

  test('finds what stands across two parts of a message', async () => {
    target.behave({ reply: 'Yes.' });
    const parts = [secret.slice(0, 14), secret.slice(14)].map((text) => ({ type: 'text', text }));
    const { eventId } = await say(parts);
    const content = await noted(eventId);
    expect(JSON.stringify(content.input)).not.toContain(secret.slice(0, 14));
    expect(JSON.stringify(content.input)).not.toContain(secret.slice(14));
  });

  test('says who speaks, and leaves out files', async () => {
    const { eventId } = await post({
      messages: [
        { role: 'developer', content: 'Be brief.' },
        {
          role: 'assistant',
          tool_calls: [{ id: 'c1', type: 'function', function: { name: 'find', arguments: '{"a":1}' } }],
        },
        { role: 'tool', tool_call_id: 'c1', content: 'Found it.' },
        {
          role: 'user',
          content: [{ type: 'image_url', image_url: { url: `data:image/png;base64,${'A'.repeat(4_000)}` } }],
        },
      ],
    });
    expect(await noted(eventId)).toMatchObject({
      input: [
        { role: 'system', parts: ['Be brief.'] },
        { role: 'assistant', parts: ['find', '{"a":1}'] },
        { role: 'tool', parts: ['Found it.'] },
      ],
      cut: true,
    });
  });

  test('is bounded on both sides, and nothing stands half at the end of it', async () => {
    const long = `${'word '.repeat(3_272)}${secret} ${'more '.repeat(10_000)}`;
    target.behave({ reply: long });
    const { eventId } = await post({
      stream: true,
      messages: [
        { role: 'user', content: 'the oldest message' },
        { role: 'assistant', content: long },
        { role: 'user', content: 'the newest message' },
      ],
    });
    const { input, output, cut } = await noted(eventId);
    expect(cut).toBe(true);
    expect(input.map(({ role }) => role)).toEqual(['assistant', 'user']);
    expect(input.at(-1)?.parts).toEqual(['the newest message']);
    const [first, second] = [input[0]?.parts.join('') ?? '', output?.parts.join('') ?? ''];
    for (const text of [first, second]) {
      expect(text.length).toBeGreaterThan(16_300);
      expect(text.length).toBeLessThan(16_500);
      expect(text).not.toContain('ghp_');
      expect(text).toMatch(/<\w+>$/);
    }
  });

  test('is none of what was blocked', async () => {
    target.behave({ reply: 'Fine.' });
    const asking = await say(`please ${forbidden}`);
    expect(asking.status).toBe(403);
    target.behave({ chunks: ['First some words, ', 'then open ', 'sesame and more'] });
    const answered = await say('What opens a door?', { stream: true });
    expect(answered.text).toContain('policy_violation');
    target.behave({ chunks: undefined, reply: 'Fine.' });
    const { eventId } = await say('the last one');
    await noted(eventId);
    expect(contentOf(asking.eventId)).toBeUndefined();
    expect(await noted(answered.eventId)).toEqual({
      input: [{ role: 'user', parts: ['What opens a door?'] }],
      cut: false,
    });
  });

  test('is kept no longer than it is wanted', async () => {
    proxy.change(() => ({ tracesContent: false }));
    const quiet = await say('not for the trace');
    proxy.change(() => ({ tracesContent: true }));
    await noted((await say('for the trace')).eventId);
    expect(contentOf(quiet.eventId)).toBeUndefined();
  });
});
