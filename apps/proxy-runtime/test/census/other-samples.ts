import type { Sample } from './sample.ts';

const schema = { type: 'object', description: 'd', properties: { city: { type: 'string', enum: ['a'] } } };
const cached = { cache_control: { type: 'ephemeral', ttl: '5m' } };
const sources = [
  { type: 'base64', media_type: 'image/png', data: 'AAAA' },
  { type: 'url', url: 'https://a.example/i.png' },
  { type: 'file', file_id: 'f' },
];
const document = { type: 'document', title: 't', context: 'c', citations: { enabled: true } };
const search = { type: 'search_result', source: 's', title: 't', content: [{ type: 'text', text: 'r' }] };
const citation = { type: 'char_location', cited_text: 'c', document_title: 't', start_char_index: 0 };
const blocks = [
  {
    type: 'text',
    text: 'a',
    citations: [
      citation,
      { type: 'web_search_result_location', url: 'u', title: 't', encrypted_index: 'e', cited_text: 'c' },
    ],
  },
  { type: 'thinking', thinking: 'w', signature: 's' },
  { type: 'redacted_thinking', data: 'AAAA' },
  { type: 'tool_use', id: 'u', name: 'n', input: { city: 'c', deep: [{ more: 'm' }] } },
  { type: 'server_tool_use', id: 'v', name: 'web_search', input: { query: 'q' } },
  {
    type: 'web_search_tool_result',
    tool_use_id: 'v',
    content: [{ type: 'web_search_result', url: 'u', title: 't', encrypted_content: 'e', page_age: 'p' }],
  },
  {
    type: 'web_fetch_tool_result',
    tool_use_id: 'v',
    content: {
      type: 'web_fetch_result',
      url: 'u',
      content: { ...document, source: { type: 'text', media_type: 'text/plain', data: 'd' } },
    },
  },
  {
    type: 'code_execution_tool_result',
    tool_use_id: 'v',
    content: { type: 'code_execution_result', stdout: 'o', stderr: 'e', return_code: 0 },
  },
  { type: 'mcp_tool_use', id: 'm', name: 'n', server_name: 's', input: { a: 'b' } },
  { type: 'mcp_tool_result', tool_use_id: 'm', content: [{ type: 'text', text: 'r' }] },
  { type: 'container_upload', file_id: 'f' },
];
const asked = {
  model: 'm',
  max_tokens: 9,
  system: [{ type: 'text', text: 's', ...cached }],
  messages: [
    {
      role: 'user',
      content: [
        { type: 'text', text: 'hi', ...cached },
        ...sources.map((source) => ({ type: 'image', source })),
        ...sources.map((source) => ({ ...document, source })),
        { ...document, source: { type: 'text', media_type: 'text/plain', data: 'd' } },
        { ...document, source: { type: 'content', content: [{ type: 'text', text: 'd' }] } },
        search,
      ],
    },
    { role: 'assistant', content: blocks },
    {
      role: 'user',
      content: [
        { type: 'tool_result', tool_use_id: 'u', content: 'r' },
        { type: 'tool_result', tool_use_id: 'u', is_error: true, content: [{ type: 'text', text: 'r' }, search] },
      ],
    },
    { role: 'user', content: 'plain' },
  ],
  tools: [
    { name: 'n', description: 'd', input_schema: schema, ...cached },
    { type: 'computer_20250124', name: 'computer', display_width_px: 1 },
    {
      type: 'web_search_20250305',
      name: 'web_search',
      allowed_domains: ['a.example'],
      user_location: { type: 'approximate', city: 'c' },
    },
  ],
  tool_choice: { type: 'tool', name: 'n' },
  mcp_servers: [
    {
      type: 'url',
      name: 'n',
      url: 'https://a.example',
      authorization_token: 'a',
      tool_configuration: { allowed_tools: ['t'] },
    },
  ],
  metadata: { user_id: 'u' },
  stop_sequences: ['s'],
  container: 'c',
  service_tier: 'auto',
};
const message = { id: 'm', type: 'message', role: 'assistant', model: 'm' };
const event = (type: string, data: object): readonly [string, never] => [type, { type, ...data } as never];
const delta = (of: object) => event('content_block_delta', { index: 0, delta: of });

