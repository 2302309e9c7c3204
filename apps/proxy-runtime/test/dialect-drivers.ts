import { Anthropic } from '@anthropic-ai/sdk';
import { ApiError, GoogleGenAI, type Content, type GenerateContentParameters } from '@google/genai';
import { OpenAI } from 'openai';
import { AnsweredError, post } from './answered-error.ts';
import { goodKey } from './start-proxy.ts';

/** The tool that drivers offer, and what they answer its call with. */
export const weather = { name: 'weather', result: 'rain in Bern' } as const;
/** A red dot. */
const png = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAIAAACQd1PeAAAADElEQVR4nGP4z8AAAAMBAQDJ/pLvAAAAAElFTkSuQmCC';
const schema = { type: 'object', properties: { city: { type: 'string' } } } as const;

/** A call that a driver was asked for, and the answer it got after the tool had answered. */
export interface Called {
  readonly name: string | undefined;
  readonly city: unknown;
  readonly answer: string;
}

type ErrorClass = abstract new (...parts: never[]) => Error;

/**
 * What a client of one API does through a proxy port, official clients where there are any. They know the
 * gateway's address and key and nothing else of it. What an API does not have is left out.
 */
export interface DialectDriver {
  readonly name: string;
  /** Name of the dialect in the records. */
  readonly protocol: string;
  /** What its client throws when it is refused with 403, and when a stream ends in an error. */
  readonly errors: readonly [refused: ErrorClass, brokenOff: ErrorClass];
  ask(origin: string, prompt: string, signal?: AbortSignal): Promise<string>;
  stream?(origin: string, prompt: string, signal?: AbortSignal): AsyncIterable<string>;
  call?(origin: string): Promise<Called>;
  streamCall?(origin: string): Promise<Omit<Called, 'answer'>>;
  /** Asks about an image. */
  see?(origin: string): Promise<string>;
}

const cityIn = (json: string): unknown => (JSON.parse(json) as { city: unknown }).city;

const openai = (origin: string) =>
  new OpenAI({ baseURL: `${origin}/v1`, apiKey: goodKey, maxRetries: 0, timeout: 5_000 });
const user = <Content>(content: Content) => ({ role: 'user' as const, content });

const chat = { model: 'gpt-4o-mini' };
const chatTools = [{ type: 'function' as const, function: { name: weather.name, parameters: schema } }];
const openaiChat: DialectDriver = {
  name: 'OpenAI chat completions',
  protocol: 'openai-chat',
  errors: [OpenAI.PermissionDeniedError, OpenAI.APIError],
  async ask(origin, prompt, signal) {
    const answer = await openai(origin).chat.completions.create({ ...chat, messages: [user(prompt)] }, { signal });
    return answer.choices[0]?.message.content ?? '';
  },
  async *stream(origin, prompt, signal) {
    const asked = { ...chat, messages: [user(prompt)], stream: true as const };
    for await (const { choices } of await openai(origin).chat.completions.create(asked, { signal })) {
      if (choices[0]?.delta.content) yield choices[0].delta.content;
    }
  },
  async call(origin) {
    const messages: OpenAI.ChatCompletionMessageParam[] = [user('How is the weather?')];
    const asked = await openai(origin).chat.completions.create({ ...chat, messages, tools: chatTools });
    const message = asked.choices[0]?.message;
    const call = message?.tool_calls?.[0];
    if (message === undefined || call?.type !== 'function') throw new Error('No call');
    messages.push(message, { role: 'tool', tool_call_id: call.id, content: weather.result }, user('And?'));
    const answer = await openai(origin).chat.completions.create({ ...chat, messages, tools: chatTools });
    const { name, arguments: json } = call.function;
    return { name, city: cityIn(json), answer: answer.choices[0]?.message.content ?? '' };
  },
  async streamCall(origin) {
    const stream = openai(origin).chat.completions.stream({ ...chat, messages: [user('?')], tools: chatTools });
    const call = (await stream.finalMessage()).tool_calls?.[0];
    if (call?.type !== 'function') throw new Error('No call');
    return { name: call.function.name, city: cityIn(call.function.arguments) };
  },
  async see(origin) {
    const image = { type: 'image_url' as const, image_url: { url: `data:image/png;base64,${png}` } };
    const messages = [user([{ type: 'text' as const, text: 'What is ' }, image])];
    const answer = await openai(origin).chat.completions.create({ ...chat, messages });
    return answer.choices[0]?.message.content ?? '';
  },
};

