import { otherSamples } from './other-samples.ts';
import { openaiSamples } from './openai-samples.ts';
import type { Sample } from './sample.ts';

const named = (samples: readonly Sample[], path: string): Sample => {
  const found = samples.find((sample) => sample.path === path);
  if (found === undefined) throw new Error(`No sample of ${path}`);
  return found;
};
const claude = named(otherSamples, '/v1/messages');
const chat = named(openaiSamples, '/v1/chat/completions');
const vertex = '/v1/projects/p/locations/l/publishers';
const onVertex = { ...(claude.request as object), anthropic_version: 'vertex-2023-10-16' };
const onBedrock = { ...(claude.request as object), anthropic_version: 'bedrock-2023-05-31' };
const bedrock = '/model/us.anthropic.m-v1%3A0';
const schema = { type: 'object', description: 'd', properties: { city: { type: 'string', enum: ['a'] } } };
const messages = [{ role: 'user', content: 'hi' }];

const blocks = [
  { text: 'a' },
  { image: { format: 'png', source: { bytes: 'AAAA' } } },
  { document: { format: 'pdf', name: 'n', source: { s3Location: { uri: 'u', bucketOwner: 'b' } }, context: 'c' } },
  { document: { name: 'n', source: { text: 't' }, citations: { enabled: true } } },
  { toolUse: { toolUseId: 'u', name: 'n', input: { city: 'c', deep: [{ more: 'm' }] } } },
  { toolResult: { toolUseId: 'u', status: 'success', content: [{ text: 'r' }, { json: { a: 'b' } }] } },
  { guardContent: { text: { text: 'g', qualifiers: ['query'] } } },
  { reasoningContent: { reasoningText: { text: 'w', signature: 's' } } },
  { reasoningContent: { redactedContent: 'AAAA' } },
  { citationsContent: { content: [{ text: 'c' }], citations: [{ title: 't', sourceContent: [{ text: 's' }] }] } },
  { cachePoint: { type: 'default', ttl: '5m' } },
];
const converseBody = {
  system: [{ text: 's' }, { guardContent: { text: { text: 'g' } } }, { cachePoint: { type: 'default' } }],
  messages: [
    { role: 'user', content: blocks },
    { role: 'assistant', content: blocks },
  ],
  inferenceConfig: { maxTokens: 9, stopSequences: ['s'] },
  toolConfig: {
    tools: [
      { toolSpec: { name: 'n', description: 'd', inputSchema: { json: schema } } },
      { systemTool: { name: 'n' } },
    ],
    toolChoice: { tool: { name: 'n' } },
  },
  guardrailConfig: { guardrailIdentifier: 'g', guardrailVersion: '1', trace: 'enabled' },
  additionalModelRequestFields: { top_k: 1, more: 'm' },
  promptVariables: { name: { text: 'v' } },
  requestMetadata: { k: 'v' },
};
const start = (of: object) => ({ contentBlockStart: { contentBlockIndex: 1, start: of } }) as never;
const delta = (of: object) => ({ contentBlockDelta: { contentBlockIndex: 1, delta: of } }) as never;

const converse: Sample = {
  name: 'Bedrock Converse',
  path: `${bedrock}/converse`,
  streamPath: `${bedrock}/converse-stream`,
  request: converseBody,
  whole: {
    output: { message: { role: 'assistant', content: blocks } },
    stopReason: 'end_turn',
    usage: { inputTokens: 1, outputTokens: 1, totalTokens: 2, cacheDetails: [{ ttl: '5m', inputTokens: 1 }] },
    metrics: { latencyMs: 1 },
    additionalModelResponseFields: { a: 'b' },
    trace: { guardrail: { modelOutput: ['o'] }, promptRouter: { invokedModelId: 'm' } },
    performanceConfig: { latency: 'standard' },
  },
  events: [
    [undefined, { messageStart: { role: 'assistant' } }],
    [undefined, start({ toolUse: { toolUseId: 'u', name: 'n' } })],
    [undefined, delta({ text: 'a' })],
    [undefined, delta({ toolUse: { input: '{' } })],
    [undefined, delta({ reasoningContent: { text: 'w' } })],
    [undefined, delta({ reasoningContent: { signature: 's' } })],
    [undefined, delta({ reasoningContent: { redactedContent: 'AAAA' } })],
    [undefined, delta({ citation: { title: 't', sourceContent: [{ text: 's' }] } })],
    [undefined, { contentBlockStop: { contentBlockIndex: 1 } }],
    [undefined, { messageStop: { stopReason: 'end_turn', additionalModelResponseFields: { a: 'b' } } }],
    [undefined, { throttlingException: { message: 'm' } }],
    [undefined, { metadata: { usage: { inputTokens: 1 }, trace: { guardrail: { modelOutput: ['o'] } } } }],
  ],
  channels: [
    [2, ['contentBlockDelta', 'delta', 'text']],
    [3, ['contentBlockDelta', 'delta', 'toolUse', 'input']],
    [4, ['contentBlockDelta', 'delta', 'reasoningContent', 'text']],
  ],
};

