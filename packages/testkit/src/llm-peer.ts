import { setTimeout as pause } from 'node:timers/promises';
import type { ServerResponse } from 'node:http';
import { anthropicDialect } from './anthropic-dialect.ts';
import { bedrockConverseDialect } from './bedrock-converse-dialect.ts';
import { bedrockClaudeDialect, vertexClaudeDialect } from './hosted-claude-dialects.ts';
import { cohereDialect } from './cohere-dialect.ts';
import { geminiDialect } from './gemini-dialect.ts';
import { geminiInteractionsDialect } from './gemini-interactions-dialect.ts';
import {
  countTokens,
  InvalidQuestion,
  type LlmCall,
  type LlmDialect,
  type LlmQuestion,
  type LlmReply,
} from './llm-dialect.ts';
import { answer, parseJsonBody, startLoopbackPeer, type Peer, type RecordedRequest } from './loopback-peer.ts';
import { ollamaChatDialect, ollamaGenerateDialect } from './ollama-dialect.ts';
import { openaiCompletionsDialect } from './openai-completions-dialect.ts';
import { openaiDialect } from './openai-dialect.ts';
import { openaiEmbeddingsDialect } from './openai-embeddings-dialect.ts';
import { openaiResponsesDialect } from './openai-responses-dialect.ts';
import { openaiThreadsDialect } from './openai-threads-dialect.ts';
import { echoDialect } from './echo-dialect.ts';

/** How the peer misbehaves. Pieces are pieces of streamed text; in an answer in one body the whole text is one. */
export type LlmFault =
  | { readonly kind: 'status'; readonly status: number; readonly headers?: Readonly<Record<string, string>> }
  /** Takes the request and never answers, or falls silent after some pieces. */
  | { readonly kind: 'hang'; readonly afterPieces?: number }
  /** Closes the connection before the answer, or after some pieces of it. */
  | { readonly kind: 'break-off'; readonly afterPieces?: number }
  /** Answers what it should under another content type. */
  | { readonly kind: 'content-type'; readonly value: string };

export interface LlmBehaviour {
  /** Answers 401 unless the caller shows this key, and no other, where the clients of the API have it. */
  readonly requireKey?: string | undefined;
  /** Text of every answer; the last user message unless given. */
  readonly reply?: string | ((prompt: string) => string) | undefined;
  /** The pieces in which a stream sends the reply, given instead of it or cut from it; words unless given. */
  readonly chunks?: readonly string[] | ((reply: string) => readonly string[]) | undefined;
  /**
   * The tool that is called when the caller offers some and has not answered a call yet; or what the peer does next
   * in a conversation with tools, undefined once it answers with text.
   */
  readonly call?: LlmCall | ((question: LlmQuestion) => LlmCall | undefined) | undefined;
  /** Pause before the response headers. */
  readonly delayMs?: number | undefined;
  /** Pause before each piece of a stream. */
  readonly chunkDelayMs?: number | undefined;
  /** Writes a stream in pieces of so many bytes, across frames and characters. */
  readonly writeBytes?: number | undefined;
  readonly fault?: LlmFault | undefined;
}

export interface LlmPeer extends Peer {
  /** Changes the behaviour for requests from now on; what is not given stays. */
  behave(change: LlmBehaviour): void;
}

const models = ['gpt-4o-mini', 'claude-opus-4-8', 'gemini-2.5-flash'];

/** An LLM provider that speaks the APIs of OpenAI, Anthropic, Google and others, and refuses what they refuse. */
export async function startLlmPeer({
  port,
  host,
  ...initial
}: LlmBehaviour & { readonly port?: number; readonly host?: string } = {}): Promise<LlmPeer> {
  let behaviour: LlmBehaviour = initial;
  const peer = await startLoopbackPeer(
    (request, response) => serve(request, response, behaviour),
    port,
    undefined,
    host,
  );
  return {
    ...peer,
    behave: (change) => {
      behaviour = { ...behaviour, ...change };
    },
  };
}

