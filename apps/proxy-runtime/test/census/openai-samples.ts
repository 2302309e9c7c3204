import type { Json } from '@portcullis/testkit/json-leaves';
import type { Sample } from './sample.ts';

const schema = {
  type: 'object',
  description: 'd',
  properties: { city: { type: 'string', description: 'd', enum: ['a'], default: 'b', pattern: 'p' } },
  required: ['city'],
};
const functionTool = { type: 'function', function: { name: 'f', description: 'd', parameters: schema, strict: false } };
const grammar = { type: 'grammar', grammar: { syntax: 'lark', definition: 'g' } };
const usage = { prompt_tokens: 5, completion_tokens: 2, total_tokens: 7 };
const tokens = [{ token: 'a', bytes: [97], logprob: -1, top_logprobs: [{ token: 'b', bytes: null, logprob: -1 }] }];
const logprobs = { content: tokens, refusal: tokens };
const annotation = { type: 'url_citation', url_citation: { url: 'u', title: 't', start_index: 0, end_index: 1 } };

const choice = (index: number) => ({
  index,
  message: {
    role: 'assistant',
    content: 'a',
    refusal: 'r',
    reasoning: 'why',
    reasoning_content: 'why',
    annotations: [annotation],
    audio: { id: 'a1', data: 'AAAA', transcript: 't', expires_at: 1 },
    function_call: { name: 'f', arguments: '{"a":"b"}' },
    tool_calls: [
      { id: 't1', type: 'function', function: { name: 'f', arguments: '{"a":"b"}' } },
      { id: 't2', type: 'custom', custom: { name: 'c', input: 'i' } },
    ],
  },
  logprobs,
  finish_reason: 'stop',
});

const chunk = { id: 'c1', object: 'chat.completion.chunk', created: 1, model: 'm', system_fingerprint: 'fp' };
const delta = (index: number, said: { readonly [key: string]: Json }) => ({
  index,
  delta: said,
  logprobs: null,
  finish_reason: null,
});
const call = (index: number) => ({ index, id: 't', type: 'function', function: { name: 'f', arguments: '{' } });

const contents = [
  { type: 'text', text: 'hi' },
  { type: 'image_url', image_url: { url: 'https://a.example/i.png', detail: 'auto' } },
  { type: 'input_audio', input_audio: { data: 'AAAA', format: 'wav' } },
  { type: 'file', file: { file_id: 'f1', filename: 'f.txt', file_data: 'x' } },
];