const responsesTools = [{ type: 'function' as const, name: weather.name, parameters: schema, strict: false }];
const openaiResponses: DialectDriver = {
  name: 'OpenAI responses',
  protocol: 'openai-responses',
  errors: [OpenAI.PermissionDeniedError, OpenAI.APIError],
  async ask(origin, prompt, signal) {
    return (await openai(origin).responses.create({ ...chat, input: prompt }, { signal })).output_text;
  },
  async *stream(origin, prompt, signal) {
    const stream = await openai(origin).responses.create({ ...chat, input: prompt, stream: true }, { signal });
    for await (const event of stream) if (event.type === 'response.output_text.delta') yield event.delta;
  },
  async call(origin) {
    const input: OpenAI.Responses.ResponseInput = [user('How is the weather?')];
    const { output } = await openai(origin).responses.create({ ...chat, input, tools: responsesTools });
    const [call] = output;
    if (call?.type !== 'function_call') throw new Error('No call');
    input.push(call, { type: 'function_call_output', call_id: call.call_id, output: weather.result });
    const answer = await openai(origin).responses.create({ ...chat, input, tools: responsesTools });
    return { name: call.name, city: cityIn(call.arguments), answer: answer.output_text };
  },
  async streamCall(origin) {
    const stream = openai(origin).responses.stream({ ...chat, input: '?', tools: responsesTools });
    const [call] = (await stream.finalResponse()).output;
    if (call?.type !== 'function_call') throw new Error('No call');
    return { name: call.name, city: cityIn(call.arguments) };
  },
  async see(origin) {
    const image = { type: 'input_image' as const, image_url: `data:image/png;base64,${png}`, detail: 'auto' as const };
    const input = [user([{ type: 'input_text' as const, text: 'What is ' }, image])];
    return (await openai(origin).responses.create({ ...chat, input })).output_text;
  },
};

const openaiCompletions: DialectDriver = {
  name: 'OpenAI completions',
  protocol: 'openai-completions',
  errors: [OpenAI.PermissionDeniedError, OpenAI.APIError],
  async ask(origin, prompt, signal) {
    return (await openai(origin).completions.create({ ...chat, prompt }, { signal })).choices[0]?.text ?? '';
  },
  async *stream(origin, prompt, signal) {
    const stream = await openai(origin).completions.create({ ...chat, prompt, stream: true }, { signal });
    for await (const { choices } of stream) if (choices[0]?.text) yield choices[0].text;
  },
};

const openaiEmbeddings: DialectDriver = {
  name: 'OpenAI embeddings',
  protocol: 'openai-embeddings',
  errors: [OpenAI.PermissionDeniedError, OpenAI.APIError],
  async ask(origin, input, signal) {
    const { data } = await openai(origin).embeddings.create({ model: 'text-embedding-3-small', input }, { signal });
    return String.fromCharCode(...(data[0]?.embedding ?? []).map((figure) => figure * 65_536));
  },
};

const anthropic = (origin: string) =>
  new Anthropic({ baseURL: origin, apiKey: goodKey, maxRetries: 0, timeout: 5_000 });
const message = { model: 'claude-opus-4-8', max_tokens: 100 };
const messageTools = [{ name: weather.name, input_schema: schema as Anthropic.Tool.InputSchema }];
const textOf = ({ content }: Anthropic.Message): string => (content[0]?.type === 'text' ? content[0].text : '');
const anthropicMessages: DialectDriver = {
  name: 'Anthropic messages',
  protocol: 'anthropic-messages',
  errors: [Anthropic.PermissionDeniedError, Anthropic.APIError],
  async ask(origin, prompt, signal) {
    const asked = { ...message, messages: [user(prompt)] };
    return textOf(await anthropic(origin).messages.create(asked, { signal: signal ?? null }));
  },
  async *stream(origin, prompt, signal) {
    const asked = { ...message, messages: [user(prompt)], stream: true as const };
    for await (const event of await anthropic(origin).messages.create(asked, { signal: signal ?? null })) {
      if (event.type === 'content_block_delta' && event.delta.type === 'text_delta') yield event.delta.text;
    }
  },
  async call(origin) {
    const messages: Anthropic.MessageParam[] = [user('How is the weather?')];
    const asked = await anthropic(origin).messages.create({ ...message, messages, tools: messageTools });
    const [call] = asked.content;
    if (call?.type !== 'tool_use') throw new Error('No call');
    const result = { type: 'tool_result' as const, tool_use_id: call.id, content: weather.result };
    messages.push({ role: 'assistant', content: asked.content }, user([result]));
    const answer = await anthropic(origin).messages.create({ ...message, messages, tools: messageTools });
    return { name: call.name, city: (call.input as { city: unknown }).city, answer: textOf(answer) };
  },
  async streamCall(origin) {
    const stream = anthropic(origin).messages.stream({ ...message, messages: [user('?')], tools: messageTools });
    const [call] = (await stream.finalMessage()).content;
    if (call?.type !== 'tool_use') throw new Error('No call');
    return { name: call.name, city: (call.input as { city: unknown }).city };
  },
  async see(origin) {
    const image = {
      type: 'image' as const,
      source: { type: 'base64' as const, media_type: 'image/png' as const, data: png },
    };
    const messages = [user([{ type: 'text' as const, text: 'What is ' }, image])];
    return textOf(await anthropic(origin).messages.create({ ...message, messages }));
  },
};

const google = (origin: string) =>
  new GoogleGenAI({ apiKey: goodKey, httpOptions: { baseUrl: origin, timeout: 5_000 } }).models;