async function serve(request: RecordedRequest, response: ServerResponse, behaviour: LlmBehaviour): Promise<void> {
  const [path = ''] = request.path.split('?');
  const known = findDialect(path);
  const dialect = known ?? (request.headers['anthropic-version'] === undefined ? openaiDialect : anthropicDialect);
  const refuse = (status: number, message: string, parameter: string | null = null) =>
    answer(response, status, dialect.renderError(status, message, parameter), { 'x-request-id': 'req_peer' });

  const { fault, requireKey } = behaviour;
  if (behaviour.delayMs !== undefined) await pause(behaviour.delayMs);
  if (fault?.kind === 'status') {
    return answer(
      response,
      fault.status,
      dialect.renderError(fault.status, 'The peer was told to fail'),
      fault.headers,
    );
  }
  if (fault?.kind === 'hang' && fault.afterPieces === undefined) return;
  if (fault?.kind === 'break-off' && fault.afterPieces === undefined) return void response.destroy();
  if (requireKey !== undefined && presentedKeys(request).some((key) => key !== requireKey))
    return refuse(401, 'Incorrect API key provided');

  if (request.method === 'GET' && path === '/v1/models') return answer(response, 200, renderModels(dialect));
  if (request.method !== 'POST' || known === undefined) {
    return refuse(404, `Invalid URL (${request.method} ${request.path})`);
  }
  try {
    await reply(request, response, dialect, behaviour);
  } catch (error) {
    if (!(error instanceof InvalidQuestion)) throw error;
    refuse(400, error.message, error.parameter);
  }
}

const dialects: readonly (readonly [path: RegExp, dialect: LlmDialect])[] = [
  [/^\/v1\/chat\/completions$/, openaiDialect],
  [/^\/v1\/messages$/, anthropicDialect],
  [/^\/v1\/responses$/, openaiResponsesDialect],
  [/^\/v1\/completions$/, openaiCompletionsDialect],
  [/^\/v1\/embeddings$/, openaiEmbeddingsDialect],
  [/^\/v1(?:beta)?\/models\/[^/:]+:(?:streamG|g)enerateContent$/, geminiDialect],
  [/^\/v1(?:beta)?\/interactions$/, geminiInteractionsDialect],
  [/^\/v1\/threads\/runs$/, openaiThreadsDialect],
  [/\/publishers\/anthropic\/models\/[^/:]+:(?:streamR|r)awPredict$/, vertexClaudeDialect],
  [/^\/model\/[^/]+\/converse(?:-stream)?$/, bedrockConverseDialect],
  [/^\/model\/[^/]*anthropic\.[^/]+\/invoke(?:-with-response-stream)?$/, bedrockClaudeDialect],
  [/^\/api\/chat$/, ollamaChatDialect],
  [/^\/api\/generate$/, ollamaGenerateDialect],
  [/^\/v2\/chat$/, cohereDialect],
  [/^\/say$/, echoDialect],
];

const findDialect = (path: string): LlmDialect | undefined => dialects.find(([known]) => known.test(path))?.[1];

/** Every key that arrived, wherever; `undefined` when there is none. */
function presentedKeys({ headers, path }: RecordedRequest): readonly (string | undefined)[] {
  const keys = [
    headers.authorization === undefined ? undefined : (/^Bearer (.+)$/.exec(headers.authorization)?.[1] ?? ''),
    headers['x-api-key']?.toString(),
    headers['x-goog-api-key']?.toString(),
    new URL(path, 'http://peer').searchParams.get('key') ?? undefined,
  ].filter((key) => key !== undefined);
  return keys.length === 0 ? [undefined] : keys;
}

