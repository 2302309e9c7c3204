import type { ServerResponse } from 'node:http';
import { once } from 'node:events';
import { request as openRequest, type IncomingMessage } from 'node:http';
import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { property } from '@portcullis/core/json/json-value';
import { doorsPolicy, forbidden } from './stream-block-policy.ts';
import { goodKey, listen, startProxy } from './start-proxy.ts';

type Json = null | boolean | number | string | Json[] | { [key: string]: Json };

/** A dialect with every place of its answers in it. */
interface Sample {
  readonly path: string;
  readonly body: object;
  readonly type?: 'mcp';
  readonly whole: Json;
  /** Data of the events of a stream, with their names. */
  readonly events: readonly (readonly [name: string | undefined, data: Json])[];
  /** Where pieces of events are put together by clients, as paths into the data of one event. */
  readonly deltas: readonly (readonly [event: number, path: readonly (string | number)[]])[];
}

const usage = { prompt_tokens: 5, completion_tokens: 2, total_tokens: 7 };
const messages = [{ role: 'user', content: 'hi' }];
const chunk = { id: 'c1', object: 'chat.completion.chunk', created: 1, model: 'm', system_fingerprint: 'fp' };
const logprobs = { content: [{ token: 'a', bytes: [97], top_logprobs: [{ token: 'b' }] }], refusal: null };
const block = { type: 'content_block_delta', index: 0 };
const item = { item_id: 'i', output_index: 0, content_index: 0, sequence_number: 1 };
const candidate = { index: 0, content: { role: 'model', parts: [{ text: 'a' }, { text: 'b', thought: true }] } };

