type Data = Readonly<Record<string, unknown>>;

/** What a vendor documents that an answer tells of its usage, and what that costs at its published prices. */
export interface VendorAnswer {
  readonly vendor: string;
  /** Of the target. */
  readonly origin: string;
  readonly path: string;
  readonly request: Data;
  /** Undefined where answers are streams only. */
  readonly whole: Data | undefined;
  /** The events of the same answer as a stream; empty where there are none. */
  readonly stream: readonly Data[];
  readonly tokens: {
    readonly input: number;
    readonly cached?: number;
    readonly written?: number;
    readonly output: number;
    readonly reasoning?: number;
  };
  readonly usd: number;
  /** What the vendor says itself that it cost. */
  readonly stated?: number;
}

const lan = 'http://10.1.2.3:4000';
const hello = [{ role: 'user', content: 'Hello' }];
const chat = (model: string, usage: Data) => ({
  whole: { id: 'c', object: 'chat.completion', model, choices: [{ index: 0, message: { content: 'Hi' } }], usage },
  stream: [
    { id: 'c', object: 'chat.completion.chunk', model, choices: [{ index: 0, delta: { content: 'Hi' } }], usage: null },
    { id: 'c', object: 'chat.completion.chunk', model, choices: [], usage },
  ],
});
const chatRow = (vendor: string, origin: string, model: string, usage: Data) => ({
  vendor,
  origin,
  path: '/v1/chat/completions',
  request: { model, messages: hello },
  ...chat(model, usage),
});

const responsesUsage = {
  input_tokens: 100_000,
  output_tokens: 1_000,
  total_tokens: 101_000,
  input_tokens_details: { cached_tokens: 5_000, cache_write_tokens: 90_000 },
  output_tokens_details: { reasoning_tokens: 400 },
};
const response = { id: 'r', object: 'response', model: 'gpt-5.6', output: [] };

const claudeUsage = { input_tokens: 10_000, cache_read_input_tokens: 50_000, cache_creation_input_tokens: 40_000 };
const claude = (model: string) => ({
  whole: {
    type: 'message',
    model,
    content: [{ type: 'text', text: 'Hi' }],
    usage: { ...claudeUsage, output_tokens: 3_000 },
  },
  stream: [
    { type: 'message_start', message: { model, content: [], usage: { ...claudeUsage, output_tokens: 1 } } },
    { type: 'content_block_delta', index: 0, delta: { type: 'text_delta', text: 'Hi' } },
    { type: 'message_delta', delta: { stop_reason: 'end_turn' }, usage: { output_tokens: 3_000 } },
    { type: 'message_stop' },
  ],
});
const claudeTokens = { input: 100_000, cached: 50_000, written: 40_000, output: 3_000 };
const claudeBody = { max_tokens: 9, messages: hello };

const converseUsage = {
  inputTokens: 10_000,
  outputTokens: 3_000,
  totalTokens: 103_000,
  cacheReadInputTokens: 50_000,
  cacheWriteInputTokens: 40_000,
};
const onBedrock = 0.01 * 3.3 + 0.05 * 0.33 + 0.04 * 4.125 + 0.003 * 16.5;
const bedrockModel = '/model/us.anthropic.claude-sonnet-4-5-20250929-v1%3A0';
const bedrock = 'https://bedrock-runtime.us-east-1.amazonaws.com';

const cohereUsage = {
  billed_units: { input_tokens: 100_000, output_tokens: 1_000 },
  tokens: { input_tokens: 100_500, output_tokens: 1_000 },
};
const interactionUsage = {
  total_input_tokens: 100_000,
  total_cached_tokens: 40_000,
  total_output_tokens: 1_000,
  total_thought_tokens: 2_000,
  total_tool_use_tokens: 0,
  total_tokens: 103_000,
};
const geminiUsage = {
  promptTokenCount: 100_000,
  cachedContentTokenCount: 40_000,
  candidatesTokenCount: 1_000,
  thoughtsTokenCount: 2_000,
  totalTokenCount: 103_000,
};
const candidates = [{ content: { role: 'model', parts: [{ text: 'Hi' }] } }];
const gemini = 'https://generativelanguage.googleapis.com';
const flash = 0.06 * 0.3 + 0.04 * 0.03 + 0.003 * 2.5;
const ollamaEnd = { done: true, prompt_eval_count: 26, eval_count: 298 };