const renderModels = (dialect: LlmDialect): unknown =>
  dialect !== anthropicDialect
    ? { object: 'list', data: models.map((id) => ({ id, object: 'model', created: 1_767_225_600, owned_by: 'peer' })) }
    : {
        data: models.map((id) => ({ type: 'model', id, display_name: id, created_at: '2026-01-01T00:00:00Z' })),
        has_more: false,
        first_id: models[0],
        last_id: models.at(-1),
      };

async function reply(
  request: RecordedRequest,
  response: ServerResponse,
  dialect: LlmDialect,
  behaviour: LlmBehaviour,
): Promise<void> {
  const question = dialect.parse(parseJsonBody(request), request.headers, request.path);
  const call = nextCall(behaviour.call, question);
  const pieces =
    call === undefined
      ? splitReply(behaviour.chunks, replyText(behaviour.reply, question.prompt))
      : (argumentsText(call).match(/.{1,5}/gs) ?? []);
  const rendered: LlmReply = {
    model: question.model,
    pieces,
    call,
    number: question.results.length + 1,
    inputTokens: countTokens(question.input),
    outputTokens: countTokens(pieces.join('')),
  };
  if (question.stream) return stream(dialect.renderStream(rendered, question), response, behaviour);

  const { fault } = behaviour;
  const body = JSON.stringify(dialect.renderReply(rendered, question));
  response.writeHead(200, {
    'content-type': fault?.kind === 'content-type' ? fault.value : 'application/json',
    'content-length': Buffer.byteLength(body),
    'x-request-id': 'req_peer',
  });
  if (fault?.kind !== 'hang' && fault?.kind !== 'break-off') return void response.end(body);
  await write(response, body.slice(0, body.length / 2));
  if (fault.kind === 'break-off') response.destroy();
}

function nextCall(call: LlmBehaviour['call'], question: LlmQuestion): LlmCall | undefined {
  if (question.tools.length === 0) return undefined;
  if (typeof call === 'function') return call(question);
  return question.results.length === 0 ? call : undefined;
}

const argumentsText = ({ arguments: given }: LlmCall): string =>
  typeof given === 'string' ? given : JSON.stringify(given);

const replyText = (reply: LlmBehaviour['reply'], prompt: string): string =>
  typeof reply === 'function' ? reply(prompt) : (reply ?? prompt);

const splitReply = (chunks: LlmBehaviour['chunks'] = splitWords, reply: string): readonly string[] =>
  typeof chunks === 'function' ? chunks(reply) : chunks;

/** Words with the space before them, as providers send them. */
const splitWords = (text: string): readonly string[] => text.match(/\s*\S+|\s+$/g) ?? [text];

async function stream(
  frames: ReturnType<LlmDialect['renderStream']>,
  response: ServerResponse,
  { fault, chunkDelayMs, writeBytes }: LlmBehaviour,
): Promise<void> {
  response.writeHead(200, {
    'content-type':
      fault?.kind === 'content-type' ? fault.value : (frames.contentType ?? 'text/event-stream; charset=utf-8'),
    'cache-control': 'no-cache',
    'x-request-id': 'req_peer',
  });
  for (const [index, frame] of [frames.head, ...frames.pieces, frames.tail].entries()) {
    if ((fault?.kind === 'hang' || fault?.kind === 'break-off') && index - 1 === fault.afterPieces) {
      if (fault.kind === 'break-off') response.destroy();
      return;
    }
    if (chunkDelayMs !== undefined && index > 0) await pause(chunkDelayMs);
    await write(response, frame, writeBytes);
  }
  response.end();
}

/** Every write leaves on its own, so that the reader meets the boundaries the test asked for. */
async function write(
  response: ServerResponse,
  text: string | Buffer,
  maxBytes = Number.MAX_SAFE_INTEGER,
): Promise<void> {
  const bytes = typeof text === 'string' ? Buffer.from(text) : text;
  for (let start = 0; start < bytes.length && !response.destroyed; start += maxBytes) {
    await new Promise((written) => response.write(bytes.subarray(start, start + maxBytes), written));
  }
}