const chat: Sample = {
  name: 'OpenAI chat',
  path: '/v1/chat/completions',
  request: {
    model: 'm',
    n: 2,
    messages: [
      { role: 'system', content: 's', name: 'n' },
      { role: 'developer', content: [{ type: 'text', text: 'd' }] },
      { role: 'user', content: contents, name: 'u' },
      {
        role: 'assistant',
        content: [
          { type: 'text', text: 'a' },
          { type: 'refusal', refusal: 'r' },
        ],
        refusal: 'r',
        audio: { id: 'a1' },
        function_call: { name: 'f', arguments: '{"a":"b"}' },
        tool_calls: choice(0).message.tool_calls,
      },
      { role: 'tool', tool_call_id: 't1', content: [{ type: 'text', text: 'result' }] },
      { role: 'function', name: 'f', content: 'result' },
    ],
    tools: [functionTool, { type: 'custom', custom: { name: 'c', description: 'd', format: grammar } }],
    functions: [{ name: 'f', description: 'd', parameters: schema }],
    tool_choice: { type: 'function', function: { name: 'f' } },
    response_format: { type: 'json_schema', json_schema: { name: 'j', description: 'd', schema, strict: true } },
    prediction: { type: 'content', content: [{ type: 'text', text: 'p' }] },
    web_search_options: { user_location: { type: 'approximate', approximate: { city: 'c', country: 'CH' } } },
    modalities: ['text', 'audio'],
    audio: { voice: 'v', format: 'wav' },
    metadata: { k: 'v' },
    stop: ['s'],
    user: 'u',
    safety_identifier: 's',
    prompt_cache_key: 'k',
    reasoning_effort: 'low',
    verbosity: 'low',
    service_tier: 'auto',
  },
  asStream: { stream: true, stream_options: { include_usage: true } },
  forms: ['server-sent events', 'lines'],
  whole: {
    id: 'c1',
    object: 'chat.completion',
    model: 'm',
    system_fingerprint: 'fp',
    service_tier: 'default',
    choices: [choice(0), choice(1)],
    citations: ['https://a.example'],
    usage,
  },
  events: [
    [undefined, { ...chunk, choices: [delta(0, { role: 'assistant', content: 'a' }), delta(1, { content: 'b' })] }],
    [undefined, { ...chunk, choices: [delta(0, { refusal: 'r', reasoning: 'w', reasoning_content: 'w' })] }],
    [undefined, { ...chunk, choices: [delta(0, { tool_calls: [call(0), call(1)] })] }],
    [undefined, { ...chunk, choices: [delta(1, { function_call: { name: 'f', arguments: '{' } })] }],
    [undefined, { ...chunk, choices: [delta(0, { audio: { id: 'a1', data: 'AAAA', transcript: 't' } })] }],
    [undefined, { ...chunk, choices: [{ ...delta(0, { annotations: [annotation] }), logprobs }], citations: ['u'] }],
    [undefined, { ...chunk, choices: [{ index: 0, delta: {}, finish_reason: 'stop' }], obfuscation: 'x' }],
    [undefined, { ...chunk, choices: [], usage, service_tier: 'default' }],
  ],
  channels: [
    [0, ['choices', 0, 'delta', 'content']],
    [0, ['choices', 1, 'delta', 'content']],
    [1, ['choices', 0, 'delta', 'refusal']],
    [1, ['choices', 0, 'delta', 'reasoning']],
    [1, ['choices', 0, 'delta', 'reasoning_content']],
    [2, ['choices', 0, 'delta', 'tool_calls', 0, 'function', 'arguments']],
    [2, ['choices', 0, 'delta', 'tool_calls', 1, 'function', 'arguments']],
    [3, ['choices', 0, 'delta', 'function_call', 'arguments']],
    [4, ['choices', 0, 'delta', 'audio', 'transcript']],
  ],
  apart: [
    [0, ['choices', 0, 'delta', 'content']],
    [0, ['choices', 1, 'delta', 'content']],
  ],
};

const completion = (index: number) => ({
  index,
  text: 'a',
  logprobs: { tokens: ['a'], token_logprobs: [-1], top_logprobs: [{ a: -1 }], text_offset: [0] },
  finish_reason: 'stop',
});

const completions: Sample = {
  name: 'OpenAI completions',
  path: '/v1/completions',
  request: { model: 'm', prompt: ['hi', 'there'], suffix: 's', stop: ['s'], user: 'u', n: 2 },
  asStream: { stream: true, stream_options: { include_usage: true } },
  whole: { id: 'c', object: 'text_completion', model: 'm', choices: [completion(0), completion(1)], usage },
  events: [
    [undefined, { id: 'c', model: 'm', choices: [completion(0), completion(1)] }],
    [undefined, { id: 'c', model: 'm', choices: [], usage }],
  ],
  channels: [
    [0, ['choices', 0, 'text']],
    [0, ['choices', 1, 'text']],
  ],
  apart: [
    [0, ['choices', 0, 'text']],
    [0, ['choices', 1, 'text']],
  ],
};

const embeddings: Sample = {
  name: 'OpenAI embeddings',
  path: '/v1/embeddings',
  request: { model: 'm', input: ['hi', 'there'], encoding_format: 'float', user: 'u' },
  whole: {
    object: 'list',
    model: 'm',
    data: [
      { object: 'embedding', index: 0, embedding: [0.1] },
      { object: 'embedding', index: 1, embedding: 'AAAA' },
    ],
    usage: { prompt_tokens: 1, total_tokens: 1 },
  },
};

