import { Anthropic } from '@anthropic-ai/sdk';
import { createAnthropic } from '@ai-sdk/anthropic';
import { createGoogleGenerativeAI } from '@ai-sdk/google';
import { createOpenAI } from '@ai-sdk/openai';
import { GoogleGenAI } from '@google/genai';
import { ChatGoogleGenerativeAI } from '@langchain/google-genai';
import { ChatOpenAI } from '@langchain/openai';
import { generateText, streamText, type LanguageModel } from 'ai';
import { OpenAI } from 'openai';

/** What an application does with one SDK, as its documentation says and without another error handling than `catch`. */
export interface SdkDriver {
  readonly name: string;
  /** Asks and reads the whole answer. */
  ask(origin: string, key: string): Promise<unknown>;
  /** Asks for a stream and reads it to its end. */
  stream(origin: string, key: string): Promise<unknown>;
}

const [question, gpt, claude, flash] = ['Hello', 'gpt-4o-mini', 'claude-opus-4-8', 'gemini-2.5-flash'];
const messages = [{ role: 'user' as const, content: question }];

async function exhaust(stream: AsyncIterable<unknown> | Promise<AsyncIterable<unknown>>): Promise<void> {
  for await (const _ of await stream);
}

const openai = (baseUrl: string, apiKey: string) =>
  new OpenAI({ baseURL: `${baseUrl}/v1`, apiKey, maxRetries: 0, timeout: 5_000 });
const anthropic = (baseURL: string, apiKey: string) =>
  new Anthropic({ baseURL, apiKey, maxRetries: 0, timeout: 5_000 }).messages;
const google = (baseUrl: string, apiKey: string) =>
  new GoogleGenAI({ apiKey, httpOptions: { baseUrl, timeout: 5_000 } }).models;

const official: readonly SdkDriver[] = [
  {
    name: 'openai, chat',
    ask: (origin, key) => openai(origin, key).chat.completions.create({ model: gpt, messages }),
    stream: (origin, key) =>
      exhaust(openai(origin, key).chat.completions.create({ model: gpt, messages, stream: true })),
  },
  {
    name: 'openai, responses',
    ask: (origin, key) => openai(origin, key).responses.create({ model: gpt, input: question }),
    stream: (origin, key) =>
      exhaust(openai(origin, key).responses.create({ model: gpt, input: question, stream: true })),
  },
  {
    name: '@anthropic-ai/sdk',
    ask: (origin, key) => anthropic(origin, key).create({ model: claude, max_tokens: 9, messages }),
    stream: (origin, key) =>
      exhaust(anthropic(origin, key).create({ model: claude, max_tokens: 9, messages, stream: true })),
  },
  {
    name: '@google/genai',
    ask: (origin, key) => google(origin, key).generateContent({ model: flash, contents: question }),
    stream: (origin, key) => exhaust(google(origin, key).generateContentStream({ model: flash, contents: question })),
  },
];

/** Vercel's SDK hands the error of a stream to a callback and ends the stream as if nothing was. */
async function streamWithVercel(model: LanguageModel): Promise<void> {
  let problem: unknown;
  const { textStream } = streamText({
    model,
    prompt: question,
    maxRetries: 0,
    onError({ error }) {
      problem = error;
    },
  });
  await exhaust(textStream);
  if (problem !== undefined) throw problem instanceof Error ? problem : new Error(JSON.stringify(problem));
}

const vercel = (name: string, model: (origin: string, key: string) => LanguageModel): SdkDriver => ({
  name: `ai with ${name}`,
  ask: (origin, key) => generateText({ model: model(origin, key), prompt: question, maxRetries: 0 }),
  stream: (origin, key) => streamWithVercel(model(origin, key)),
});

const chatOpenai = (origin: string, apiKey: string) =>
  new ChatOpenAI({ model: gpt, apiKey, maxRetries: 0, configuration: { baseURL: `${origin}/v1` } });
const chatGoogle = (baseUrl: string, apiKey: string) =>
  new ChatGoogleGenerativeAI({ model: flash, apiKey, maxRetries: 0, baseUrl });

export const sdkDrivers: readonly SdkDriver[] = [
  ...official,
  vercel('@ai-sdk/openai, chat', (origin, apiKey) => createOpenAI({ baseURL: `${origin}/v1`, apiKey }).chat(gpt)),
  vercel('@ai-sdk/openai, responses', (origin, apiKey) =>
    createOpenAI({ baseURL: `${origin}/v1`, apiKey }).responses(gpt),
  ),
  vercel('@ai-sdk/anthropic', (origin, apiKey) => createAnthropic({ baseURL: `${origin}/v1`, apiKey })(claude)),
  vercel('@ai-sdk/google', (origin, apiKey) =>
    createGoogleGenerativeAI({ baseURL: `${origin}/v1beta`, apiKey })(flash),
  ),
  {
    name: '@langchain/openai',
    ask: (origin, key) => chatOpenai(origin, key).invoke(question),
    stream: (origin, key) => exhaust(chatOpenai(origin, key).stream(question)),
  },
  {
    name: '@langchain/google-genai',
    ask: (origin, key) => chatGoogle(origin, key).invoke(question),
    async stream(origin, key) {
      // It throws nothing within a stream, and says in its pieces how that ended.
      for await (const { response_metadata } of await chatGoogle(origin, key).stream(question)) {
        const { finishReason, finishMessage } = response_metadata as Record<string, string | undefined>;
        if (finishReason !== undefined && finishReason !== 'STOP') throw new Error(finishMessage);
      }
    },
  },
];