const samples: Readonly<Record<string, Sample>> = {
  'OpenAI chat': {
    path: '/v1/chat/completions',
    body: { model: 'm', stream: true, messages },
    whole: {
      ...chunk,
      choices: [
        {
          index: 0,
          message: {
            role: 'assistant',
            content: 'a',
            refusal: null,
            annotations: [{ type: 'url_citation', url_citation: { url: 'u', title: 't' } }],
            tool_calls: [{ id: 't', type: 'function', function: { name: 'f', arguments: '{"a":1}' } }],
          },
          logprobs,
          finish_reason: 'stop',
        },
      ],
      citations: ['https://a.example'],
      usage,
    },
    events: [
      [undefined, { ...chunk, choices: [{ index: 0, delta: { role: 'assistant', content: 'a' }, logprobs }] }],
      [
        undefined,
        {
          ...chunk,
          choices: [
            { index: 0, delta: { tool_calls: [{ index: 0, id: 't', function: { name: 'f', arguments: '{' } }] } },
          ],
          citations: ['u'],
        },
      ],
      [undefined, { ...chunk, choices: [{ index: 0, delta: {}, finish_reason: 'stop', extra: { a: 'b' } }] }],
      [undefined, { ...chunk, choices: [], usage, obfuscation: 'x' }],
    ],
    deltas: [
      [0, ['choices', 0, 'delta', 'content']],
      [1, ['choices', 0, 'delta', 'tool_calls', 0, 'function', 'arguments']],
    ],
  },
  'OpenAI completions': {
    path: '/v1/completions',
    body: { model: 'm', stream: true, prompt: 'hi' },
    whole: {
      id: 'c',
      model: 'm',
      choices: [{ index: 0, text: 'a', logprobs: { tokens: ['a'] }, finish_reason: 'stop' }],
    },
    events: [[undefined, { id: 'c', model: 'm', choices: [{ index: 0, text: 'a', logprobs: { tokens: ['a'] } }] }]],
    deltas: [[0, ['choices', 0, 'text']]],
  },
  'OpenAI responses': {
    path: '/v1/responses',
    body: { model: 'm', stream: true, input: 'hi' },
    whole: {
      id: 'r',
      model: 'm',
      output: [{ id: 'i', type: 'message', content: [{ type: 'output_text', text: 'a' }] }],
    },
    events: [
      ['response.created', { type: 'response.created', response: { id: 'r', output: [] } }],
      [
        'response.output_text.delta',
        { type: 'response.output_text.delta', ...item, delta: 'a', logprobs: [{ token: 'a' }] },
      ],
      [
        'response.function_call_arguments.delta',
        { type: 'response.function_call_arguments.delta', ...item, delta: '{' },
      ],
      ['response.completed', { type: 'response.completed', response: { id: 'r', output: [] } }],
    ],
    deltas: [
      [1, ['delta']],
      [2, ['delta']],
    ],
  },
  'Anthropic messages': {
    path: '/v1/messages',
    body: { model: 'm', stream: true, max_tokens: 9, messages },
    whole: {
      id: 'm',
      type: 'message',
      role: 'assistant',
      content: [{ type: 'text', text: 'a', citations: [{ cited_text: 'c' }] }],
    },
    events: [
      [
        'message_start',
        { type: 'message_start', message: { id: 'm', model: 'm', content: [], usage: { input_tokens: 1 } } },
      ],
      ['content_block_start', { type: 'content_block_start', index: 0, content_block: { type: 'text', text: '' } }],
      ['ping', { type: 'ping' }],
      ['content_block_delta', { ...block, delta: { type: 'text_delta', text: 'a' } }],
      ['content_block_delta', { ...block, delta: { type: 'input_json_delta', partial_json: '{' } }],
      ['content_block_delta', { ...block, delta: { type: 'citations_delta', citation: { cited_text: 'c' } } }],
      ['content_block_stop', { type: 'content_block_stop', index: 0 }],
      ['message_delta', { type: 'message_delta', delta: { stop_reason: 'end_turn' }, usage: { output_tokens: 1 } }],
      ['message_stop', { type: 'message_stop' }],
    ],
    deltas: [
      [3, ['delta', 'text']],
      [4, ['delta', 'partial_json']],
    ],
  },
  Gemini: {
    path: '/v1beta/models/m:streamGenerateContent?alt=sse',
    body: { contents: [{ parts: [{ text: 'hi' }] }] },
    whole: {
      candidates: [{ ...candidate, finishReason: 'STOP', safetyRatings: [{ category: 'c' }] }],
      modelVersion: 'm',
      responseId: 'r',
      promptFeedback: { blockReason: 'b' },
    },
    events: [
      [
        undefined,
        {
          candidates: [{ ...candidate, finishReason: 'STOP', finishMessage: 'm', groundingMetadata: { a: ['b'] } }],
          modelVersion: 'm',
          responseId: 'r',
        },
      ],
      [undefined, { candidates: [{ content: { parts: [{ functionCall: { name: 'f', args: { a: 'b' } } }] } }] }],
    ],
    deltas: [[0, ['candidates', 0, 'content', 'parts', 0, 'text']]],
  },
  'Bedrock Converse': {
    path: '/model/m/converse-stream',
    body: { messages: [{ role: 'user', content: [{ text: 'hi' }] }] },
    whole: {
      output: {
        message: { role: 'assistant', content: [{ text: 'a' }, { toolUse: { name: 'f', input: { a: 'b' } } }] },
      },
      stopReason: 'end_turn',
      usage: { inputTokens: 1, outputTokens: 1, totalTokens: 2 },
      trace: { guardrail: { modelOutput: ['a'] } },
    },
    events: [
      [undefined, { messageStart: { role: 'assistant', p: 'abc' } }],
      [undefined, { contentBlockStart: { contentBlockIndex: 1, start: { toolUse: { toolUseId: 't', name: 'f' } } } }],
      [undefined, { contentBlockDelta: { contentBlockIndex: 0, delta: { text: 'a' }, p: 'abc' } }],
      [undefined, { contentBlockDelta: { contentBlockIndex: 1, delta: { toolUse: { input: '{' } } } }],
      [undefined, { contentBlockDelta: { contentBlockIndex: 2, delta: { reasoningContent: { text: 'a' } } } }],
      [undefined, { contentBlockDelta: { contentBlockIndex: 2, delta: { reasoningContent: { signature: 's' } } } }],
      [undefined, { messageStop: { stopReason: 'end_turn' } }],
      [undefined, { metadata: { usage: { inputTokens: 1 }, performanceConfig: { latency: 'standard' } } }],
    ],
    deltas: [
      [2, ['contentBlockDelta', 'delta', 'text']],
      [3, ['contentBlockDelta', 'delta', 'toolUse', 'input']],
      [4, ['contentBlockDelta', 'delta', 'reasoningContent', 'text']],
    ],
  },
  'Ollama chat': {
    path: '/api/chat',
    body: { model: 'm', messages },
    whole: { model: 'm', message: { role: 'assistant', content: 'a', thinking: 'b' }, done: true, done_reason: 'stop' },
    events: [
      [undefined, { model: 'm', message: { role: 'assistant', content: 'a' }, done: false }],
      [undefined, { model: 'm', message: { role: 'assistant', content: '', thinking: 'b' }, done: false }],
      [
        undefined,
        { message: { content: '', tool_calls: [{ function: { name: 'f', arguments: { a: 'b' } } }] }, done: false },
      ],
      [undefined, { model: 'm', message: { role: 'assistant', content: '' }, done: false, eval_count: 1 }],
    ],
    deltas: [
      [0, ['message', 'content']],
      [1, ['message', 'thinking']],
    ],
  },
  'Ollama generate': {
    path: '/api/generate',
    body: { model: 'm', prompt: 'hi' },
    whole: { model: 'm', response: 'a', done: true },
    events: [
      [undefined, { model: 'm', response: 'a', done: false }],
      [undefined, { model: 'm', response: '', thinking: 'b', done: false }],
    ],
    deltas: [
      [0, ['response']],
      [1, ['thinking']],
    ],
  },
  'Cohere chat': {
    path: '/v2/chat',
    body: { model: 'm', stream: true, messages },
    whole: {
      id: 'i',
      finish_reason: 'COMPLETE',
      message: { role: 'assistant', content: [{ type: 'text', text: 'a' }], citations: [{ text: 'c' }] },
    },
    events: [
      ['message-start', { type: 'message-start', id: 'i', delta: { message: { role: 'assistant' } } }],
      [
        'content-start',
        { type: 'content-start', index: 0, delta: { message: { content: { type: 'text', text: '' } } } },
      ],
      ['content-delta', { type: 'content-delta', index: 0, delta: { message: { content: { text: 'a' } } } }],
      ['tool-plan-delta', { type: 'tool-plan-delta', delta: { message: { tool_plan: 'a' } } }],
      [
        'tool-call-delta',
        { type: 'tool-call-delta', index: 0, delta: { message: { tool_calls: { function: { arguments: '{' } } } } },
      ],
      ['citation-start', { type: 'citation-start', index: 0, delta: { message: { citations: { text: 'c' } } } }],
    ],
    deltas: [
      [2, ['delta', 'message', 'content', 'text']],
      [3, ['delta', 'message', 'tool_plan']],
      [4, ['delta', 'message', 'tool_calls', 'function', 'arguments']],
    ],
  },
  'Gemini interactions': {
    path: '/v1beta/interactions',
    body: { model: 'm', stream: true, input: 'hi' },
    whole: { id: 'i', model: 'm', steps: [{ type: 'model_output', content: [{ type: 'text', text: 'a' }] }] },
    events: [
      ['interaction.created', { event_type: 'interaction.created', interaction: { id: 'i', status: 'in_progress' } }],
      ['step.start', { event_type: 'step.start', index: 0, step: { type: 'model_output' } }],
      ['step.delta', { event_type: 'step.delta', index: 0, delta: { type: 'text', text: 'a' } }],
      ['step.delta', { event_type: 'step.delta', index: 1, delta: { type: 'arguments_delta', arguments: '{' } }],
      ['step.stop', { event_type: 'step.stop', index: 0 }],
    ],
    deltas: [
      [2, ['delta', 'text']],
      [3, ['delta', 'arguments']],
    ],
  },
  'a run of an assistant': {
    path: '/v1/threads/runs',
    body: { assistant_id: 'a', stream: true, thread: { messages } },
    whole: { id: 'r', object: 'thread.run', status: 'queued', instructions: 'a', tools: [] },
    events: [
      ['thread.run.created', { id: 'r', object: 'thread.run', instructions: 'a' }],
      [
        'thread.message.delta',
        {
          id: 'm',
          object: 'thread.message.delta',
          delta: { content: [{ index: 0, type: 'text', text: { value: 'a' } }] },
        },
      ],
      [
        'thread.message.completed',
        { id: 'm', object: 'thread.message', content: [{ type: 'text', text: { value: 'a' } }] },
      ],
    ],
    deltas: [[1, ['delta', 'content', 0, 'text', 'value']]],
  },
  'an API that is not known': {
    path: '/api/say',
    body: { stream: true },
    whole: { text: 'a', more: [{ b: 'c' }] },
    events: [[undefined, { text: 'a', id: 'i', more: [{ b: 'c' }] }]],
    deltas: [[0, ['text']]],
  },
  MCP: {
    path: '/mcp',
    type: 'mcp',
    body: { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name: 't' } },
    whole: { jsonrpc: '2.0', id: 1, result: { content: [{ type: 'text', text: 'a' }], structuredContent: { a: 'b' } } },
    events: [
      ['message', { jsonrpc: '2.0', method: 'notifications/message', params: { data: 'd' } }],
      ['message', { jsonrpc: '2.0', id: 1, result: { content: [{ type: 'text', text: 'a' }] } }],
    ],
    deltas: [],
  },
};