const place = { item_id: 'i', output_index: 0, content_index: 0, sequence_number: 1 };
const summary = { item_id: 'i', output_index: 0, summary_index: 0, sequence_number: 1 };
const said = { type: 'output_text', text: 'a', annotations: [{ type: 'file_citation', file_id: 'f', filename: 'n' }] };
const items = [
  {
    id: 'i',
    type: 'message',
    role: 'assistant',
    status: 'completed',
    content: [said, { type: 'refusal', refusal: 'r' }],
  },
  { id: 'r', type: 'reasoning', summary: [{ type: 'summary_text', text: 's' }], encrypted_content: 'e' },
  { id: 'f', type: 'function_call', call_id: 'c', name: 'f', arguments: '{"a":"b"}', status: 'completed' },
  { id: 'u', type: 'custom_tool_call', call_id: 'c', name: 'c', input: 'i' },
  { id: 'w', type: 'web_search_call', action: { type: 'search', query: 'q', sources: [{ type: 'url', url: 'u' }] } },
  { id: 's', type: 'file_search_call', queries: ['q'], results: [{ file_id: 'f', filename: 'n', text: 't' }] },
  { id: 'c', type: 'code_interpreter_call', code: 'c', container_id: 'k', outputs: [{ type: 'logs', logs: 'l' }] },
  {
    id: 'p',
    type: 'computer_call',
    call_id: 'c',
    action: { type: 'type', text: 't' },
    pending_safety_checks: [{ id: 's', code: 'c', message: 'm' }],
  },
  { id: 'g', type: 'image_generation_call', result: 'AAAA', revised_prompt: 'p' },
  { id: 'm', type: 'mcp_call', name: 'n', server_label: 's', arguments: '{}', output: 'o', error: 'e' },
  {
    id: 'l',
    type: 'mcp_list_tools',
    server_label: 's',
    tools: [{ name: 'n', description: 'd', input_schema: schema }],
  },
  { id: 'a', type: 'mcp_approval_request', name: 'n', server_label: 's', arguments: '{}' },
  { id: 'h', type: 'local_shell_call', call_id: 'c', action: { type: 'exec', command: ['ls'], env: { K: 'v' } } },
  { id: 'x', type: 'apply_patch_call', call_id: 'c', operation: { type: 'create_file', path: 'p', diff: 'd' } },
];
const response = { id: 'r', object: 'response', status: 'completed', model: 'm', output: items };
const event = (type: string, data: object): readonly [string, never] => [type, { type, ...data } as never];

const responses: Sample = {
  name: 'OpenAI responses',
  path: '/v1/responses',
  request: {
    model: 'm',
    instructions: 'i',
    input: [
      {
        role: 'user',
        content: [
          { type: 'input_text', text: 'hi' },
          { type: 'input_image', image_url: 'https://a.example/i.png', detail: 'auto', file_id: 'f' },
          { type: 'input_file', filename: 'f.txt', file_data: 'x', file_id: 'f', file_url: 'https://a.example' },
          { type: 'input_audio', input_audio: { data: 'AAAA', format: 'wav' } },
        ],
      },
      { role: 'developer', content: 'd' },
      ...items,
      { type: 'function_call_output', call_id: 'c', output: 'o' },
      { type: 'custom_tool_call_output', call_id: 'c', output: [{ type: 'input_text', text: 'o' }] },
      { type: 'computer_call_output', call_id: 'c', output: { type: 'computer_screenshot', image_url: 'u' } },
      { type: 'mcp_approval_response', approval_request_id: 'a', approve: true, reason: 'r' },
      { type: 'item_reference', id: 'i' },
    ],
    tools: [
      { type: 'function', name: 'f', description: 'd', parameters: schema, strict: false },
      { type: 'custom', name: 'c', description: 'd', format: { type: 'grammar', syntax: 'lark', definition: 'g' } },
      {
        type: 'mcp',
        server_label: 's',
        server_url: 'https://a.example',
        server_description: 'd',
        headers: { k: 'v' },
        authorization: 'a',
        allowed_tools: ['t'],
      },
      { type: 'file_search', vector_store_ids: ['v'], filters: { type: 'eq', key: 'k', value: 'v' } },
      {
        type: 'web_search',
        filters: { allowed_domains: ['a.example'] },
        user_location: { type: 'approximate', city: 'c' },
      },
    ],
    tool_choice: { type: 'function', name: 'f' },
    text: { format: { type: 'json_schema', name: 'j', description: 'd', schema }, verbosity: 'low' },
    reasoning: { effort: 'low', summary: 'auto' },
    prompt: { id: 'p', version: '1', variables: { v: 'x', f: { type: 'input_text', text: 't' } } },
    metadata: { k: 'v' },
    include: ['x'],
    previous_response_id: 'p',
    user: 'u',
    truncation: 'auto',
  },
  asStream: { stream: true },
  whole: {
    ...response,
    instructions: 'i',
    error: { code: 'c', message: 'm' },
    incomplete_details: { reason: 'r' },
    metadata: { k: 'v' },
    text: { format: { type: 'text' } },
    tools: [{ type: 'function', name: 'f', description: 'd', parameters: schema }],
    output_text: 'a',
    usage: { input_tokens: 1, output_tokens: 1, total_tokens: 2 },
  },
  events: [
    event('response.created', { response: { ...response, instructions: 'i', metadata: { k: 'v' }, output: [] } }),
    ...items.map((item) => event('response.output_item.added', { output_index: 0, item, sequence_number: 2 })),
    event('response.content_part.added', { ...place, part: said }),
    event('response.output_text.delta', {
      ...place,
      delta: 'a',
      logprobs: [{ token: 'a', top_logprobs: [{ token: 'b' }] }],
      obfuscation: 'x',
    }),
    event('response.output_text.done', { ...place, text: 'a' }),
    event('response.output_text.annotation.added', {
      ...place,
      annotation: { type: 'url_citation', url: 'u', title: 't' },
    }),
    event('response.refusal.delta', { ...place, delta: 'r' }),
    event('response.function_call_arguments.delta', { ...place, delta: '{' }),
    event('response.function_call_arguments.done', { ...place, name: 'f', arguments: '{}' }),
    event('response.custom_tool_call_input.delta', { ...place, delta: 'i' }),
    event('response.mcp_call_arguments.delta', { ...place, delta: '{' }),
    event('response.code_interpreter_call_code.delta', { ...place, delta: 'c' }),
    event('response.reasoning_text.delta', { ...place, delta: 't' }),
    event('response.reasoning_summary_text.delta', { ...summary, delta: 's' }),
    event('response.audio.transcript.delta', { sequence_number: 3, delta: 't' }),
    event('response.image_generation_call.partial_image', { ...place, partial_image_b64: 'AAAA' }),
    event('response.completed', { response }),
  ],
};

