import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import type { PolicyRule } from '@portcullis/contracts/policy-file';
import type { Policy } from '@portcullis/core/policy/policy';
import { aPolicy, aRule } from './a-policy.ts';
import { goodKey, listen, startProxy, type RunningProxy } from './start-proxy.ts';

const rule = (id: string, regex: string, redact?: PolicyRule['redact']): PolicyRule =>
  aRule(id, regex, { severity: 'Medium', action: 'redact', ...(redact && { redact }) });

const policy = aPolicy(
  'privacy',
  [
    rule('EMAIL', '[a-z]{2,8}@house\\.example', { restore: true }),
    rule('CODE', 'CODE-[0-9]{4}', { placeholder: '[CODE REMOVED]' }),
  ],
  { severity: 'Medium' },
);

/** A target that keeps what it was sent and answers with what `answer` makes of it. */
const startTarget = async (answer: (body: string) => { readonly type: string; readonly pieces: readonly string[] }) => {
  const seen: { readonly url: string; readonly body: string; readonly length: string | undefined }[] = [];
  const peer = await listen((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const body = Buffer.concat(chunks).toString();
      seen.push({ url: request.url ?? '', body, length: request.headers['content-length'] });
      const { type, pieces } = answer(body);
      response.writeHead(200, { 'content-type': type });
      for (const piece of pieces) response.write(piece);
      response.end();
    });
  });
  return { ...peer, seen };
};

const json = (value: unknown) => ({ type: 'application/json', pieces: [JSON.stringify(value)] });
const events = (pieces: readonly string[]) => ({ type: 'text/event-stream', pieces });
const data = (value: unknown): string => `data: ${JSON.stringify(value)}\n\n`;
const delta = (content: string, more: object = {}): string =>
  data({ model: 'm', choices: [{ index: 0, delta: { content }, ...more }] });

const send = (proxy: RunningProxy, body: string, path = '/v1/chat/completions', type = 'application/json') =>
  fetch(`${proxy.origin}${path}`, {
    method: 'POST',
    headers: { 'content-type': type, authorization: `Bearer ${goodKey}` },
    body,
  });

const ask = (content: string): string => JSON.stringify({ model: 'm', messages: [{ role: 'user', content }] });

const streamedText = (body: string): string =>
  body
    .split('\n\n')
    .filter((event) => event.startsWith('data: {'))
    .map((event) => JSON.parse(event.slice(6)) as { choices: { delta: { content: string } }[] })
    .map(({ choices }) => choices[0]?.delta.content ?? '')
    .join('');

const alertsOf = (proxy: RunningProxy) => proxy.spool.records.filter(({ kind }) => kind === 'alert');

describe('a request', () => {
  test('reaches the target with placeholders, and all other bytes as they came', async () => {
    await using target = await startTarget(() => json({}));
    await using proxy = await startProxy({ target: target.origin, policies: [policy] });
    const body = (mail: string, inner: string) =>
      `{ "n": 1.50, "big": 12345678901234567890,\n "messages":[{"content":"to ${mail}: é \\u00e9"}], "x":"${inner}" }`;
    await send(proxy, body('amy@house.example', '{\\"to\\":\\"a\\\\nbob@house.example\\"}'));
    const expected = body('<EMAIL_1>', '{\\"to\\":\\"a\\\\n<EMAIL_2>\\"}').replace('\\u00e9', 'é');
    expect(target.seen[0]).toMatchObject({ body: expected, length: String(Buffer.byteLength(expected)) });
    expect(JSON.parse((JSON.parse(expected) as { x: string }).x)).toEqual({ to: 'a\n<EMAIL_2>' });
    const log = proxy.spool.records.find(({ kind }) => kind === 'request_log');
    expect(log).toMatchObject({
      changes: { redacted_in_request: ['EMAIL'] },
      inspection_ms: expect.any(Number),
      target_wait_ms: expect.any(Number),
    });
  });

  test('is redacted in its query and in plain text', async () => {
    await using target = await startTarget(() => json({}));
    await using proxy = await startProxy({ target: target.origin, policies: [policy] });
    await send(proxy, 'mail amy@house.example CODE-1234', '/find?a=%C3%A9+amy%40house.example&b=%zz', 'text/plain');
    expect(target.seen[0]).toMatchObject({
      url: '/find?a=%C3%A9+%3CEMAIL_1%3E&b=%zz',
      body: 'mail <EMAIL_1> [CODE REMOVED]',
    });
  });

  test('whose text readers could take for another one is refused', async () => {
    await using target = await startTarget(() => json({}));
    await using proxy = await startProxy({ target: target.origin, policies: [policy] });
    const response = await send(proxy, '{"a":"amy@house.example","b":1,"b":2}');
    expect(response.status).toBe(400);
    expect(target.seen).toEqual([]);
  });

  test('raises an alert that tells what was done and nothing of what was hidden', async () => {
    await using target = await startTarget((body) => json({ echo: body }));
    await using proxy = await startProxy({ target: target.origin, policies: [policy] });
    await send(proxy, ask('amy@house.example CODE-1234'));
    expect(alertsOf(proxy)).toMatchObject([
      {
        action: 'Redact',
        rule_id: 'EMAIL',
        description: expect.stringContaining('was redacted'),
        raw_data: { rules: [{ rule_id: 'EMAIL' }, { rule_id: 'CODE' }] },
      },
    ]);
    expect(JSON.stringify(proxy.spool.records)).not.toMatch(/amy|1234/);
  });
});