const functionTool = { type: 'function', function: { name: 'f', description: 'd', parameters: schema } };
const ollamaCall = { id: 'i', function: { name: 'f', description: 'd', arguments: { a: 'b', deep: [{ more: 'm' }] } } };
const ollamaMessage = { role: 'assistant', content: 'a', thinking: 'w', images: ['AAAA'], tool_calls: [ollamaCall] };
const ollamaEnd = { model: 'm', created_at: 't', done: true, done_reason: 'stop', eval_count: 1 };
const ollama: Sample = {
  name: 'Ollama chat',
  path: '/api/chat',
  request: {
    model: 'm',
    messages: [
      { role: 'system', content: 's' },
      { role: 'user', content: 'hi', images: ['AAAA'] },
      ollamaMessage,
      { role: 'tool', tool_name: 'f', content: 'r' },
    ],
    tools: [functionTool],
    format: schema,
    options: { stop: ['s'] },
    think: 'high',
    keep_alive: '5m',
  },
  forms: ['server-sent events', 'lines'],
  whole: { ...ollamaEnd, message: ollamaMessage },
  events: [
    [undefined, { model: 'm', created_at: 't', message: { role: 'assistant', content: 'a' }, done: false }],
    [undefined, { model: 'm', message: { role: 'assistant', content: '', thinking: 'w' }, done: false }],
    [undefined, { model: 'm', message: { role: 'assistant', content: '', tool_calls: [ollamaCall] }, done: false }],
    [undefined, { error: 'e' }],
    [undefined, { ...ollamaEnd, message: { role: 'assistant', content: '' } }],
  ],
  channels: [
    [0, ['message', 'content']],
    [1, ['message', 'thinking']],
  ],
};
const ollamaGenerate: Sample = {
  name: 'Ollama generate',
  path: '/api/generate',
  request: {
    model: 'm',
    prompt: 'hi',
    suffix: 's',
    images: ['AAAA'],
    system: 's',
    template: '{{ .Prompt }}',
    format: schema,
    options: { stop: ['s'] },
    keep_alive: '5m',
  },
  forms: ['server-sent events', 'lines'],
  whole: { ...ollamaEnd, response: 'a', thinking: 'w', context: [1, 2] },
  events: [
    [undefined, { model: 'm', created_at: 't', response: 'a', done: false }],
    [undefined, { model: 'm', response: '', thinking: 'w', done: false }],
    [undefined, { ...ollamaEnd, response: '', context: [1, 2] }],
  ],
  channels: [
    [0, ['response']],
    [1, ['thinking']],
  ],
};

const cohereCall = { id: 'i', type: 'function', function: { name: 'f', arguments: '{"a":"b"}' } };
const cited = {
  start: 0,
  end: 1,
  text: 't',
  type: 'TEXT_CONTENT',
  sources: [{ type: 'document', document: { id: 'd' } }],
};
const cohereMessage = {
  role: 'assistant',
  tool_plan: 'p',
  tool_calls: [cohereCall],
  content: [
    { type: 'text', text: 'a' },
    { type: 'thinking', thinking: 'w' },
  ],
  citations: [cited],
};
const cohereEvent = (type: string, message: object, index = 0) =>
  [type, { type, index, delta: { message } } as never] as const;