/** The events that bring pieces, and where clients put them. */
const pieces: readonly string[] =
  responses.events?.flatMap(([name], index) => (name?.endsWith('.delta') ? [String(index)] : [])) ?? [];

export const openaiSamples: readonly Sample[] = [
  chat,
  completions,
  embeddings,
  {
    name: 'OpenAI responses that fail',
    path: responses.path,
    request: { model: 'm', input: 'hi' },
    asStream: { stream: true },
    whole: { error: { code: 'c', message: 'm', param: 'p', type: 't' } },
    events: [event('error', { code: 'c', message: 'm', param: 'p', sequence_number: 4 })],
  },
  { ...responses, channels: pieces.map((index) => [Number(index), ['delta']]) },
  {
    name: 'OpenAI batches',
    path: '/v1/batches',
    request: { input_file_id: 'f', endpoint: '/v1/chat/completions', completion_window: '24h', metadata: { k: 'v' } },
    whole: {
      id: 'b',
      object: 'batch',
      endpoint: 'e',
      errors: { data: [{ code: 'c', message: 'm', param: 'p' }] },
      input_file_id: 'f',
      metadata: { k: 'v' },
    },
  },
  {
    ...responses,
    name: 'OpenAI responses, counted',
    path: '/v1/responses/input_tokens',
    whole: { object: 'response.input_tokens', input_tokens: 1 },
    events: [],
  },
  { ...responses, name: 'OpenAI responses, made shorter', path: '/v1/responses/compact', events: [] },
  {
    name: 'OpenAI responses, kept',
    path: '/v1/responses/resp_1',
    request: {},
    whole: responses.whole,
    ...(responses.events && { events: responses.events }),
  },
  {
    name: 'OpenAI chat, kept',
    path: '/v1/chat/completions/c1/messages',
    request: {},
    whole: {
      object: 'list',
      data: [
        { id: 'm', role: 'system', content: 's' },
        { id: 'n', role: 'user', content: 'u', content_parts: [{ type: 'text', text: 't' }] },
      ],
      first_id: 'm',
      last_id: 'n',
    },
  },
];
