import { describe, expect, test } from '@jest/globals';
import { createUsage, mergeUsage, type Usage } from '../usage/usage.ts';
import { anthropicMessages } from './anthropic/messages.ts';
import { anyJson } from './any/any-json.ts';
import { bedrockConverse } from './aws/converse.ts';
import { bedrockClaude, bedrockInvoke } from './aws/invoke.ts';
import { cohereChat } from './cohere/chat.ts';
import { findDialect } from './find-dialect.ts';
import { gemini } from './google/generate-content.ts';
import { geminiInteractions } from './google/interactions.ts';
import { storedInteraction } from './google/stored-interaction.ts';
import { rawPredict, vertexClaude, vertexClaudeCount, vertexMistral } from './google/raw-predict.ts';
import { mcp } from './mcp/mcp.ts';
import { ollamaChat } from './ollama/chat.ts';
import { ollamaGenerate } from './ollama/generate.ts';
import { openaiChat } from './openai/chat.ts';
import { openaiCompletions } from './openai/completions.ts';
import { openaiEmbeddings } from './openai/embeddings.ts';
import { storedMessages } from './openai/stored-messages.ts';
import { storedResponse, openaiResponses } from './openai/responses.ts';
import { storedRun, openaiRuns } from './openai/threads.ts';
import type { EventReading, RenderedDenial } from './shared/dialect.ts';

/** The texts that go on with those of earlier events. */
const continuing = ({ texts }: EventReading) =>
  texts === 'complete' ? texts : texts.filter(({ alone }) => alone !== true);

const denial: RenderedDenial = {
  code: 'POLICY_VIOLATION',
  status: 403,
  text: 'Request blocked by security policy',
  retryable: false,
  message: undefined,
  requestId: 'request-1',
  rpcId: null,
  nextSequence: 5,
};

test.each([
  ['llm', '/v1/chat/completions', openaiChat],
  ['llm', '/v1/messages', anthropicMessages],
  ['llm', '/v1/responses', openaiResponses],
  ['llm', '/v1/completions', openaiCompletions],
  ['llm', '/v1/embeddings', openaiEmbeddings],
  ['llm', '/v1beta/models/gemini-2.5-flash:generateContent', gemini],
  ['llm', '/v1beta/models/gemini-2.5-flash:streamGenerateContent', gemini],
  ['llm', '/v1/Chat%2fCompletions//', openaiChat],
  ['llm', '/v1/%zz', anyJson],
  ['llm', '/v1/models', anyJson],
  ['llm', '/v1/responses/resp_1', storedResponse],
  ['llm', '/v1/responses/resp_1/cancel', storedResponse],
  ['llm', '/v1/responses/resp_1/input_items', anyJson],
  ['llm', '/v1/chat/completions/c1/messages', storedMessages],
  ['llm', '/v1/chat/completions/c1', anyJson],
  ['llm', '/v1/projects/p/locations/l/publishers/anthropic/models/claude-sonnet-4-5@20250929:rawPredict', vertexClaude],
  ['llm', '/v1/projects/p/locations/l/publishers/anthropic/models/m@1:streamRawPredict', vertexClaude],
  ['llm', '/v1/projects/p/locations/l/publishers/anthropic/models/count-tokens:rawPredict', vertexClaudeCount],
  ['llm', '/v1/projects/p/locations/l/publishers/mistralai/models/m:rawPredict', vertexMistral],
  ['llm', '/v1/projects/p/locations/l/endpoints/7:rawPredict', rawPredict],
  ['llm', '/model/us.anthropic.m-v1%3A0/invoke', bedrockInvoke],
  ['llm', '/model/us.anthropic.m-v1%3A0/Invoke-With-Response-Stream', bedrockInvoke],
  ['llm', '/model/us.anthropic.m-v1%3A0/converse', bedrockConverse],
  ['llm', '/model/arn%3Aaws%3Abedrock%3Aus-east-1%3A1%3Ainference-profile%2Fx/converse-stream', bedrockConverse],
  ['llm', '/api/chat', ollamaChat],
  ['llm', '/api/generate', ollamaGenerate],
  ['llm', '/v2/chat', cohereChat],
  ['llm', '/v1beta/interactions', geminiInteractions],
  ['llm', '/v1beta/interactions/v1_1', storedInteraction],
  ['llm', '/v1/threads/runs', openaiRuns],
  ['llm', '/v1/threads/t1/runs', openaiRuns],
  ['llm', '/v1/threads/t1/runs/r1', storedRun],
  ['mcp', '/v1/messages', mcp],
] as const)('%s %s speaks as expected', (type, path, dialect) => {
  expect(findDialect(type, path)).toBe(dialect);
});