const anthropic: Sample = {
  name: 'Anthropic messages',
  path: '/v1/messages',
  request: asked,
  asStream: { stream: true },
  whole: {
    ...message,
    content: blocks,
    stop_reason: 'stop_sequence',
    stop_sequence: 's',
    container: { id: 'c', expires_at: 'e' },
    usage: { input_tokens: 1, output_tokens: 1, service_tier: 's' },
  },
  events: [
    event('message_start', { message: { ...message, content: [], usage: { input_tokens: 1, service_tier: 's' } } }),
    ...blocks.map((block, index) => event('content_block_start', { index, content_block: block })),
    event('ping', {}),
    delta({ type: 'text_delta', text: 'a' }),
    delta({ type: 'input_json_delta', partial_json: '{' }),
    delta({ type: 'thinking_delta', thinking: 'w' }),
    delta({ type: 'signature_delta', signature: 's' }),
    delta({ type: 'citations_delta', citation }),
    event('content_block_stop', { index: 0 }),
    event('error', { error: { type: 'overloaded_error', message: 'm' }, request_id: 'r' }),
    event('message_delta', {
      delta: { stop_reason: 'end_turn', stop_sequence: 's', container: { id: 'c' } },
      usage: { output_tokens: 1 },
    }),
    event('message_stop', {}),
  ],
  channels: [
    [blocks.length + 2, ['delta', 'text']],
    [blocks.length + 3, ['delta', 'partial_json']],
    [blocks.length + 4, ['delta', 'thinking']],
  ],
};

const parts = [
  { text: 'a', thought: true, thoughtSignature: 's' },
  { inlineData: { mimeType: 'image/png', data: 'AAAA', displayName: 'n' }, videoMetadata: { startOffset: '1s' } },
  { fileData: { mimeType: 'image/png', fileUri: 'u', displayName: 'n' } },
  { functionCall: { id: 'i', name: 'f', args: { a: 'b', deep: [{ more: 'm' }] } } },
  {
    functionResponse: {
      id: 'i',
      name: 'f',
      response: { output: 'o' },
      parts: [{ inlineData: { mimeType: 'm', data: 'AAAA' } }],
    },
  },
  { executableCode: { language: 'PYTHON', code: 'c' } },
  { codeExecutionResult: { outcome: 'OUTCOME_OK', output: 'o' } },
];
const candidate = (index: number) => ({
  index,
  content: { role: 'model', parts: [{ text: 'a' }, ...parts] },
  finishReason: 'STOP',
  finishMessage: 'm',
  safetyRatings: [{ category: 'c', probability: 'p' }],
  citationMetadata: { citationSources: [{ uri: 'u', license: 'l' }] },
  groundingMetadata: {
    webSearchQueries: ['q'],
    searchEntryPoint: { renderedContent: '<p>' },
    groundingChunks: [{ web: { uri: 'u', title: 't' } }, { retrievedContext: { uri: 'u', title: 't', text: 'x' } }],
    groundingSupports: [{ segment: { text: 's' } }],
  },
  urlContextMetadata: { urlMetadata: [{ retrievedUrl: 'u', urlRetrievalStatus: 's' }] },
  logprobsResult: { chosenCandidates: [{ token: 't' }], topCandidates: [{ candidates: [{ token: 't' }] }] },
});
const geminiBody = {
  contents: [
    { role: 'user', parts: [{ text: 'hi' }, ...parts] },
    { role: 'model', parts },
  ],
  systemInstruction: { role: 'system', parts: [{ text: 's' }] },
  tools: [
    {
      functionDeclarations: [
        {
          name: 'f',
          description: 'd',
          parameters: schema,
          parametersJsonSchema: schema,
          response: schema,
          responseJsonSchema: schema,
          behavior: 'BLOCKING',
        },
      ],
    },
    {
      googleSearch: { timeRangeFilter: { startTime: 't' } },
      codeExecution: {},
      urlContext: {},
      fileSearch: { fileSearchStoreNames: ['n'], metadataFilter: 'f' },
    },
  ],
  toolConfig: {
    functionCallingConfig: { mode: 'ANY', allowedFunctionNames: ['f'] },
    retrievalConfig: { languageCode: 'de' },
  },
  safetySettings: [{ category: 'c', threshold: 't' }],
  generationConfig: {
    candidateCount: 2,
    stopSequences: ['s'],
    responseMimeType: 'application/json',
    responseSchema: schema,
    responseModalities: ['TEXT'],
    speechConfig: { voiceConfig: { prebuiltVoiceConfig: { voiceName: 'v' } }, languageCode: 'de' },
  },
  cachedContent: 'c',
  labels: { k: 'v' },
};
const geminiAnswer = {
  candidates: [candidate(0), candidate(1)],
  promptFeedback: { blockReason: 'b', safetyRatings: [{ category: 'c' }] },
  usageMetadata: { promptTokenCount: 1, promptTokensDetails: [{ modality: 'TEXT', tokenCount: 1 }], trafficType: 't' },
  modelVersion: 'm',
  responseId: 'r',
};
const said = (index: number) => ({ index, content: { role: 'model', parts: [{ text: 'a' }] } });
const geminiPath = '/v1beta/models/m';