/** An answer as a target sends it. */
interface Answer {
  readonly type: string | undefined;
  readonly bytes: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly trailers?: Readonly<Record<string, string>>;
}

let answer: Answer;

const respond = (response: ServerResponse): void => {
  const { type, bytes, headers, trailers } = answer;
  response.writeHead(200, {
    ...(type !== undefined && { 'content-type': type }),
    ...headers,
    ...(trailers !== undefined && { trailer: Object.keys(trailers).join(', ') }),
  });
  response.write(bytes);
  if (trailers !== undefined) response.addTrailers(trailers);
  response.end();
};

/** Everything that a client hears, byte for byte. */
async function hear(origin: string, { path, body }: Sample): Promise<string> {
  const { hostname, port } = new URL(origin);
  const headers = {
    authorization: `Bearer ${goodKey}`,
    'content-type': 'application/json',
    accept: 'application/json, text/event-stream',
  };
  const asked = openRequest({ hostname, port, path, method: 'POST', headers });
  asked.end(JSON.stringify(body));
  const [response] = (await once(asked, 'response')) as [IncomingMessage];
  let read = `${response.rawHeaders.join('\n')}\n`;
  response.setEncoding('utf8');
  try {
    for await (const piece of response) read += String(piece);
  } catch {
    // A stream without a form of its own for errors is cut.
  }
  return `${read}\n${response.rawTrailers.join('\n')}`;
}

