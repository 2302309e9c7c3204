import { describe, expect, test } from '@jest/globals';
import { aPolicy, mailRule } from './a-policy.ts';
import { goodKey, listen, startProxy, type RunningProxy } from './start-proxy.ts';

const mail = 'amy@house.example';
const thought = `The user is ${mail}, so I answer.`;
const signature = 'EqQBCkYIBBgCKkDxAAAAbS9rX2';

const policyOf = (action: 'redact' | 'block') =>
  aPolicy('privacy', [mailRule({ action, ...(action === 'redact' && { redact: { restore: true } }) })], {
    severity: 'Medium',
  });

const headers = { 'content-type': 'application/json', authorization: `Bearer ${goodKey}` };

const startTarget = async (answer: (body: string) => string, type = 'application/json') => {
  const seen: string[] = [];
  const peer = await listen((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const body = Buffer.concat(chunks).toString();
      seen.push(body);
      response.writeHead(200, { 'content-type': type }).end(answer(body));
    });
  });
  return { ...peer, seen };
};

const ask = async (proxy: RunningProxy, path: string, body: unknown) => {
  const response = await fetch(`${proxy.origin}${path}`, { method: 'POST', headers, body: JSON.stringify(body) });
  return { status: response.status, text: await response.text() };
};

/** The same part of a model's turn as each dialect has it, and the path on which it is spoken. */
const turns: readonly {
  name: string;
  path: string;
  turn: (text: string) => object;
  list: 'messages' | 'contents' | 'input';
}[] = [
  {
    name: 'thinking of Anthropic',
    path: '/v1/messages',
    list: 'messages',
    turn: (text) => ({ role: 'assistant', content: [{ type: 'thinking', thinking: text, signature }] }),
  },
  {
    name: 'reasoning_details of OpenRouter',
    path: '/v1/chat/completions',
    list: 'messages',
    turn: (text) => ({
      role: 'assistant',
      content: 'Hello',
      reasoning_details: [{ type: 'reasoning.text', text, signature, format: 'anthropic-claude-v1', index: 0 }],
    }),
  },
  {
    name: 'thinking_blocks of LiteLLM',
    path: '/v1/chat/completions',
    list: 'messages',
    turn: (text) => ({
      role: 'assistant',
      content: 'Hello',
      thinking_blocks: [{ type: 'thinking', thinking: text, signature }],
    }),
  },
  {
    name: 'thoughts of Gemini',
    path: '/v1beta/models/gemini-2.5-pro:generateContent',
    list: 'contents',
    turn: (text) => ({ role: 'model', parts: [{ text, thought: true, thoughtSignature: signature }] }),
  },
  {
    name: 'thinking of Claude on Vertex AI',
    path: '/v1/publishers/anthropic/models/m@1:rawPredict',
    list: 'messages',
    turn: (text) => ({ role: 'assistant', content: [{ type: 'thinking', thinking: text, signature }] }),
  },
  {
    name: 'reasoning of Bedrock',
    path: '/model/m/converse',
    list: 'messages',
    turn: (text) => ({ role: 'assistant', content: [{ reasoningContent: { reasoningText: { text, signature } } }] }),
  },
  {
    name: 'thoughts of Gemini’s interactions',
    path: '/v1beta/interactions',
    list: 'input',
    turn: (text) => ({ type: 'thought', summary: [{ type: 'text', text }], signature }),
  },
  {
    name: 'sealed reasoning of OpenAI',
    path: '/v1/responses',
    list: 'input',
    turn: (text) => ({ type: 'reasoning', id: 'rs_1', summary: [], encrypted_content: text }),
  },
];

describe.each(turns)('$name', ({ path, list, turn }) => {
  test('reaches the target as the client has it, beside turns that are redacted', async () => {
    await using target = await startTarget(() => '{}');
    await using proxy = await startProxy({ target: target.origin, policies: [policyOf('redact')] });
    const user = {
      role: 'user',
      [list === 'contents' ? 'parts' : 'content']: list === 'contents' ? [{ text: `I am ${mail}` }] : `I am ${mail}`,
    };
    const { status } = await ask(proxy, path, { model: 'm', [list]: [user, turn(thought)] });
    expect(status).toBe(200);
    const got = JSON.parse(target.seen[0] ?? '') as Record<string, unknown[]>;
    expect(got[list]?.[1]).toEqual(turn(thought));
    expect(JSON.stringify(got[list]?.[0])).toContain('<EMAIL_1>');
  });

  test('is still stopped by a rule that blocks', async () => {
    await using target = await startTarget(() => '{}');
    await using proxy = await startProxy({ target: target.origin, policies: [policyOf('block')] });
    expect((await ask(proxy, path, { model: 'm', [list]: [turn(thought)] })).status).toBe(403);
    expect(target.seen).toEqual([]);
  });
});

test('what a user signs is hidden like all else', async () => {
  await using target = await startTarget(() => '{}');
  await using proxy = await startProxy({ target: target.origin, policies: [policyOf('redact')] });
  const part = { type: 'thinking', thinking: mail, signature };
  await ask(proxy, '/v1/messages', { model: 'm', messages: [{ role: 'user', content: [part] }] });
  expect(target.seen[0]).not.toContain(mail);
});

test('thoughts that nobody signed are hidden', async () => {
  await using target = await startTarget(() => '{}');
  await using proxy = await startProxy({ target: target.origin, policies: [policyOf('redact')] });
  const part = { type: 'thinking', thinking: mail, signature: '' };
  await ask(proxy, '/v1/messages', { model: 'm', messages: [{ role: 'assistant', content: [part] }] });
  expect(target.seen[0]).not.toContain(mail);
});