const cohere: Sample = {
  name: 'Cohere chat',
  path: '/v2/chat',
  request: {
    model: 'm',
    messages: [
      { role: 'system', content: 's' },
      {
        role: 'user',
        content: [
          { type: 'text', text: 'hi' },
          { type: 'image_url', image_url: { url: 'https://a.example' } },
        ],
      },
      cohereMessage,
      { role: 'tool', tool_call_id: 'i', content: [{ type: 'document', document: { id: 'd', data: { t: 'r' } } }] },
    ],
    documents: ['d', { id: 'd', data: { title: 't', text: 'x' } }],
    tools: [functionTool],
    tool_choice: 'REQUIRED',
    response_format: { type: 'json_object', json_schema: schema },
    citation_options: { mode: 'FAST' },
    safety_mode: 'CONTEXTUAL',
    stop_sequences: ['s'],
  },
  asStream: { stream: true },
  whole: { id: 'i', finish_reason: 'COMPLETE', message: cohereMessage, usage: { billed_units: { input_tokens: 1 } } },
  events: [
    ['message-start', { type: 'message-start', id: 'i', delta: { message: { role: 'assistant' } } }],
    cohereEvent('content-start', { content: { type: 'text', text: '' } }),
    cohereEvent('content-delta', { content: { text: 'a' } }),
    cohereEvent('content-delta', { content: { thinking: 'w' } }),
    cohereEvent('tool-plan-delta', { tool_plan: 'p' }),
    cohereEvent('tool-call-start', { tool_calls: { ...cohereCall, function: { name: 'f', arguments: '' } } }),
    cohereEvent('tool-call-delta', { tool_calls: { function: { arguments: '{' } } }),
    cohereEvent('citation-start', { citations: cited }),
    ['message-end', { type: 'message-end', delta: { finish_reason: 'COMPLETE', error: 'e', usage: { tokens: {} } } }],
  ],
  channels: [
    [2, ['delta', 'message', 'content', 'text']],
    [3, ['delta', 'message', 'content', 'thinking']],
    [4, ['delta', 'message', 'tool_plan']],
    [6, ['delta', 'message', 'tool_calls', 'function', 'arguments']],
  ],
};

const steps = [
  {
    type: 'user_input',
    content: [
      { type: 'text', text: 'a' },
      { type: 'image', data: 'AAAA', mime_type: 'image/png' },
    ],
  },
  { type: 'thought', signature: 's', summary: [{ type: 'text', text: 'w' }] },
  { type: 'model_output', content: [{ type: 'text', text: 'a', annotations: [{ url: 'u', title: 't' }] }] },
  { type: 'function_call', id: 'i', name: 'f', arguments: { a: 'b' } },
  { type: 'function_result', call_id: 'i', name: 'f', result: [{ type: 'text', text: 'r' }] },
  { type: 'google_search_call', id: 'i', arguments: { queries: ['q'] } },
  { type: 'google_search_result', call_id: 'i', result: [{ search_suggestions: 'x' }] },
  { type: 'code_execution_call', arguments: { language: 'python', code: 'c' } },
  { type: 'code_execution_result', result: 'o' },
];
const stepDelta = (of: object, index = 0) =>
  ['step.delta', { event_type: 'step.delta', index, delta: of } as never] as const;
const interactions: Sample = {
  name: 'Gemini interactions',
  path: '/v1beta/interactions',
  request: {
    model: 'm',
    system_instruction: 's',
    input: steps,
    tools: [
      { type: 'function', name: 'f', description: 'd', parameters: schema },
      { type: 'mcp_server', url: 'u' },
    ],
    response_format: schema,
    generation_config: { stop_sequences: ['s'], tool_choice: 'auto' },
    previous_interaction_id: 'i',
  },
  asStream: { stream: true },
  whole: { id: 'i', model: 'm', status: 'completed', created: 't', steps, errors: [{ message: 'm' }] },
  events: [
    ['interaction.created', { event_type: 'interaction.created', interaction: { id: 'i', status: 'in_progress' } }],
    ['interaction.status_update', { event_type: 'interaction.status_update', interaction_id: 'i', status: 's' }],
    ['step.start', { event_type: 'step.start', index: 0, step: { type: 'function_call', name: 'f' } }],
    stepDelta({ type: 'text', text: 'a' }),
    stepDelta({ type: 'arguments_delta', arguments: '{' }, 1),
    stepDelta({ type: 'thought_summary', content: { type: 'text', text: 'w' } }, 2),
    stepDelta({ type: 'thought_signature', signature: 's' }, 2),
    stepDelta({ type: 'text_annotation_delta', annotations: [{ url: 'u', title: 't' }] }),
    stepDelta({ type: 'function_result', result: 'r' }, 3),
    ['step.stop', { event_type: 'step.stop', index: 0 }],
    ['error', { event_type: 'error', error: { code: 'c', message: 'm' } }],
    [
      'interaction.completed',
      { event_type: 'interaction.completed', interaction: { id: 'i', errors: [{ message: 'm' }] } },
    ],
  ],
  channels: [
    [3, ['delta', 'text']],
    [4, ['delta', 'arguments']],
    [5, ['delta', 'content', 'text']],
  ],
};