describe('a body of a path that leaves its form open', () => {
  const claude = { anthropic_version: 'bedrock-2023-05-31', messages: [] };

  test.each([
    ['/model/us.anthropic.claude-sonnet-4-5-20250929-v1%3A0/invoke', claude, bedrockClaude],
    ['/model/anthropic.claude-v2/invoke', { prompt: 'a' }, bedrockInvoke],
    ['/model/arn%3Aaws%3Abedrock%3Aus-east-1%3A1%3Aapplication-inference-profile%2Fabc1/invoke', claude, bedrockClaude],
    ['/model/arn%3Aaws%3Abedrock%3Aus-east-1%3A1%3Ainference-profile%2Fus.meta.m-v1%3A0/invoke', claude, bedrockInvoke],
    ['/model/meta.llama3-v1%3A0/invoke', claude, bedrockInvoke],
    ['/model/my-profile/invoke', { messages: [] }, bedrockInvoke],
    ['/v1/projects/p/locations/l/endpoints/7:rawPredict', claude, vertexClaude],
    ['/v1/projects/p/locations/l/endpoints/7:rawPredict', { instances: [] }, anyJson],
  ])('%s of %j is spoken as expected', (path, body, dialect) => {
    expect(findDialect('llm', path).forBody?.(body, path)).toBe(dialect);
  });

  test('a chat of Mistral is one, and all else is not', () => {
    const path = '/v1/projects/p/locations/l/publishers/mistralai/models/m:rawPredict';
    expect(vertexMistral.forBody?.({ messages: [] }, path)).toMatchObject({ name: 'openai-chat', provider: 'mistral' });
    expect(vertexMistral.forBody?.({ prompt: 'a' }, path)).toBe(anyJson);
  });
});

describe('openai-chat', () => {
  test('every choice, tool call and unknown field of a delta is a channel of its own', () => {
    const event = {
      model: 'm',
      choices: [
        { index: 0, delta: { role: 'assistant', content: 'a', reasoning_content: 'b' } },
        { index: 1, delta: { tool_calls: [{ index: 2, function: { arguments: '{"c"' } }] } },
      ],
    };
    expect(continuing(openaiChat.readEvent(event))).toMatchObject([
      { channel: 'choice0.content', text: 'a', path: ['choices', 0, 'delta', 'content'] },
      { channel: 'choice0.reasoning_content', text: 'b', path: ['choices', 0, 'delta', 'reasoning_content'] },
      {
        channel: 'choice1.tool2.function.arguments',
        text: '{"c"',
        path: ['choices', 1, 'delta', 'tool_calls', 0, 'function', 'arguments'],
      },
    ]);
  });

  test('usage is read from a body and from the last event', () => {
    const told = { model: 'm', usage: { prompt_tokens: 3, completion_tokens: 4, total_tokens: 7 } };
    const usage = createUsage({ model: 'm', input: 3, output: 4 });
    expect(openaiChat.readUsage(told)).toEqual(usage);
    expect(openaiChat.readEvent({ ...told, choices: [] })).toMatchObject({ usage, onlyUsage: true });
    expect(openaiChat.readEvent({ ...told, choices: [{ index: 0 }] }).onlyUsage).toBe(false);
    expect(openaiChat.readEvent({ choices: [] }).onlyUsage).toBe(false);
    expect(openaiChat.readUsage({ usage: null })).toBeUndefined();
  });

  test('cached and reasoning tokens are parts of input and output', () => {
    const usage = {
      prompt_tokens: 100,
      completion_tokens: 50,
      total_tokens: 150,
      prompt_tokens_details: { cached_tokens: 64 },
      completion_tokens_details: { reasoning_tokens: 40 },
    };
    expect(openaiChat.readUsage({ model: 'm', usage })).toEqual({
      model: 'm',
      inputTokens: 100,
      cachedInputTokens: 64,
      cacheWriteTokens: 0,
      longCacheWriteTokens: 0,
      outputTokens: 50,
      reasoningTokens: 40,
      citationTokens: 0,
      audio: undefined,
      image: undefined,
      webSearches: 0,
      fileSearches: 0,
      totalTokens: 150,
    });
  });

  test('what only the total tells was written too', () => {
    const usage = { prompt_tokens: 10, completion_tokens: 5, total_tokens: 95 };
    expect(openaiChat.readUsage({ usage })).toMatchObject({ inputTokens: 10, outputTokens: 85, totalTokens: 95 });
  });

  test('[DONE] ends the stream, a break-off is an error event', () => {
    expect(openaiChat.readEvent('[DONE]').terminal).toBe(true);
    const event = openaiChat.renderStreamError(denial, 'events');
    expect(event.startsWith('data: ') && event.endsWith('\n\n')).toBe(true);
    expect(JSON.parse(event.slice(6))).toMatchObject({
      error: { message: denial.text, code: 'policy_violation', type: 'invalid_request_error' },
    });
  });
});

