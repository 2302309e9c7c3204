import { Anthropic } from '@anthropic-ai/sdk';
import { describe, expect, test } from '@jest/globals';
import { OpenAI } from 'openai';
import { startLlmPeer, type LlmBehaviour, type LlmPeer } from './llm-peer.ts';
import { waitFor } from './wait-for.ts';

const openaiFor = (peer: LlmPeer, apiKey = 'sk-right') =>
  new OpenAI({ baseURL: `${peer.url}/v1`, apiKey, maxRetries: 0, timeout: 3_000 });
const anthropicFor = (peer: LlmPeer, apiKey = 'sk-right') =>
  new Anthropic({ baseURL: peer.url, apiKey, maxRetries: 0, timeout: 3_000 });

const user = (content: string) => ({ role: 'user' as const, content });
const chat = { model: 'gpt-4o-mini', messages: [user('Good morning, peer')] };
const message = { model: 'claude-opus-4-8', max_tokens: 100, messages: [user('Good morning, peer')] };

describe('with the official OpenAI client', () => {
  test('a completion echoes the last user message and counts tokens', async () => {
    await using peer = await startLlmPeer();
    const completion = await openaiFor(peer).chat.completions.create({
      ...chat,
      messages: [
        { role: 'system', content: 'Be brief.' },
        user('first'),
        { role: 'assistant', content: 'x' },
        user('last'),
      ],
    });
    expect(completion.choices[0]?.message).toMatchObject({ role: 'assistant', content: 'last' });
    expect(completion.choices[0]?.finish_reason).toBe('stop');
    expect(completion.usage).toMatchObject({ prompt_tokens: 6, completion_tokens: 1, total_tokens: 7 });
    expect(peer.requests).toMatchObject([{ method: 'POST', path: '/v1/chat/completions', outcome: 'answered' }]);
  });

  test('no two answers of a conversation have one id, since agent loops take the second for a new version', async () => {
    await using peer = await startLlmPeer({ call: () => ({ name: 'look', arguments: {} }) });
    const { completions } = openaiFor(peer).chat;
    const asked = { ...chat, tools: [{ type: 'function' as const, function: { name: 'look' } }] };
    const first = await completions.create(asked);
    const [choice] = first.choices;
    const [call] = choice?.message.tool_calls ?? [];
    if (choice === undefined || call === undefined) throw new Error('The peer did not call the tool');
    const result = { role: 'tool' as const, tool_call_id: call.id, content: 'seen' };
    const second = await completions.create({ ...asked, messages: [...chat.messages, choice.message, result] });
    expect(second.id).not.toBe(first.id);
  });

  test('a stream carries the configured pieces and, when asked, the usage', async () => {
    await using peer = await startLlmPeer({ chunks: ['sk-', 'live', '', '-€'] });
    const client = openaiFor(peer);
    const read = async (streamOptions?: { include_usage: boolean }) => {
      const stream = await client.chat.completions.create({
        ...chat,
        stream: true,
        ...(streamOptions && { stream_options: streamOptions }),
      });
      const pieces: string[] = [];
      let usage: OpenAI.CompletionUsage | null | undefined;
      for await (const chunk of stream) {
        pieces.push(...chunk.choices.map(({ delta }) => delta.content ?? ''));
        usage = chunk.usage;
      }
      return { pieces, usage };
    };
    expect(await read()).toEqual({ pieces: ['', 'sk-', 'live', '', '-€', ''], usage: undefined });
    expect((await read({ include_usage: true })).usage).toMatchObject({ prompt_tokens: 5, completion_tokens: 3 });
  });

  test('lists models and refuses a wrong key', async () => {
    await using peer = await startLlmPeer({ requireKey: 'sk-right' });
    const { data } = await openaiFor(peer).models.list();
    expect(data.map(({ id }) => id)).toContain('gpt-4o-mini');
    await expect(openaiFor(peer, 'sk-wrong').models.list()).rejects.toBeInstanceOf(OpenAI.AuthenticationError);
  });
});

describe('with the official Anthropic client', () => {
  test('a message echoes the last user message and counts tokens', async () => {
    await using peer = await startLlmPeer({ requireKey: 'sk-right' });
    const answer = await anthropicFor(peer).messages.create({ ...message, system: 'Be brief.' });
    expect(answer.content).toEqual([{ type: 'text', text: 'Good morning, peer' }]);
    expect(answer).toMatchObject({ stop_reason: 'end_turn', usage: { input_tokens: 7, output_tokens: 5 } });
  });

  test('a stream sends the official sequence of events', async () => {
    await using peer = await startLlmPeer({ reply: (prompt) => prompt.toUpperCase() });
    const stream = anthropicFor(peer).messages.stream(message);
    const types: string[] = [];
    stream.on('streamEvent', ({ type }) => types.push(type));
    expect(await stream.finalText()).toBe('GOOD MORNING, PEER');
    const deltas = Array.from({ length: 3 }, () => 'content_block_delta');
    const tail = ['content_block_stop', 'message_delta', 'message_stop'];
    expect(types).toEqual(['message_start', 'content_block_start', ...deltas, ...tail]);
    expect((await stream.finalMessage()).usage).toMatchObject({ input_tokens: 5, output_tokens: 5 });
  });

  test('lists models and refuses a wrong key', async () => {
    await using peer = await startLlmPeer({ requireKey: 'sk-right' });
    expect((await anthropicFor(peer).models.list()).data.map(({ id }) => id)).toContain('claude-opus-4-8');
    const refused = anthropicFor(peer, 'sk-wrong').messages.create(message);
    await expect(refused).rejects.toBeInstanceOf(Anthropic.AuthenticationError);
  });
});