describe('a whole answer', () => {
  test('has the caller’s own values back, also in JSON inside it, and the target’s hidden', async () => {
    await using target = await startTarget(() =>
      json({ n: 1, say: 'Dear <EMAIL_1>, eve@house.example', arguments: '{"to":"<EMAIL_1>"}', other: '<EMAIL_7>' }),
    );
    await using proxy = await startProxy({ target: target.origin, policies: [policy] });
    const response = await send(proxy, ask('amy@house.example'));
    expect(response.headers.get('content-length')).not.toBeNull();
    expect(await response.json()).toEqual({
      n: 1,
      say: 'Dear amy@house.example, <EMAIL_2>',
      arguments: '{"to":"amy@house.example"}',
      other: '<EMAIL_7>',
    });
  });

  test('of one caller never holds what another wrote', async () => {
    await using target = await startTarget(() => json({ say: '<EMAIL_1> <EMAIL_2>' }));
    await using proxy = await startProxy({ target: target.origin, policies: [policy] });
    const [first, second, third] = await Promise.all([
      send(proxy, ask('amy@house.example bob@house.example')),
      send(proxy, ask('eve@house.example')),
      send(proxy, ask('<EMAIL_1> <EMAIL_2>')),
    ]);
    expect(await first?.json()).toEqual({ say: 'amy@house.example bob@house.example' });
    expect(await second?.json()).toEqual({ say: 'eve@house.example <EMAIL_2>' });
    expect(await third?.json()).toEqual({ say: '<EMAIL_1> <EMAIL_2>' });
  });

  test('of plain text is rewritten as it passes, for any length that the target told', async () => {
    await using target = await startTarget(() => ({
      type: 'text/plain; charset=utf-8',
      pieces: ['é for <EMA', 'IL_1> and CODE-', '5678.'],
    }));
    await using proxy = await startProxy({ target: target.origin, policies: [policy] });
    const response = await send(proxy, ask('amy@house.example'));
    expect(await response.text()).toBe('é for amy@house.example and [CODE REMOVED].');
  });
});

describe('a stream', () => {
  test('is put back and hidden across events; untouched events stay byte for byte', async () => {
    const untouched = [
      ': a comment that stays\n\n',
      'data:  {"model":"m", "choices":[{"index":0,"delta":{"content":"Hi "}}],"n":1.50}\n\n',
    ];
    const pieces = ['Dear <EMA', 'IL_', '1>, CODE', '-12', '34 <', 'EMAIL_9>'];
    await using target = await startTarget(() =>
      events([...untouched, ...pieces.map((piece) => delta(piece)), 'data: [DONE]\n\n']),
    );
    await using proxy = await startProxy({ target: target.origin, policies: [policy] });
    const body = await (await send(proxy, ask('amy@house.example'))).text();
    expect(body.startsWith(untouched.join(''))).toBe(true);
    expect(body.endsWith('data: [DONE]\n\n')).toBe(true);
    expect(streamedText(body)).toBe('Dear amy@house.example, [CODE REMOVED] <EMAIL_9>');
    expect(alertsOf(proxy)).toMatchObject([
      { action: 'Redact', raw_data: { rules: [{ rule_id: 'EMAIL' }, { rule_id: 'CODE', direction: 'response' }] } },
    ]);
  });

  test('tells no likelihoods of tokens that it hides', async () => {
    const logprobs = { content: [{ token: 'CODE-1234', bytes: [1] }] };
    await using target = await startTarget(() => events([delta('CODE-', { logprobs }), delta('1234 ', { logprobs })]));
    await using proxy = await startProxy({ target: target.origin, policies: [policy] });
    const body = await (await send(proxy, ask('x'))).text();
    expect(body).not.toContain('1234');
    expect(body.match(/"logprobs":null/g)).toHaveLength(2);
  });

  test('has originals back in the arguments of calls, as JSON', async () => {
    const quoting: Policy = { ...policy, rules: [rule('QUOTE', 'say "[a-z]+"\\n', { restore: true })] };
    const call = (text: string) =>
      data({ choices: [{ index: 0, delta: { tool_calls: [{ index: 0, function: { arguments: text } }] } }] });
    await using target = await startTarget(() =>
      events([call('{"a":"<QUO'), call('TE_1> \\u003cQUO'), call('TE_1\\u003e"}'), 'data: [DONE]\n\n']),
    );
    await using proxy = await startProxy({ target: target.origin, policies: [quoting] });
    const body = await (await send(proxy, ask('say "please"\n'))).text();
    const parts = body
      .split('\n\n')
      .filter((event) => event.startsWith('data: {'))
      .map((event) => (JSON.parse(event.slice(6)) as Call).choices[0]?.delta.tool_calls[0]?.function.arguments);
    expect(JSON.parse(parts.join(''))).toEqual({ a: 'say "please"\n say "please"\n' });
  });

  test('of Anthropic messages and of MCP is rewritten where its texts stand', async () => {
    const block = (text: string) =>
      `event: content_block_delta\n${data({ type: 'content_block_delta', index: 0, delta: { type: 'text_delta', text } })}`;
    await using target = await startTarget(() =>
      events([block('for <EM'), block('AIL_1> CODE-1234.'), `event: message_stop\n${data({ type: 'message_stop' })}`]),
    );
    await using proxy = await startProxy({ target: target.origin, policies: [policy] });
    const messages = await (await send(proxy, ask('amy@house.example'), '/v1/messages')).text();
    expect(messages.match(/^event: content_block_delta$/gm)).toHaveLength(2);
    expect(messages).toContain('amy@house.example');
    expect(messages).toContain('[CODE REMOVED].');

    await using tools = await startTarget(() =>
      events([
        `id: 7\r\nevent: message\r\ndata: {"jsonrpc":"2.0","id":1,\r\ndata: "result":{"text":"<EMAIL_1> CODE-1234"}}\r\n\r\n`,
      ]),
    );
    await using mcp = await startProxy({ target: tools.origin, policies: [policy], proxy: { type: 'mcp' } });
    const call = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params: { to: 'amy@house.example' } });
    const answer = await (await send(mcp, call, '/mcp')).text();
    expect(answer).toBe(
      'id: 7\r\nevent: message\r\ndata: {"jsonrpc":"2.0","id":1,\r\ndata: "result":{"text":"amy@house.example [CODE REMOVED]"}}\r\n\r\n',
    );
  });
});