describe('anthropic-messages', () => {
  test('texts, thinking and tool arguments of each block are channels', () => {
    const delta = (value: object) =>
      continuing(anthropicMessages.readEvent({ type: 'content_block_delta', index: 1, delta: value }));
    expect(delta({ type: 'text_delta', text: 'a' })).toMatchObject([
      { channel: 'blocks.text', text: 'a', path: ['delta', 'text'] },
    ]);
    expect(delta({ type: 'thinking_delta', thinking: 'b' })).toMatchObject([{ channel: 'block1.thinking', text: 'b' }]);
    expect(delta({ type: 'input_json_delta', partial_json: '{' })).toMatchObject([
      { channel: 'block1.partial_json', text: '{' },
    ]);
    const start = { type: 'content_block_start', index: 0, content_block: { type: 'text', text: 'c' } };
    expect(continuing(anthropicMessages.readEvent(start))).toMatchObject([
      { channel: 'blocks.text', text: 'c', path: ['content_block', 'text'] },
    ]);
  });

  test('usage counts cached input; message_stop ends the stream', () => {
    const message = {
      model: 'm',
      content: [],
      usage: { input_tokens: 1, cache_read_input_tokens: 2, cache_creation_input_tokens: 3, output_tokens: 4 },
    };
    const started = anthropicMessages.readEvent({ type: 'message_start', message }).usage;
    expect(started).toEqual(createUsage({ model: 'm', input: 6, cachedInput: 2, cacheWrite: 3, output: 4 }));
    const delta = anthropicMessages.readEvent({ type: 'message_delta', usage: { output_tokens: 9 } }).usage;
    expect(mergeUsage(started, delta as Usage)).toEqual(
      createUsage({ model: 'm', input: 6, cachedInput: 2, cacheWrite: 3, output: 9 }),
    );
    expect(anthropicMessages.readEvent({ type: 'message_stop' }).terminal).toBe(true);
    expect(anthropicMessages.renderStreamError(denial, 'events')).toMatch(
      /^event: error\ndata: \{"type":"error".*\}\n\n$/,
    );
  });
});

describe('openai-responses', () => {
  test('each delta belongs to a text of one kind and place; what is no delta is complete', () => {
    const read = (event: object) => continuing(openaiResponses.readEvent(event));
    const place = { item_id: 'msg_1', output_index: 1, content_index: 2, sequence_number: 4, obfuscation: 'xyz' };
    expect(read({ type: 'response.output_text.delta', ...place, delta: 'a', logprobs: [{ token: 'a' }] })).toEqual([
      { channel: 'texts.response.output_text.delta.', text: 'a', path: ['delta'], isKey: false },
    ]);
    expect(read({ type: 'response.function_call_arguments.delta', ...place, delta: '{"' })).toMatchObject([
      { text: '{"', isJson: true },
    ]);
    expect(read({ type: 'response.output_text.done', text: 'a' })).toBe('complete');
    expect(read({ type: 'response.tomorrow', text: 'a' })).toBe('complete');
  });

  test('a break-off goes on with the numbers of the events', () => {
    expect(openaiResponses.readEvent({ type: 'response.output_text.delta', sequence_number: 4 }).sequence).toBe(4);
    expect(openaiResponses.readEvent({ type: 'response.output_text.done', sequence_number: 5 }).sequence).toBe(5);
    const event = openaiResponses.renderStreamError(denial, 'events');
    expect(JSON.parse(event.slice(event.indexOf('{')))).toMatchObject({ type: 'error', sequence_number: 5 });
  });

  test('the last event tells the usage and ends the stream', () => {
    const usage = { input_tokens: 9, input_tokens_details: { cached_tokens: 4 }, output_tokens: 7, total_tokens: 16 };
    const reasoning = { output_tokens_details: { reasoning_tokens: 5 } };
    const response = { model: 'm', usage: { ...usage, ...reasoning } };
    const reading = openaiResponses.readEvent({ type: 'response.completed', response });
    expect(reading).toMatchObject({
      terminal: true,
      usage: { model: 'm', inputTokens: 9, cachedInputTokens: 4, outputTokens: 7, reasoningTokens: 5, totalTokens: 16 },
    });
    expect(openaiResponses.readEvent({ type: 'response.created', response: { usage: null } }).usage).toBeUndefined();
  });

  test.each([
    [{ input: 'hi' }, ['user']],
    [{ input: [{ role: 'developer' }, { type: 'message', role: 'user' }] }, ['developer', 'user']],
    [
      { input: [{ type: 'function_call' }, { type: 'function_call_output' }, { type: 'reasoning' }] },
      ['assistant', 'tool', 'assistant'],
    ],
    [{ input: 'on', previous_response_id: 'r' }, ['assistant', 'user']],
    [{ prompt: { id: 'p' } }, []],
    [{ input: 'on', previous_response_id: null }, ['user']],
    [{}, undefined],
  ])('%j has the roles %j', (body, roles) => expect(openaiResponses.readRoles(body)).toEqual(roles));
});

