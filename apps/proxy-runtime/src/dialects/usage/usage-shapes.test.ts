import { expect, test } from '@jest/globals';
import { costOf } from '@portcullis/core/pricing/model-price';
import { findDialect } from '../find-dialect.ts';
import { loadLibraryPrices } from '../../usage/library-prices.ts';

const findPrice = await loadLibraryPrices();

const openai = 'https://api.openai.com';
const anthropic = 'https://api.anthropic.com';
const google = 'https://generativelanguage.googleapis.com';
const generate = (model: string) => `/v1beta/models/${model}:generateContent`;
const million = 1_000_000;

/** What a provider tells, and its cost in USD at published prices, written out. */
test.each<[what: string, origin: string, path: string, model: string, answer: object, usd: number]>([
  [
    'text of a chat',
    openai,
    '/v1/chat/completions',
    'gpt-4o',
    { usage: { prompt_tokens: million, completion_tokens: million, total_tokens: 2 * million } },
    2.5 + 10,
  ],
  [
    'a chat with a cache and thoughts',
    openai,
    '/v1/chat/completions',
    'gpt-5',
    {
      usage: {
        prompt_tokens: million,
        prompt_tokens_details: { cached_tokens: 400_000, audio_tokens: 0 },
        completion_tokens: million,
        completion_tokens_details: { reasoning_tokens: 600_000, audio_tokens: 0 },
        total_tokens: 2 * million,
      },
    },
    0.6 * 1.25 + 0.4 * 0.125 + 10,
  ],
  [
    'a chat in sound',
    openai,
    '/v1/chat/completions',
    'gpt-audio',
    {
      usage: {
        prompt_tokens: million,
        prompt_tokens_details: { audio_tokens: 300_000 },
        completion_tokens: million,
        completion_tokens_details: { audio_tokens: 900_000 },
        total_tokens: 2 * million,
      },
    },
    0.7 * 2.5 + 0.3 * 32 + 0.1 * 10 + 0.9 * 64,
  ],
  [
    'searches of a response, in the web and in files',
    openai,
    '/v1/responses',
    'gpt-5',
    {
      output: [
        { type: 'web_search_call' },
        { type: 'file_search_call' },
        { type: 'web_search_call', action: { type: 'search' } },
        { type: 'web_search_call', action: { type: 'open_page' } },
      ],
      usage: { input_tokens: million, input_tokens_details: { cached_tokens: 0 }, output_tokens: 0 },
    },
    1.25 + 2 * 0.01 + 0.0025,
  ],
  [
    'a picture that is made from a picture',
    openai,
    '/v1/images/edits',
    'gpt-image-1',
    {
      usage: {
        input_tokens: million,
        input_tokens_details: { text_tokens: 200_000, image_tokens: 800_000 },
        output_tokens: 100_000,
        total_tokens: 1_100_000,
      },
    },
    0.2 * 5 + 0.8 * 10 + 0.1 * 40,
  ],
  [
    'a transcription',
    openai,
    '/v1/audio/transcriptions',
    'gpt-4o-transcribe',
    {
      usage: {
        type: 'tokens',
        input_tokens: million,
        input_token_details: { text_tokens: 100_000, audio_tokens: 900_000 },
        output_tokens: 200_000,
        total_tokens: 1_200_000,
      },
    },
    0.1 * 2.5 + 0.9 * 6 + 0.2 * 10,
  ],
  [
    'an embedding',
    openai,
    '/v1/embeddings',
    'text-embedding-3-small',
    { usage: { prompt_tokens: million, total_tokens: million } },
    0.02,
  ],
  [
    'a message with caches and searches',
    anthropic,
    '/v1/messages',
    'claude-opus-4-5',
    {
      usage: {
        input_tokens: 10_000,
        cache_read_input_tokens: 50_000,
        cache_creation_input_tokens: 30_000,
        cache_creation: { ephemeral_5m_input_tokens: 20_000, ephemeral_1h_input_tokens: 10_000 },
        output_tokens: 20_000,
        server_tool_use: { web_search_requests: 3 },
      },
    },
    0.01 * 5 + 0.05 * 0.5 + 0.02 * 6.25 + 0.01 * 10 + 0.02 * 25 + 3 * 0.01,
  ],
  [
    'contents with thoughts',
    google,
    generate('gemini-2.5-flash'),
    'gemini-2.5-flash',
    {
      usageMetadata: {
        promptTokenCount: million,
        candidatesTokenCount: 100_000,
        thoughtsTokenCount: 300_000,
        totalTokenCount: 1_400_000,
        promptTokensDetails: [{ modality: 'TEXT', tokenCount: million }],
      },
    },
    0.3 + 0.4 * 2.5,
  ],
  [
    'contents with sound, some of it from a cache',
    google,
    generate('gemini-2.5-flash'),
    'gemini-2.5-flash',
    {
      usageMetadata: {
        promptTokenCount: million,
        cachedContentTokenCount: 500_000,
        candidatesTokenCount: 0,
        totalTokenCount: million,
        promptTokensDetails: [
          { modality: 'TEXT', tokenCount: 200_000 },
          { modality: 'AUDIO', tokenCount: 800_000 },
        ],
        cacheTokensDetails: [{ modality: 'AUDIO', tokenCount: 500_000 }],
      },
    },
    0.2 * 0.3 + 0.3 * 1 + 0.5 * 0.1,
  ],
  [
    'a picture of Gemini',
    google,
    generate('gemini-2.5-flash-image'),
    'gemini-2.5-flash-image',
    {
      usageMetadata: {
        promptTokenCount: 0,
        candidatesTokenCount: million,
        totalTokenCount: million,
        candidatesTokensDetails: [
          { modality: 'IMAGE', tokenCount: 900_000 },
          { modality: 'TEXT', tokenCount: 100_000 },
        ],
      },
    },
    0.9 * 30 + 0.1 * 2.5,
  ],
  [
    'a request that has a fee of its own',
    'https://api.perplexity.ai',
    '/chat/completions',
    'sonar',
    { usage: { prompt_tokens: million, completion_tokens: million, total_tokens: 2 * million } },
    1 + 1 + 0.012,
  ],
])('%s', (_, origin, path, model, answer, usd) => {
  const dialect = findDialect('llm', path);
  const usage = dialect.readUsage({ model, ...answer });
  const price = findPrice({ model, origin, provider: dialect.provider });
  if (usage === undefined || price === undefined) throw new Error('No usage or no price');
  expect(costOf(price, usage)).toBe(Math.round(usd * million));
});