const question = (
  contents: GenerateContentParameters['contents'],
  signal?: AbortSignal,
): GenerateContentParameters => ({
  model: 'gemini-2.5-flash',
  contents,
  ...(signal !== undefined && { config: { abortSignal: signal } }),
});
const geminiTools = { tools: [{ functionDeclarations: [{ name: weather.name, parametersJsonSchema: schema }] }] };
const gemini: DialectDriver = {
  name: 'Gemini',
  protocol: 'gemini',
  errors: [ApiError, ApiError],
  async ask(origin, prompt, signal) {
    return (await google(origin).generateContent(question(prompt, signal))).text ?? '';
  },
  async *stream(origin, prompt, signal) {
    for await (const { text } of await google(origin).generateContentStream(question(prompt, signal))) {
      if (text) yield text;
    }
  },
  async call(origin) {
    const contents: Content[] = [{ role: 'user', parts: [{ text: 'How is the weather?' }] }];
    const asked = await google(origin).generateContent({ ...question(contents), config: geminiTools });
    const [call] = asked.functionCalls ?? [];
    const functionResponse = { name: call?.name ?? '', response: { output: weather.result } };
    contents.push(asked.candidates?.[0]?.content ?? {}, { role: 'user', parts: [{ functionResponse }] });
    const answer = await google(origin).generateContent({ ...question(contents), config: geminiTools });
    return { name: call?.name, city: call?.args?.['city'], answer: answer.text ?? '' };
  },
  async streamCall(origin) {
    const asked = { ...question('?'), config: geminiTools };
    for await (const { functionCalls } of await google(origin).generateContentStream(asked)) {
      const [call] = functionCalls ?? [];
      if (call !== undefined) return { name: call.name, city: call.args?.['city'] };
    }
    throw new Error('No call');
  },
  async see(origin) {
    const parts = [{ text: 'What is ' }, { inlineData: { mimeType: 'image/png', data: png } }];
    return (await google(origin).generateContent(question([{ role: 'user', parts }]))).text ?? '';
  },
};

interface GeminiAnswer {
  readonly error?: { readonly code: number };
  readonly candidates?: readonly { readonly content: { readonly parts: readonly { readonly text?: string }[] } }[];
}

/** As Google's own servers are read without a library: a JSON list, and the key in the query. */
const geminiList: DialectDriver = {
  name: 'Gemini as a list',
  protocol: 'gemini',
  errors: [AnsweredError, AnsweredError],
  async ask(origin, prompt, signal) {
    let text = '';
    for await (const piece of this.stream?.(origin, prompt, signal) ?? []) text += piece;
    return text;
  },
  async *stream(origin, prompt, signal) {
    const path = `/v1beta/models/gemini-2.5-flash:streamGenerateContent?key=${goodKey}`;
    const { body } = await post(origin, path, { contents: [{ parts: [{ text: prompt }] }] }, signal);
    let read = '';
    let told = 0;
    for await (const chunk of body ?? []) {
      read += Buffer.from(chunk).toString();
      // A list that is not over yet reads as one when it is closed.
      for (const answer of parseAnswers(read).slice(told)) {
        told += 1;
        if (answer.error !== undefined) throw new AnsweredError(answer.error.code, JSON.stringify(answer));
        const text = answer.candidates?.[0]?.content.parts[0]?.text;
        if (text) yield text;
      }
    }
    JSON.parse(read);
  },
};

function parseAnswers(read: string): readonly GeminiAnswer[] {
  for (const source of [read, `${read}]`]) {
    try {
      return JSON.parse(source) as GeminiAnswer[];
    } catch {
      // The last member is not complete.
    }
  }
  return [];
}

/** Some API that the gateway has never heard of. */
const anyJson: DialectDriver = {
  name: 'any JSON',
  protocol: 'any-json',
  errors: [AnsweredError, AnsweredError],
  async ask(origin, prompt, signal) {
    const answer = await post(origin, `/say?key=${goodKey}`, { text: prompt }, signal);
    return ((await answer.json()) as { text: string }).text;
  },
  async *stream(origin, prompt, signal) {
    const { body } = await post(origin, `/say?key=${goodKey}`, { text: prompt, stream: true }, signal);
    let read = '';
    for await (const chunk of body ?? []) {
      const events = (read + Buffer.from(chunk).toString()).split('\n\n');
      read = events.pop() ?? '';
      for (const event of events) {
        const source = /^data: (.*)$/m.exec(event)?.[1] ?? '{}';
        const data = JSON.parse(source) as { text?: string; error?: unknown };
        if (data.error !== undefined) throw new AnsweredError(403, event);
        if (data.text !== undefined) yield data.text;
      }
    }
  },
};

export const dialectDrivers: readonly DialectDriver[] = [
  openaiChat,
  openaiResponses,
  openaiCompletions,
  openaiEmbeddings,
  anthropicMessages,
  gemini,
  geminiList,
  anyJson,
];
