import { GoogleGenAI } from '@google/genai';
import { property, textProperty } from '@portcullis/core/json/json-value';
import { AnsweredError, post } from './answered-error.ts';
import { weather, type Called, type DialectDriver } from './dialect-drivers.ts';
import { goodKey } from './start-proxy.ts';
import { readEvents, readFrames, readLines } from './stream-events.ts';

type Data = Readonly<Record<string, unknown>>;

/** A value at a way of keys and places. */
const at = (value: unknown, ...way: readonly (string | number)[]): unknown =>
  way.reduce<unknown>((node, step) => property(node, String(step)), value);

/** An API whose clients are read by hand: how it is asked, and where its answers have their texts. */
interface Api {
  readonly name: string;
  readonly protocol: string;
  readonly path: (streams: boolean) => string;
  readonly body: (prompt: string, streams: boolean) => Data;
  readonly whole: readonly (string | number)[];
  /** A piece of text in an event; undefined for one that has none. */
  readonly piece: (event: Data) => unknown;
  readonly read: (response: Response) => AsyncGenerator<Data>;
  readonly tools?: {
    readonly body: Data;
    readonly result: (answer: unknown) => readonly Data[];
    readonly call: (answer: unknown) => { readonly name: unknown; readonly input: unknown };
    readonly streamed: { readonly name: (event: Data) => unknown; readonly input: (event: Data) => unknown };
  };
}

const schema = { type: 'object', properties: { city: { type: 'string' } } };
const withKey = (path: string): string => `${path}?key=${goodKey}`;
const inputOf = (input: unknown): unknown =>
  typeof input === 'string' ? property(JSON.parse(input), 'city') : property(input, 'city');

const createDriver = ({ name, protocol, path, body, whole, piece, read, tools }: Api): DialectDriver => ({
  name,
  protocol,
  errors: [AnsweredError, AnsweredError],
  async ask(origin, prompt, signal) {
    const answer = await post(origin, withKey(path(false)), body(prompt, false), signal);
    return String(at(await answer.json(), ...whole));
  },
  async *stream(origin, prompt, signal) {
    for await (const event of read(await post(origin, withKey(path(true)), body(prompt, true), signal))) {
      const text = piece(event);
      if (typeof text === 'string' && text !== '') yield text;
    }
  },
  ...(tools !== undefined && {
    async call(origin: string): Promise<Called> {
      const asked = { ...body('How is the weather?', false), ...tools.body };
      const answer: unknown = await (await post(origin, withKey(path(false)), asked)).json();
      const { name: called, input } = tools.call(answer);
      const messages = [...(asked['messages' as keyof typeof asked] as readonly unknown[]), ...tools.result(answer)];
      const last: unknown = await (await post(origin, withKey(path(false)), { ...asked, messages })).json();
      return { name: String(called), city: inputOf(input), answer: String(at(last, ...whole)) };
    },
    async streamCall(origin: string) {
      let [called, input]: [unknown, unknown] = [undefined, ''];
      const asked = { ...body('?', true), ...tools.body };
      for await (const event of read(await post(origin, withKey(path(true)), asked))) {
        called ??= tools.streamed.name(event);
        const more = tools.streamed.input(event);
        if (typeof more === 'string') input = String(input) + more;
        else input = more ?? input;
      }
      return { name: String(called), city: inputOf(input) };
    },
  }),
});

const googleInteractions = (origin: string) =>
  new GoogleGenAI({ apiKey: goodKey, httpOptions: { baseUrl: origin, timeout: 5_000 } }).interactions;

const user = (content: unknown) => [{ role: 'user', content }];
const claude = (prompt: string) => ({ max_tokens: 100, messages: user(prompt) });
const claudePiece = (event: Data): unknown =>
  at(event, 'delta', 'type') === 'text_delta' ? at(event, 'delta', 'text') : undefined;

const vertexModel = '/v1/projects/p/locations/l/publishers/anthropic/models/claude-sonnet-4-5@20250929';
const vertexClaude = createDriver({
  name: 'Claude on Vertex AI',
  protocol: 'anthropic-messages',
  path: (streams) => `${vertexModel}:${streams ? 'streamR' : 'r'}awPredict`,
  body: (prompt, streams) => ({
    anthropic_version: 'vertex-2023-10-16',
    ...claude(prompt),
    ...(streams && { stream: true }),
  }),
  whole: ['content', 0, 'text'],
  piece: claudePiece,
  read: readEvents,
});

const bedrockModel = '/model/us.anthropic.claude-sonnet-4-5-20250929-v1%3A0';
const bedrockClaude = createDriver({
  name: 'Claude on Bedrock',
  protocol: 'anthropic-messages',
  path: (streams) => `${bedrockModel}/invoke${streams ? '-with-response-stream' : ''}`,
  body: (prompt) => ({ anthropic_version: 'bedrock-2023-05-31', ...claude(prompt) }),
  whole: ['content', 0, 'text'],
  piece: claudePiece,
  read: readFrames,
});