describe('refuses what the vendor refuses', () => {
  const post = async (peer: LlmPeer, path: string, body: unknown, headers: Record<string, string> = {}) => {
    const text = typeof body === 'string' ? body : JSON.stringify(body);
    const answer = await fetch(`${peer.url}${path}`, { method: 'POST', body: text, headers });
    return { status: answer.status, body: await answer.json() };
  };

  test.each([
    ['not JSON', '{', null],
    ['no model', { messages: [user('x')] }, null],
    ['a wrong model', { ...chat, model: 1 }, 'model'],
    ['no messages', { model: 'm' }, 'messages'],
    ['empty messages', { model: 'm', messages: [] }, 'messages'],
    ['an unknown role', { model: 'm', messages: [{ role: 'robot', content: 'x' }] }, 'messages[0].role'],
    ['wrong content', { model: 'm', messages: [{ role: 'user', content: 7 }] }, 'messages[0].content'],
    ['a wrong stream', { ...chat, stream: 'yes' }, 'stream'],
    ['stray stream options', { ...chat, stream_options: { include_usage: true } }, 'stream_options'],
    ['a wrong temperature', { ...chat, temperature: 'hot' }, 'temperature'],
  ])('OpenAI: %s', async (_what, body, parameter) => {
    await using peer = await startLlmPeer();
    expect(await post(peer, '/v1/chat/completions', body)).toMatchObject({
      status: 400,
      body: { error: { type: 'invalid_request_error', param: parameter } },
    });
  });

  test.each([
    ['not JSON', '{', 'The request body is not valid JSON'],
    ['no max_tokens', { ...message, max_tokens: undefined }, 'max_tokens: Field required'],
    ['a wrong max_tokens', { ...message, max_tokens: 0 }, 'max_tokens: Input should be greater than or equal to 1'],
    [
      'a system role',
      { ...message, messages: [{ role: 'system', content: 'x' }] },
      "messages.0.role: Input should be 'user' or 'assistant'",
    ],
    ['no content', { ...message, messages: [{ role: 'user' }] }, 'messages.0.content: Field required'],
    [
      'a block without type',
      { ...message, messages: [{ role: 'user', content: [{}] }] },
      'messages.0.content.0.type: Field required',
    ],
  ])('Anthropic: %s', async (_what, body, text) => {
    await using peer = await startLlmPeer();
    expect(await post(peer, '/v1/messages', body, { 'anthropic-version': '2023-06-01' })).toEqual({
      status: 400,
      body: { type: 'error', error: { type: 'invalid_request_error', message: text }, request_id: 'req_peer' },
    });
  });

  const ask = (parts: unknown) => ({ contents: [{ parts }] });

  test.each([
    ['/v1/responses', 'no input', { model: 'm' }, 'input'],
    ['/v1/responses', 'messages', { model: 'm', input: 'x', messages: [] }, 'messages'],
    ['/v1/responses', 'an item without a role', { model: 'm', input: [{ content: 'x' }] }, 'input[0].role'],
    [
      '/v1/responses',
      'a result of no call',
      { model: 'm', input: [{ type: 'function_call_output' }] },
      'input[0].call_id',
    ],
    ['/v1/responses', 'wrong instructions', { model: 'm', input: 'x', instructions: ['y'] }, 'instructions'],
    [
      '/v1/responses',
      'a tool without a name',
      { model: 'm', input: 'x', tools: [{ type: 'function' }] },
      'tools[0].name',
    ],
    ['/v1/completions', 'no prompt', { model: 'm' }, 'prompt'],
    ['/v1/embeddings', 'no input', { model: 'm' }, 'input'],
    ['/v1/embeddings', 'a wrong encoding', { model: 'm', input: 'x', encoding_format: 'hex' }, 'encoding_format'],
    ['/v1/chat/completions', 'a nameless tool', { ...chat, tools: [{ type: 'function' }] }, 'tools[0].function.name'],
    [
      '/v1/chat/completions',
      'a result of no call',
      { model: 'm', messages: [{ role: 'tool', content: 'x' }] },
      'messages[0].tool_call_id',
    ],
  ])('OpenAI: %s with %s', async (path, _what, body, parameter) => {
    await using peer = await startLlmPeer();
    expect(await post(peer, path, body)).toMatchObject({
      status: 400,
      body: { error: { type: 'invalid_request_error', param: parameter } },
    });
  });

  test.each([
    ['no contents', {}, 'contents is not specified'],
    ['an unknown field', { ...ask([{ text: 'x' }]), messages: [] }, 'Unknown name "messages"'],
    ['a wrong role', { contents: [{ role: 'assistant', parts: [{ text: 'x' }] }] }, 'valid role'],
    ['no parts', { contents: [{ role: 'user' }] }, "Invalid value at 'contents[0].parts'"],
    ['an empty part', ask([{}]), "required oneof field 'data'"],
    [
      'a nameless tool',
      { ...ask([{ text: 'x' }]), tools: [{ functionDeclarations: [{}] }] },
      'function_declarations[0].name',
    ],
  ])('Gemini: %s', async (_what, body, text) => {
    await using peer = await startLlmPeer();
    expect(await post(peer, '/v1beta/models/gemini-2.5-flash:generateContent', body)).toMatchObject({
      status: 400,
      body: { error: { code: 400, status: 'INVALID_ARGUMENT', message: expect.stringContaining(text) } },
    });
  });

  test('Anthropic: no version header; both: an unknown path', async () => {
    await using peer = await startLlmPeer();
    const unversioned = await post(peer, '/v1/messages', message);
    expect(unversioned.body).toMatchObject({ error: { message: 'anthropic-version: header is required' } });
    expect(await post(peer, '/v1/nothing', {})).toMatchObject({ status: 404, body: { error: { param: null } } });
  });
});