interface Call {
  readonly choices: readonly {
    readonly delta: { readonly tool_calls: readonly { readonly function: { readonly arguments: string } }[] };
  }[];
}

const word = fc.constantFrom(
  '<EMAIL_1>',
  '<EMAIL_',
  '2>',
  '<',
  'amy@house.example',
  'bob@house.example',
  '\n',
  '"',
  'é ',
  '\\',
  ' ',
  'x',
);

test('for any conversation no original reaches the target, and an echo in any pieces comes back as it was', async () => {
  const answers = new Map<string, readonly number[]>();
  await using target = await startTarget((body) => {
    const { messages, model } = JSON.parse(body) as { messages: { content: string }[]; model: string };
    const text = messages.map(({ content }) => content).join('|');
    const cuts = [...new Set((answers.get(model) ?? []).map((cut) => cut % (text.length + 1)))].sort((a, b) => a - b);
    return events([
      ...[0, ...cuts].map((cut, index) => delta(text.slice(cut, cuts[index] ?? text.length))),
      'data: [DONE]\n\n',
    ]);
  });
  await using proxy = await startProxy({ target: target.origin, policies: [policy] });
  const messages = fc.array(
    fc.array(word, { maxLength: 6 }).map((words) => words.join('')),
    { minLength: 1, maxLength: 4 },
  );
  let run = 0;
  await fc.assert(
    fc.asyncProperty(messages, fc.array(fc.nat(120), { maxLength: 8 }), async (texts, cuts) => {
      run += 1;
      answers.set(`m${run}`, cuts);
      const body = JSON.stringify({ model: `m${run}`, messages: texts.map((content) => ({ role: 'user', content })) });
      const answer = await (await send(proxy, body)).text();
      expect(target.seen.at(-1)?.body).not.toMatch(/(?:amy|bob)@house/);
      expect(streamedText(answer)).toBe(texts.join('|'));
    }),
    { numRuns: 150 },
  );
});

test('a policy in shadow mode is recorded and changes nothing', async () => {
  const blocking: Policy = { ...policy, name: 'strict', rules: [{ ...rule('WORD', 'sesame'), action: 'block' }] };
  await using target = await startTarget((body) => json({ body }));
  await using proxy = await startProxy({
    target: target.origin,
    policies: [policy, blocking],
    shadow: ['privacy', 'strict'],
  });
  const response = await send(proxy, ask('open sesame amy@house.example'));
  expect(response.status).toBe(200);
  expect(target.seen[0]?.body).toBe(ask('open sesame amy@house.example'));
  expect(alertsOf(proxy)).toMatchObject([
    {
      rule_id: 'WORD',
      action: 'Monitor',
      raw_data: {
        shadow: true,
        would: 'block',
        rules: [
          { rule_id: 'WORD', direction: 'request', shadow: true, action: 'block' },
          { rule_id: 'WORD', direction: 'response' },
          { rule_id: 'EMAIL', direction: 'request', shadow: true, action: 'redact' },
          { rule_id: 'EMAIL', direction: 'response' },
        ],
      },
    },
  ]);
});