export const vendorAnswers: readonly VendorAnswer[] = [
  {
    ...chatRow('OpenAI chat', 'https://api.openai.com', 'gpt-5.6', {
      prompt_tokens: 100_000,
      completion_tokens: 1_000,
      total_tokens: 101_000,
      prompt_tokens_details: { cached_tokens: 5_000, cache_write_tokens: 90_000 },
      completion_tokens_details: { reasoning_tokens: 400 },
    }),
    tokens: { input: 100_000, cached: 5_000, written: 90_000, output: 1_000, reasoning: 400 },
    usd: 0.005 * 4 + 0.005 * 0.4 + 0.09 * 5 + 0.001 * 20,
  },
  {
    vendor: 'OpenAI responses',
    origin: 'https://api.openai.com',
    path: '/v1/responses',
    request: { model: 'gpt-5.6', input: 'Hello' },
    whole: { ...response, usage: responsesUsage },
    stream: [
      { type: 'response.created', response: { ...response, usage: null } },
      { type: 'response.completed', response: { ...response, usage: responsesUsage } },
    ],
    tokens: { input: 100_000, cached: 5_000, written: 90_000, output: 1_000, reasoning: 400 },
    usd: 0.005 * 4 + 0.005 * 0.4 + 0.09 * 5 + 0.001 * 20,
  },
  {
    vendor: 'OpenAI runs of assistants',
    origin: 'https://api.openai.com',
    path: '/v1/threads/runs',
    request: { assistant_id: 'a', model: 'gpt-4o-mini', thread: { messages: hello } },
    whole: undefined,
    stream: [
      { id: 'r', object: 'thread.run', model: 'gpt-4o-mini', usage: null },
      { object: 'thread.message.delta', delta: { content: [{ index: 0, text: { value: 'Hi' } }] } },
      {
        object: 'thread.run',
        model: 'gpt-4o-mini',
        usage: { prompt_tokens: 100_000, completion_tokens: 1_000, total_tokens: 101_000 },
      },
    ],
    tokens: { input: 100_000, output: 1_000 },
    usd: 0.1 * 0.15 + 0.001 * 0.6,
  },
  {
    ...chatRow('OpenRouter', 'https://openrouter.ai', 'anthropic/claude-sonnet-4.5', {
      prompt_tokens: 100_000,
      completion_tokens: 1_000,
      total_tokens: 101_000,
      cost: 0.3825,
      prompt_tokens_details: { cached_tokens: 0, cache_write_tokens: 90_000, audio_tokens: 0 },
      completion_tokens_details: { reasoning_tokens: 0 },
    }),
    tokens: { input: 100_000, written: 90_000, output: 1_000 },
    usd: 0.01 * 3 + 0.09 * 3.75 + 0.001 * 15,
    stated: 0.3825,
  },
  {
    ...chatRow('OpenRouter, given away', 'https://openrouter.ai', 'meta-llama/llama-3.3-70b-instruct:free', {
      prompt_tokens: 100_000,
      completion_tokens: 1_000,
      total_tokens: 101_000,
      cost: 0,
    }),
    tokens: { input: 100_000, output: 1_000 },
    usd: 0,
    stated: 0,
  },
  {
    ...chatRow('LiteLLM in front of Claude', lan, 'claude-sonnet-4-5', {
      prompt_tokens: 100_000,
      completion_tokens: 1_000,
      total_tokens: 101_000,
      cache_creation_input_tokens: 80_000,
      cache_read_input_tokens: 10_000,
      prompt_tokens_details: { cached_tokens: 10_000, cache_creation_tokens: 80_000 },
    }),
    tokens: { input: 100_000, cached: 10_000, written: 80_000, output: 1_000 },
    usd: 0.01 * 3 + 0.01 * 0.3 + 0.08 * 3.75 + 0.001 * 15,
  },
  {
    ...chatRow('DeepSeek', 'https://api.deepseek.com', 'deepseek-v3.1-terminus', {
      prompt_tokens: 100_000,
      completion_tokens: 1_000,
      total_tokens: 101_000,
      prompt_cache_hit_tokens: 90_000,
      prompt_cache_miss_tokens: 10_000,
    }),
    tokens: { input: 100_000, cached: 90_000, output: 1_000 },
    // Its other models have prices by the hour.
    usd: 0.01 * 0.27 + 0.09 * 0.13 + 0.001 * 0.95,
  },
  {
    ...chatRow('Moonshot', 'https://api.moonshot.ai', 'kimi-k2-0905-preview', {
      prompt_tokens: 100_000,
      completion_tokens: 1_000,
      total_tokens: 101_000,
      cached_tokens: 90_000,
    }),
    tokens: { input: 100_000, cached: 90_000, output: 1_000 },
    usd: 0.01 * 0.6 + 0.09 * 0.15 + 0.001 * 2.5,
  },
  {
    ...chatRow('Perplexity', 'https://api.perplexity.ai', 'sonar-deep-research', {
      prompt_tokens: 33,
      completion_tokens: 7_163,
      total_tokens: 7_196,
      citation_tokens: 20_016,
      num_search_queries: 18,
      reasoning_tokens: 73_997,
      cost: { total_cost: 0.409 },
    }),
    tokens: { input: 33, output: 7_163 + 20_016 + 73_997, reasoning: 73_997 },
    usd: 0.000_033 * 2 + 0.007_163 * 8 + 0.020_016 * 2 + 0.073_997 * 3 + 18 * 0.005,
    stated: 0.409,
  },
  {
    ...chatRow('xAI', 'https://api.x.ai', 'grok-4', {
      prompt_tokens: 100_000,
      completion_tokens: 1_000,
      total_tokens: 103_000,
      prompt_tokens_details: { cached_tokens: 40_000 },
      completion_tokens_details: { reasoning_tokens: 2_000 },
      cost_in_usd_ticks: 2_550_000_000,
    }),
    tokens: { input: 100_000, cached: 40_000, output: 3_000, reasoning: 2_000 },
    usd: 0.06 * 3 + 0.04 * 0.75 + 0.003 * 15,
    stated: 0.255,
  },
  {
    vendor: 'Anthropic messages',
    origin: 'https://api.anthropic.com',
    path: '/v1/messages',
    request: { model: 'claude-sonnet-4-5', ...claudeBody },
    ...claude('claude-sonnet-4-5'),
    tokens: claudeTokens,
    usd: 0.01 * 3 + 0.05 * 0.3 + 0.04 * 3.75 + 0.003 * 15,
  },
  {
    vendor: 'Claude on Vertex AI',
    origin: 'https://us-east5-aiplatform.googleapis.com',
    path: '/v1/projects/p/locations/l/publishers/anthropic/models/claude-sonnet-4-5@20250929:streamRawPredict',
    request: { anthropic_version: 'vertex-2023-10-16', ...claudeBody },
    ...claude('claude-sonnet-4-5-20250929'),
    tokens: claudeTokens,
    usd: 0.01 * 3 + 0.05 * 0.3 + 0.04 * 3.75 + 0.003 * 15,
  },
  {
    vendor: 'Mistral on Vertex AI',
    origin: 'https://us-central1-aiplatform.googleapis.com',
    path: '/v1/projects/p/locations/l/publishers/mistralai/models/mistral-large-2411:rawPredict',
    request: { model: 'mistral-large-2411', messages: hello },
    ...chat('mistral-large-2411', { prompt_tokens: 100_000, completion_tokens: 1_000, total_tokens: 101_000 }),
    tokens: { input: 100_000, output: 1_000 },
    usd: 0.1 * 2 + 0.001 * 6,
  },
  {
    vendor: 'Claude on Bedrock',
    origin: bedrock,
    path: `${bedrockModel}/invoke`,
    request: { anthropic_version: 'bedrock-2023-05-31', ...claudeBody },
    ...claude('claude-sonnet-4-5-20250929'),
    tokens: claudeTokens,
    usd: onBedrock,
  },
  {
    vendor: 'Bedrock Converse',
    origin: bedrock,
    path: `${bedrockModel}/converse`,
    request: { messages: [{ role: 'user', content: [{ text: 'Hello' }] }] },
    whole: { output: { message: { role: 'assistant', content: [{ text: 'Hi' }] } }, usage: converseUsage },
    stream: [
      { messageStart: { role: 'assistant' } },
      { contentBlockDelta: { contentBlockIndex: 0, delta: { text: 'Hi' } } },
      { messageStop: { stopReason: 'end_turn' } },
      { metadata: { usage: converseUsage, metrics: { latencyMs: 1 } } },
    ],
    tokens: claudeTokens,
    usd: onBedrock,
  },
  {
    vendor: 'Cohere chat',
    origin: 'https://api.cohere.com',
    path: '/v2/chat',
    request: { model: 'command-r-plus-08-2024', messages: hello },
    whole: { id: 'c', message: { role: 'assistant', content: [{ type: 'text', text: 'Hi' }] }, usage: cohereUsage },
    stream: [
      { type: 'content-delta', index: 0, delta: { message: { content: { text: 'Hi' } } } },
      { type: 'message-end', delta: { finish_reason: 'COMPLETE', usage: cohereUsage } },
    ],
    tokens: { input: 100_000, output: 1_000 },
    usd: 0.1 * 2.5 + 0.001 * 10,
  },
  {
    vendor: 'Cohere embeddings',
    origin: 'https://api.cohere.com',
    path: '/v2/embed',
    request: { model: 'embed-v4.0', texts: ['Hello'] },
    whole: { embeddings: { float: [[0.1]] }, texts: ['Hello'], meta: { billed_units: { input_tokens: 100_000 } } },
    stream: [],
    tokens: { input: 100_000, output: 0 },
    usd: 0.1 * 0.12,
  },
  {
    vendor: 'Cloudflare Workers AI',
    origin: 'https://api.cloudflare.com',
    path: '/client/v4/accounts/a/ai/run/@cf/meta/llama-3.1-8b-instruct',
    request: { messages: hello },
    whole: {
      result: { response: 'Hi', usage: { prompt_tokens: 100_000, completion_tokens: 1_000, total_tokens: 101_000 } },
      success: true,
    },
    stream: [
      { response: 'Hi' },
      { response: '', usage: { prompt_tokens: 100_000, completion_tokens: 1_000, total_tokens: 101_000 } },
    ],
    tokens: { input: 100_000, output: 1_000 },
    usd: 0.1 * 0.282 + 0.001 * 0.827,
  },
  {
    vendor: 'Ollama chat',
    origin: lan,
    path: '/api/chat',
    request: { model: 'llama3.2', messages: hello },
    whole: { model: 'llama3.2', message: { role: 'assistant', content: 'Hi' }, ...ollamaEnd },
    stream: [
      { model: 'llama3.2', message: { role: 'assistant', content: 'Hi' }, done: false },
      { model: 'llama3.2', message: { role: 'assistant', content: '' }, ...ollamaEnd },
    ],
    tokens: { input: 26, output: 298 },
    usd: 0,
  },
  {
    vendor: 'Ollama generate',
    origin: lan,
    path: '/api/generate',
    request: { model: 'llama3.2', prompt: 'Hello' },
    whole: { model: 'llama3.2', response: 'Hi', ...ollamaEnd },
    stream: [
      { model: 'llama3.2', response: 'Hi', done: false },
      { model: 'llama3.2', response: '', ...ollamaEnd },
    ],
    tokens: { input: 26, output: 298 },
    usd: 0,
  },
  {
    vendor: 'Gemini',
    origin: gemini,
    path: '/v1beta/models/gemini-2.5-flash:generateContent',
    request: { contents: [{ parts: [{ text: 'Hello' }] }] },
    whole: { candidates, modelVersion: 'gemini-2.5-flash', usageMetadata: geminiUsage },
    stream: [
      { candidates, modelVersion: 'gemini-2.5-flash', usageMetadata: { promptTokenCount: 100_000 } },
      { candidates, modelVersion: 'gemini-2.5-flash', usageMetadata: geminiUsage },
    ],
    tokens: { input: 100_000, cached: 40_000, output: 3_000, reasoning: 2_000 },
    usd: flash,
  },
  {
    vendor: 'Gemini interactions',
    origin: gemini,
    path: '/v1beta/interactions',
    request: { model: 'gemini-2.5-flash', input: 'Hello' },
    whole: { id: 'i', model: 'gemini-2.5-flash', steps: [], usage: interactionUsage },
    stream: [
      { event_type: 'interaction.created', interaction: { id: 'i', status: 'in_progress' } },
      { event_type: 'step.delta', index: 0, delta: { type: 'text', text: 'Hi' } },
      {
        event_type: 'interaction.completed',
        interaction: { id: 'i', model: 'gemini-2.5-flash', usage: interactionUsage },
      },
    ],
    tokens: { input: 100_000, cached: 40_000, output: 3_000, reasoning: 2_000 },
    usd: flash,
  },
];