const run = {
  id: 'r',
  object: 'thread.run',
  status: 'queued',
  model: 'm',
  instructions: 'i',
  last_error: { message: 'm' },
};
const runs: Sample = {
  name: 'a run of an assistant',
  path: '/v1/threads/runs',
  request: {
    assistant_id: 'a',
    model: 'm',
    instructions: 'i',
    additional_instructions: 'm',
    additional_messages: messages,
    thread: { messages: [{ role: 'user', content: [{ type: 'text', text: 'hi' }], metadata: { k: 'v' } }] },
    tools: [functionTool, { type: 'file_search' }],
    tool_resources: { file_search: { vector_store_ids: ['v'] } },
    tool_choice: { type: 'function', function: { name: 'f' } },
    response_format: { type: 'json_schema', json_schema: { name: 'j', description: 'd', schema } },
    metadata: { k: 'v' },
  },
  asStream: { stream: true },
  whole: { ...run, tools: [functionTool], metadata: { k: 'v' } },
  events: [
    ['thread.created', { id: 't', object: 'thread', metadata: { k: 'v' } }],
    ['thread.run.created', run],
    ['thread.message.created', { id: 'm', object: 'thread.message', content: [] }],
    [
      'thread.message.delta',
      {
        id: 'm',
        object: 'thread.message.delta',
        delta: { content: [{ index: 0, type: 'text', text: { value: 'a' } }] },
      },
    ],
    [
      'thread.run.step.delta',
      {
        id: 's',
        object: 'thread.run.step.delta',
        delta: { step_details: { tool_calls: [{ index: 0, function: { name: 'f', arguments: '{', output: 'o' } }] } },
      },
    ],
    ['thread.message.completed', { id: 'm', object: 'thread.message', content: [{ text: { value: 'a' } }] }],
    ['error', { message: 'm', code: 'c' }],
  ],
  channels: [
    [3, ['delta', 'content', 0, 'text', 'value']],
    [4, ['delta', 'step_details', 'tool_calls', 0, 'function', 'arguments']],
  ],
};

/** APIs of other sellers, and other ways to models that are known. */
export const elsewhereSamples: readonly Sample[] = [
  { ...claude, name: 'Claude on Vertex AI', path: `${vertex}/anthropic/models/m@1:rawPredict`, request: onVertex },
  {
    name: 'Claude on Vertex AI, counted',
    path: `${vertex}/anthropic/models/count-tokens:rawPredict`,
    request: claude.request,
    whole: { input_tokens: 1, note: 'n' },
  },
  { ...chat, name: 'Mistral on Vertex AI', path: `${vertex}/mistralai/models/m:rawPredict` },
  {
    ...claude,
    name: 'Claude on an endpoint of a project’s own',
    path: '/v1/projects/p/locations/l/endpoints/7:rawPredict',
    request: onVertex,
  },
  {
    ...claude,
    name: 'Claude on Bedrock',
    path: `${bedrock}/invoke`,
    streamPath: `${bedrock}/invoke-with-response-stream`,
    request: onBedrock,
  },
  converse,
  {
    name: 'Bedrock, counted',
    path: '/model/m/count-tokens',
    request: { input: { converse: converseBody } },
    whole: { inputTokens: 1, note: 'n' },
  },
  ollama,
  ollamaGenerate,
  cohere,
  {
    name: 'Cohere embeddings',
    path: '/v2/embed',
    request: { model: 'm', texts: ['a', 'b'], inputs: [{ content: [{ type: 'text', text: 'c' }] }], input_type: 'i' },
    whole: { id: 'i', embeddings: { float: [[0.1]] }, texts: ['a'], meta: { warnings: ['w'] } },
  },
  interactions,
  { name: 'Gemini interactions, kept', path: '/v1beta/interactions/i', request: {}, whole: interactions.whole },
  runs,
  {
    name: 'results for a run',
    path: '/v1/threads/t/runs/r/submit_tool_outputs',
    request: { tool_outputs: [{ tool_call_id: 'i', output: 'o' }] },
    asStream: { stream: true },
    whole: runs.whole,
    events: runs.events ?? [],
  },
  { name: 'runs, kept', path: '/v1/threads/t/runs/r', request: {}, whole: runs.whole },
  {
    name: 'a thread',
    path: '/v1/threads',
    request: { messages, metadata: { k: 'v' } },
    whole: { id: 't', metadata: { k: 'v' } },
  },
  {
    name: 'a message of a thread',
    path: '/v1/threads/t/messages',
    request: { role: 'user', content: [{ type: 'text', text: 'hi' }], attachments: [{ file_id: 'f' }] },
    whole: { id: 'm', content: [{ type: 'text', text: { value: 'a' } }] },
  },
];