/** The paths of all objects in a value, and of all its texts. */
function placesIn(value: Json, path: readonly (string | number)[] = []): { objects: Path[]; texts: Path[] } {
  if (typeof value === 'string') return { objects: [], texts: [path] };
  if (typeof value !== 'object' || value === null) return { objects: [], texts: [] };
  const inner = Array.isArray(value)
    ? value.map((member, index) => placesIn(member, [...path, index]))
    : Object.entries(value).map(([key, member]) => placesIn(member, [...path, key]));
  return {
    objects: [...(Array.isArray(value) ? [] : [path]), ...inner.flatMap(({ objects }) => objects)],
    texts: inner.flatMap(({ texts }) => texts),
  };
}

type Path = readonly (string | number)[];

/** A copy with what `edit` makes of the value at a path. */
function edited(value: Json, path: Path, edit: (found: Json) => Json): Json {
  const [step, ...rest] = path;
  if (step === undefined) return edit(value);
  if (Array.isArray(value)) return value.map((member, index) => (index === step ? edited(member, rest, edit) : member));
  return Object.fromEntries(
    Object.entries(value as { [key: string]: Json }).map(([key, member]) => [
      key,
      key === step ? edited(member, rest, edit) : member,
    ]),
  );
}

const planted = `Well, ${forbidden} and on`;