test.each<readonly [string, object]>([
  [
    'what a tool is called with',
    { content: [{ type: 'tool_use', id: 't', name: 'n', input: { encrypted_content: mail } }] },
  ],
  [
    'deeper in what a tool is called with',
    {
      content: [
        { type: 'tool_use', id: 't', name: 'n', input: { a: [{ type: 'thinking', thinking: mail, signature }] } },
      ],
    },
  ],
  ['a turn that gives itself the type', { type: 'thinking', signature, text: mail, content: mail }],
  ['other fields of the part', { content: [{ type: 'thinking', thinking: 'x', signature, more: { text: mail } }] }],
  ['the keys of the part', { content: [{ type: 'thinking', thinking: 'x', signature, [mail]: 1 }] }],
  ['lists of texts under a sealed name', { content: [{ type: 'text', text: 'x', encrypted_content: [mail] }] }],
])('%s cannot be signed', async (_, turn) => {
  await using target = await startTarget(() => '{}');
  await using proxy = await startProxy({ target: target.origin, policies: [policyOf('redact')] });
  await ask(proxy, '/v1/messages', { model: 'm', messages: [{ role: 'assistant', ...turn }] });
  expect(target.seen.join('')).not.toContain(mail);
});

describe('an answer', () => {
  const asked = { model: 'm', messages: [{ role: 'user', content: `I am ${mail}` }] };
  const thinking = (text: string) => ({ type: 'thinking', thinking: text, signature });

  test('has its thinking as it was signed, with placeholders that stand in it, and its text restored', async () => {
    const content = [
      thinking('For <EMAIL_1>, not bob@house.example.'),
      { type: 'text', text: 'Hello <EMAIL_1>, bob@house.example' },
    ];
    await using target = await startTarget(() => JSON.stringify({ type: 'message', role: 'assistant', content }));
    await using proxy = await startProxy({ target: target.origin, policies: [policyOf('redact')] });
    const { text } = await ask(proxy, '/v1/messages', asked);
    const [first, second] = (JSON.parse(text) as { content: object[] }).content;
    expect(first).toEqual(content[0]);
    expect(second).toEqual({ type: 'text', text: `Hello ${mail}, <EMAIL_2>` });
  });

  const event = (type: string, more: object): string =>
    `event: ${type}\ndata: ${JSON.stringify({ type, ...more })}\n\n`;
  const delta = (index: number, more: object): string => event('content_block_delta', { index, delta: more });

  test('has the same in a stream, whose signature comes behind', async () => {
    const stream = [
      event('content_block_start', { index: 0, content_block: { type: 'thinking', thinking: '', signature: '' } }),
      delta(0, { type: 'thinking_delta', thinking: 'For <EMAIL_1>, not bob@' }),
      delta(0, { type: 'thinking_delta', thinking: 'house.example.' }),
      delta(0, { type: 'signature_delta', signature }),
      event('content_block_stop', { index: 0 }),
      event('content_block_start', { index: 1, content_block: { type: 'text', text: '' } }),
      delta(1, { type: 'text_delta', text: 'Hello <EMAIL_1>' }),
      event('message_stop', {}),
    ].join('');
    await using target = await startTarget(() => stream, 'text/event-stream');
    await using proxy = await startProxy({ target: target.origin, policies: [policyOf('redact')] });
    const { text } = await ask(proxy, '/v1/messages', { ...asked, stream: true });
    expect(text).toBe(stream.replace('Hello <EMAIL_1>', `Hello ${mail}`));
  });

  test('has the same in a stream of OpenRouter', async () => {
    const chunk = (more: object): string => `data: ${JSON.stringify({ choices: [{ index: 0, delta: more }] })}\n\n`;
    const details = (more: object) => ({ reasoning_details: [{ type: 'reasoning.text', index: 0, ...more }] });
    const stream = `${chunk(details({ text: 'For bob@house.' }))}${chunk(details({ text: 'example' }))}${chunk(details({ signature }))}${chunk({ content: 'Hello bob@house.example' })}data: [DONE]\n\n`;
    await using target = await startTarget(() => stream, 'text/event-stream');
    await using proxy = await startProxy({ target: target.origin, policies: [policyOf('redact')] });
    const { text } = await ask(proxy, '/v1/chat/completions', { ...asked, stream: true });
    expect(text).toBe(stream.replace('Hello bob@house.example', 'Hello <EMAIL_2>'));
  });

  test('that a rule blocks is cut in its thinking, too', async () => {
    await using target = await startTarget(
      () => delta(0, { type: 'thinking_delta', thinking: mail }),
      'text/event-stream',
    );
    await using proxy = await startProxy({ target: target.origin, policies: [policyOf('block')] });
    const { text } = await ask(proxy, '/v1/messages', {
      model: 'm',
      messages: [{ role: 'user', content: 'hi' }],
      stream: true,
    });
    expect(text).not.toContain(mail);
  });
});

test('the alert says that nothing was hidden', async () => {
  await using target = await startTarget(() => '{}');
  await using proxy = await startProxy({ target: target.origin, policies: [policyOf('redact')] });
  const part = { type: 'thinking', thinking: thought, signature };
  await ask(proxy, '/v1/messages', { model: 'm', messages: [{ role: 'assistant', content: [part] }] });
  const alerts = proxy.spool.records.filter(({ kind }) => kind === 'alert');
  expect(alerts).toMatchObject([{ action: expect.not.stringContaining('Redact') }]);
});