const toolUse = (answer: unknown): unknown => at(answer, 'output', 'message', 'content', 0, 'toolUse');
const bedrockConverse = createDriver({
  name: 'Bedrock Converse',
  protocol: 'bedrock-converse',
  path: (streams) => `${bedrockModel}/converse${streams ? '-stream' : ''}`,
  body: (prompt) => ({ messages: user([{ text: prompt }]) }),
  whole: ['output', 'message', 'content', 0, 'text'],
  piece: (event) => at(event, 'contentBlockDelta', 'delta', 'text'),
  read: readFrames,
  tools: {
    body: { toolConfig: { tools: [{ toolSpec: { name: weather.name, inputSchema: { json: schema } } }] } },
    call: (answer) => ({ name: property(toolUse(answer), 'name'), input: property(toolUse(answer), 'input') }),
    result: (answer) => [
      at(answer, 'output', 'message') as Data,
      {
        role: 'user',
        content: [
          { toolResult: { toolUseId: property(toolUse(answer), 'toolUseId'), content: [{ text: weather.result }] } },
          { text: 'And?' },
        ],
      },
    ],
    streamed: {
      name: (event) => at(event, 'contentBlockStart', 'start', 'toolUse', 'name'),
      input: (event) => at(event, 'contentBlockDelta', 'delta', 'toolUse', 'input'),
    },
  },
});

const functionTool = { type: 'function', function: { name: weather.name, parameters: schema } };
const ollamaCall = (answer: unknown): unknown => at(answer, 'message', 'tool_calls', 0, 'function');
const ollamaChat = createDriver({
  name: 'Ollama chat',
  protocol: 'ollama-chat',
  path: () => '/api/chat',
  body: (prompt, streams) => ({ model: 'llama3.2', messages: user(prompt), ...(!streams && { stream: false }) }),
  whole: ['message', 'content'],
  piece: (event) => at(event, 'message', 'content'),
  read: readLines,
  tools: {
    body: { tools: [functionTool] },
    call: (answer) => ({
      name: property(ollamaCall(answer), 'name'),
      input: property(ollamaCall(answer), 'arguments'),
    }),
    result: (answer) => [
      at(answer, 'message') as Data,
      { role: 'tool', tool_name: weather.name, content: weather.result },
      { role: 'user', content: 'And?' },
    ],
    streamed: {
      name: (event) => property(ollamaCall(event), 'name'),
      input: (event) => property(ollamaCall(event), 'arguments'),
    },
  },
});

const ollamaGenerate = createDriver({
  name: 'Ollama generate',
  protocol: 'ollama-generate',
  path: () => '/api/generate',
  body: (prompt, streams) => ({ model: 'llama3.2', prompt, ...(!streams && { stream: false }) }),
  whole: ['response'],
  piece: (event) => property(event, 'response'),
  read: readLines,
});

const cohereCall = (answer: unknown): unknown => at(answer, 'message', 'tool_calls', 0);
const cohere = createDriver({
  name: 'Cohere chat',
  protocol: 'cohere-chat',
  path: () => '/v2/chat',
  body: (prompt, stream) => ({ model: 'command-r-plus-08-2024', messages: user(prompt), ...(stream && { stream }) }),
  whole: ['message', 'content', 0, 'text'],
  piece: (event) => at(event, 'delta', 'message', 'content', 'text'),
  read: readEvents,
  tools: {
    body: { tools: [functionTool] },
    call: (answer) => ({
      name: at(cohereCall(answer), 'function', 'name'),
      input: at(cohereCall(answer), 'function', 'arguments'),
    }),
    result: (answer) => [
      at(answer, 'message') as Data,
      { role: 'tool', tool_call_id: textProperty(cohereCall(answer), 'id'), content: weather.result },
      { role: 'user', content: 'And?' },
    ],
    streamed: {
      name: (event) => at(event, 'delta', 'message', 'tool_calls', 'function', 'name'),
      input: (event) => at(event, 'delta', 'message', 'tool_calls', 'function', 'arguments'),
    },
  },
});

/** Google's own client. */
const interactions: DialectDriver = {
  name: 'Gemini interactions',
  protocol: 'gemini-interactions',
  errors: [Error, Error],
  async ask(origin, input, signal) {
    const asked = { model: 'gemini-2.5-flash', input };
    const answer = await googleInteractions(origin).create(asked, { ...(signal && { signal }) });
    return answer.output_text ?? '';
  },
  async *stream(origin, input, signal) {
    const asked = { model: 'gemini-2.5-flash', input, stream: true as const };
    for await (const event of await googleInteractions(origin).create(asked, { ...(signal && { signal }) })) {
      // Google's client hands it on like any other.
      if (event.event_type === 'error') throw new AnsweredError(403, event.error?.message ?? '');
      if (event.event_type === 'step.delta' && event.delta.type === 'text') yield event.delta.text;
      // Its request is cloned on the way: where the first of the two was collected, its signal stops nothing any more.
      if (signal?.aborted) return;
    }
  },
};

export const otherApiDrivers: readonly DialectDriver[] = [
  vertexClaude,
  bedrockClaude,
  bedrockConverse,
  ollamaChat,
  ollamaGenerate,
  cohere,
  interactions,
];