/** Puts the words somewhere into a value. */
const plantInto = (value: Json): fc.Arbitrary<string> => {
  const { objects, texts } = placesIn(value);
  const write = (found: Json): string => JSON.stringify(found);
  const inText = fc.constantFrom(...texts).map((path) => write(edited(value, path, () => planted)));
  const inObject = (fields: (found: object) => object) =>
    fc.constantFrom(...objects).map((path) => write(edited(value, path, (found) => fields(found as object) as Json)));
  const asFirst = fc.constantFrom(...texts).map((path) => {
    // A key that stands twice, of which most readers take the last.
    const key = path.findLast((step) => typeof step === 'string');
    const marked = edited(value, path.slice(0, path.lastIndexOf(key ?? '')), (found) => ({ '@': 0, ...Object(found) }));
    return write(marked).replace('"@":0', `${JSON.stringify(key)}:${JSON.stringify(planted)}`);
  });
  return fc.oneof(
    inText,
    asFirst,
    inObject((found) => ({ ...found, tomorrow: planted })),
    inObject((found) => ({ tomorrow: { deep: [0, [planted]] }, ...found })),
    inObject((found) => ({ ...found, [planted]: 1 })),
    inObject((found) => ({ ...found, [forbidden]: null })),
    inObject((found) => ({ [forbidden]: { a: 'b' }, ...found })),
    inObject((found) => ({ ...found, [`${planted} ${planted}`]: 1 })),
  );
};

const frame = (name: string | undefined, data: string, end = '\n'): string =>
  `${name === undefined ? '' : `event: ${name}${end}`}data: ${data}${end}${end}`;

const types = [
  'text/event-stream',
  'text/event-stream; charset=utf-8',
  'text/plain',
  'application/octet-stream',
  'image/png',
  undefined,
];
const lineEnds = ['\n', '\r\n', '\r'];

/** A stream with the words somewhere in one of its events. */
const streams = ({ events, deltas, type: kind }: Sample): fc.Arbitrary<Answer> => {
  const rest = fc.record({
    type: fc.constantFrom(...(kind === 'mcp' ? types.slice(0, 2) : types)),
    end: fc.constantFrom(...lineEnds),
    mark: fc.constantFrom('', '', '\uFEFF'),
    at: fc.nat(events.length - 1),
  });
  const around = (at: number, end: string, event: string): string =>
    events.map(([name, data], index) => (index === at ? event : frame(name, JSON.stringify(data), end))).join('');
  const inData = rest.chain(({ type, end, mark, at }) => {
    const [name, data] = events[at] as Sample['events'][number];
    return plantInto(data).map((source) => ({ type, bytes: mark + around(at, end, frame(name, source, end)) }));
  });
  const inLines = fc
    .tuple(
      rest,
      fc.constantFrom(`: ${planted}`, `event: ${planted}`, `id: ${planted}`, `tomorrow: ${planted}`, planted),
    )
    .map(([{ type, end, mark, at }, line]) => {
      const [name, data] = events[at] as Sample['events'][number];
      const whole = `${line}${end}${frame(name, JSON.stringify(data), end)}`;
      return { type, bytes: mark + around(at, end, whole) };
    });
  const asComment = rest.map(({ type, end, mark, at }) => {
    const [name, data] = events[at] as Sample['events'][number];
    const whole = `: ${planted}${end}${end}${frame(name, JSON.stringify(data), end)}`;
    return { type, bytes: mark + around(at, end, whole) };
  });
  if (deltas.length === 0) return fc.oneof(inData, inLines, asComment);
  const inPieces = fc
    .tuple(rest, fc.constantFrom(...deltas), fc.integer({ min: 1, max: 6 }))
    .map(([{ type, end, mark }, [at, path], length]) => {
      const [name, data] = events[at] as Sample['events'][number];
      const pieces = Array.from({ length: Math.ceil(planted.length / length) }, (_, index) =>
        planted.slice(index * length, (index + 1) * length),
      );
      const split = pieces.map((piece) => frame(name, JSON.stringify(edited(data, path, () => piece)), end)).join('');
      return { type, bytes: mark + around(at, end, split) };
    });
  return fc.oneof(inData, inLines, asComment, inPieces);
};