describe('misbehaves as told', () => {
  const streamed = async (behaviour: LlmBehaviour) => {
    const peer = await startLlmPeer(behaviour);
    const read: string[] = [];
    const abort = new AbortController();
    const reading = (async () => {
      const body = JSON.stringify({ ...chat, stream: true });
      const answer = await fetch(`${peer.url}/v1/chat/completions`, { method: 'POST', body, signal: abort.signal });
      for await (const chunk of answer.body ?? []) read.push(Buffer.from(chunk).toString('latin1'));
      return answer;
    })();
    return { peer, read, reading, abort, text: () => Buffer.from(read.join(''), 'latin1').toString('utf8') };
  };

  test('fails with a status, in the vendor’s words', async () => {
    await using peer = await startLlmPeer({ fault: { kind: 'status', status: 429, headers: { 'retry-after': '1' } } });
    await expect(openaiFor(peer).chat.completions.create(chat)).rejects.toBeInstanceOf(OpenAI.RateLimitError);
    await expect(anthropicFor(peer).messages.create(message)).rejects.toBeInstanceOf(Anthropic.RateLimitError);
    peer.behave({ fault: undefined });
    expect((await openaiFor(peer).chat.completions.create(chat)).object).toBe('chat.completion');
  });

  test('breaks off before and within an answer', async () => {
    await using peer = await startLlmPeer({ fault: { kind: 'break-off' } });
    await expect(openaiFor(peer).chat.completions.create(chat)).rejects.toBeInstanceOf(OpenAI.APIConnectionError);

    const {
      peer: other,
      reading,
      text,
    } = await streamed({ reply: 'a b c', fault: { kind: 'break-off', afterPieces: 2 } });
    await using _ = other;
    await expect(reading).rejects.toThrow('terminated');
    expect(text().match(/"content":"[^"]*"/g)).toEqual(['"content":""', '"content":"a"', '"content":" b"']);
    expect(other.requests[0]?.outcome).toBe('broken-off');
  });

  test('falls silent until the caller hangs up', async () => {
    const { peer, reading, abort, text } = await streamed({ reply: 'a b', fault: { kind: 'hang', afterPieces: 1 } });
    await using _ = peer;
    await waitFor(() => text().includes('"a"'), { what: 'the first piece' });
    expect(text()).not.toContain('" b"');
    abort.abort();
    await expect(reading).rejects.toThrow(/abort/i);
    await waitFor(() => peer.requests[0]?.outcome === 'broken-off', { what: 'the peer to notice' });
  });

  test('writes across frames and characters', async () => {
    const { peer, reading, read, text } = await streamed({ reply: 'grün', writeBytes: 7 });
    await using _ = peer;
    await reading;
    expect(text()).toContain('"content":"grün"');
    expect(read.length).toBeGreaterThan(1);
  });

  test('answers under another content type', async () => {
    await using peer = await startLlmPeer({ fault: { kind: 'content-type', value: 'text/html' } });
    const answer = await fetch(`${peer.url}/v1/chat/completions`, { method: 'POST', body: JSON.stringify(chat) });
    expect(answer.headers.get('content-type')).toBe('text/html');
  });

  test('goes down and comes up again on its port', async () => {
    await using peer = await startLlmPeer();
    await peer.down();
    await expect(openaiFor(peer).models.list()).rejects.toBeInstanceOf(OpenAI.APIConnectionError);
    await peer.up();
    expect((await openaiFor(peer).models.list()).object).toBe('list');
  });
});