describe('gemini', () => {
  const event = {
    candidates: [
      {
        index: 0,
        content: { role: 'model', parts: [{ text: 'a' }, { thought: true, text: 'b' }] },
        finishReason: 'STOP',
      },
      { index: 1, content: { parts: [{ functionCall: { name: 'f', args: { x: 'c' } } }, { text: 'd' }] } },
    ],
    modelVersion: 'gemini-2.5-flash',
    usageMetadata: {
      promptTokenCount: 10,
      cachedContentTokenCount: 4,
      candidatesTokenCount: 3,
      thoughtsTokenCount: 2,
      totalTokenCount: 15,
    },
  };

  test('what each candidate says, thinks and calls are channels', () => {
    expect(continuing(gemini.readEvent(event))).toMatchObject([
      { channel: 'candidate0.part.text', text: 'a', path: ['candidates', 0, 'content', 'parts', 0, 'text'] },
      { channel: 'candidate0.thought.text', text: 'b' },
      { channel: 'candidate1.part.functionCall.args.x', text: 'c' },
      { channel: 'candidate1.part.text', text: 'd', path: ['candidates', 1, 'content', 'parts', 1, 'text'] },
    ]);
  });

  test('usage tells what was thought within the output', () => {
    expect(gemini.readEvent(event)).toMatchObject({
      terminal: false,
      usage: { inputTokens: 10, cachedInputTokens: 4, outputTokens: 5, reasoningTokens: 2, totalTokens: 15 },
    });
  });

  test('the model stands in the path, and the roles in the contents', () => {
    expect(gemini.readModel({}, '/v1beta/models/gemini-2.5-flash:generateContent')).toBe('gemini-2.5-flash');
    const contents = [{ parts: [] }, { role: 'model', parts: [] }, { parts: [{ functionResponse: { name: 'f' } }] }];
    expect(gemini.readRoles({ contents })).toEqual(['user', 'assistant', 'tool']);
  });

  test('a stream is broken off as an event, or as the last member of its list', () => {
    const error = { code: 403, status: 'PERMISSION_DENIED', message: denial.text };
    expect(JSON.parse(gemini.renderStreamError(denial, 'events').slice(6))).toMatchObject({ error });
    const list = `[{}${gemini.renderStreamError(denial, 'list')}`;
    expect(JSON.parse(list)).toMatchObject([{}, { error }]);
  });

  test('a stream that is broken off says so to clients that know no errors there', () => {
    const last = (code: RenderedDenial['code']): unknown =>
      JSON.parse(gemini.renderStreamError({ ...denial, code }, 'events').slice(6));
    const candidate = { finishMessage: denial.text, content: { parts: [] } };
    expect(last('POLICY_VIOLATION')).toMatchObject({ candidates: [{ ...candidate, finishReason: 'SAFETY' }] });
    expect(last('BAD_GATEWAY')).toMatchObject({ candidates: [{ ...candidate, finishReason: 'OTHER' }] });
  });
});

test('completions of several choices are channels, without the tokens they are made of', () => {
  const choices = [{ index: 1, text: 'a', logprobs: { tokens: ['a'] }, finish_reason: null }];
  expect(continuing(openaiCompletions.readEvent({ choices }))).toMatchObject([
    { channel: 'choice1.text', text: 'a', path: ['choices', 0, 'text'] },
  ]);
});

test('vectors are no texts', () => {
  const answer = (embedding: unknown) => ({ data: [{ index: 0, embedding, note: 'x' }], model: 'm' });
  const without = { data: [{ index: 0, note: 'x' }], model: 'm' };
  expect(openaiEmbeddings.readable?.(answer('AAAA'.repeat(100)))).toEqual(without);
  expect(openaiEmbeddings.readable?.(answer([0.5, -1]))).toEqual(without);
  for (const text of ['AAAA', 'a b '.repeat(100), [0.5, 'a'], {}])
    expect(openaiEmbeddings.readable?.(answer(text))).toEqual(answer(text));
});

test('mcp messages are complete in themselves', () => {
  expect(mcp.readEvent({ jsonrpc: '2.0', id: 1, result: {} })).toEqual({
    texts: 'complete',
    usage: undefined,
    terminal: false,
  });
});

test('an event that is not JSON is read as the text it is', () => {
  expect(anyJson.readEvent('plain').texts).toMatchObject([{ channel: 'event.', text: 'plain' }]);
  expect(openaiChat.readEvent('plain').texts).toMatchObject([{ channel: 'raw.', text: 'plain' }]);
});