const wholes = ({ whole }: Sample): fc.Arbitrary<Answer> =>
  fc
    .tuple(
      fc.constantFrom(
        'application/json',
        'text/json',
        'application/problem+json',
        'text/plain',
        'application/octet-stream',
        undefined,
      ),
      fc.constantFrom('', '', '\uFEFF', ' \n'),
      plantInto(whole),
    )
    .map(([type, mark, source]) => ({ type, bytes: mark + source }));

const heads = ({ whole }: Sample): fc.Arbitrary<Answer> =>
  fc.constantFrom('headers', 'trailers', 'name').map((where) => ({
    type: 'application/json',
    bytes: JSON.stringify(whole),
    ...(where === 'headers' && { headers: { 'x-note': planted, etag: 'e' } }),
    ...(where === 'trailers' && { trailers: { 'x-note': planted } }),
    ...(where === 'name' && { headers: { 'content-language': planted } }),
  }));

describe.each(Object.entries(samples))('%s', (_name, sample) => {
  test.each([
    ['a whole answer', wholes, 120],
    ['a stream', streams, 250],
    ['headers and trailers', heads, 12],
  ] as const)('in no place of %s do words leave that are forbidden', async (_what, answers, numRuns) => {
    await using target = await listen((request, response) => {
      request.resume().on('end', () => respond(response));
    });
    await using proxy = await startProxy({
      target: target.origin,
      policies: [doorsPolicy],
      ...(sample.type === 'mcp' && { proxy: { type: 'mcp' } }),
    });
    const attack = async (given: Answer): Promise<void> => {
      answer = given;
      const heard = await hear(proxy.origin, sample);
      expect(heard.replaceAll(/\\u00(?:20|73)/g, ' ').toLowerCase()).not.toContain('sesame');
    };
    await fc.assert(fc.asyncProperty(answers(sample), attack), { numRuns });
  });

  test('a harmless stream and a harmless answer come as they are', async () => {
    await using target = await listen((request, response) => {
      request.resume().on('end', () => respond(response));
    });
    await using proxy = await startProxy({
      target: target.origin,
      policies: [doorsPolicy],
      ...(sample.type === 'mcp' && { proxy: { type: 'mcp' } }),
    });
    // A client that did not ask for the event that tells the usage does not get it.
    const events = sample.events
      .filter(([, data]) => JSON.stringify(property(data, 'choices')) !== '[]')
      .map(([name, data]) => frame(name, JSON.stringify(data)))
      .join('');
    for (const [type, bytes] of [
      ['text/event-stream', `: ping\n\n${events}`],
      ['application/json', JSON.stringify(sample.whole)],
    ] as const) {
      answer = { type, bytes, headers: { 'x-note': 'good morning' } };
      const heard = await hear(proxy.origin, sample);
      expect(heard).toContain(bytes);
      expect(heard).toContain('good morning');
    }
  });
});