const gemini: Sample = {
  name: 'Gemini',
  path: `${geminiPath}:generateContent`,
  streamPath: `${geminiPath}:streamGenerateContent?alt=sse`,
  request: geminiBody,
  asStream: {},
  forms: ['server-sent events', 'a list'],
  whole: geminiAnswer,
  events: [
    [undefined, geminiAnswer],
    [undefined, { candidates: [said(0), said(1)], modelVersion: 'm' }],
    [undefined, { candidates: [{ index: 0, content: { parts: [{ thought: true, text: 'w' }] } }] }],
    [undefined, { error: { code: 1, message: 'm', status: 's', details: [{ '@type': 't', reason: 'r' }] } }],
  ],
  channels: [
    [1, ['candidates', 0, 'content', 'parts', 0, 'text']],
    [1, ['candidates', 1, 'content', 'parts', 0, 'text']],
    [2, ['candidates', 0, 'content', 'parts', 0, 'text']],
  ],
  apart: [
    [1, ['candidates', 0, 'content', 'parts', 0, 'text']],
    [1, ['candidates', 1, 'content', 'parts', 0, 'text']],
  ],
};

export const otherSamples: readonly Sample[] = [
  anthropic,
  {
    name: 'Anthropic batches',
    path: '/v1/messages/batches',
    request: {
      requests: [
        { custom_id: 'a', params: asked },
        { custom_id: 'b', params: asked },
      ],
    },
    whole: { id: 'b', type: 'message_batch', processing_status: 's', results_url: 'u' },
  },
  {
    name: 'Anthropic messages, counted',
    path: '/v1/messages/count_tokens',
    request: asked,
    whole: { input_tokens: 1, note: 'n' },
  },
  gemini,
  {
    name: 'Gemini batches',
    path: `${geminiPath}:batchGenerateContent`,
    request: {
      batch: {
        displayName: 'd',
        inputConfig: {
          requests: { requests: [{ request: geminiBody, metadata: { key: 'k' } }, { request: geminiBody }] },
        },
      },
    },
    whole: { name: 'batches/1', metadata: { '@type': 't', displayName: 'd' } },
  },
  {
    name: 'Gemini, counted',
    path: `${geminiPath}:countTokens`,
    request: { generateContentRequest: { model: 'm', ...geminiBody } },
    whole: { totalTokens: 1, promptTokensDetails: [{ modality: 'TEXT' }] },
  },
  {
    name: 'Gemini, cached',
    path: '/v1beta/cachedContents',
    request: { model: 'm', displayName: 'd', ...geminiBody },
    whole: { name: 'n', displayName: 'd', model: 'm' },
  },
  {
    name: 'an API that is not known',
    path: '/api/say',
    request: { text: 'a', more: [{ b: 'c' }], id: 'i', type: 't' },
    asStream: { stream: true },
    forms: ['server-sent events', 'lines'],
    whole: { text: 'a', id: 'i', type: 't', more: [{ b: 'c' }], error: { message: 'm' } },
    events: [[undefined, { text: 'a', id: 'i', type: 't', more: [{ b: 'c' }] }]],
    channels: [
      [0, ['text']],
      [0, ['more', 0, 'b']],
    ],
  },
];
