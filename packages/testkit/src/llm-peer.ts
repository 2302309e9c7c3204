import { setTimeout as pause } from 'node:timers/promises';
import type { ServerResponse } from 'node:http';
import { anthropicDialect } from './anthropic-dialect.ts';
import { countTokens, InvalidQuestion, type LlmDialect, type LlmReply } from './llm-dialect.ts';
import { answer, parseJsonBody, startLoopbackPeer, type Peer, type RecordedRequest } from './loopback-peer.ts';
import { openaiDialect } from './openai-dialect.ts';

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
  /** Answers 401 unless the caller shows this key as `Authorization: Bearer` or `x-api-key`. */
  readonly requireKey?: string | undefined;
  /** Text of every answer; the last user message unless given. */
  readonly reply?: string | ((prompt: string) => string) | undefined;
  /** The pieces in which a stream sends the reply, given instead of it or cut from it; words unless given. */
  readonly chunks?: readonly string[] | ((reply: string) => readonly string[]) | undefined;
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

const models = ['gpt-4o-mini', 'claude-opus-4-8'];

/** An LLM provider that speaks OpenAI's chat completions and Anthropic's messages, and refuses what they refuse. */
export async function startLlmPeer({
  port,
  ...initial
}: LlmBehaviour & { readonly port?: number } = {}): Promise<LlmPeer> {
  let behaviour: LlmBehaviour = initial;
  const peer = await startLoopbackPeer((request, response) => serve(request, response, behaviour), port);
  return {
    ...peer,
    behave: (change) => {
      behaviour = { ...behaviour, ...change };
    },
  };
}

async function serve(request: RecordedRequest, response: ServerResponse, behaviour: LlmBehaviour): Promise<void> {
  const dialect = request.headers['anthropic-version'] === undefined ? dialectOf(request.path) : anthropicDialect;
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
  if (requireKey !== undefined && presentedKey(request) !== requireKey)
    return refuse(401, 'Incorrect API key provided');

  const [path] = request.path.split('?');
  if (request.method === 'GET' && path === '/v1/models') return answer(response, 200, renderModels(dialect));
  if (request.method !== 'POST' || (path !== '/v1/chat/completions' && path !== '/v1/messages')) {
    return refuse(404, `Invalid URL (${request.method} ${request.path})`);
  }
  try {
    await reply(request, response, dialect, behaviour);
  } catch (error) {
    if (!(error instanceof InvalidQuestion)) throw error;
    refuse(400, error.message, error.parameter);
  }
}

const dialectOf = (path: string): LlmDialect => (path.startsWith('/v1/messages') ? anthropicDialect : openaiDialect);

const presentedKey = ({ headers }: RecordedRequest): string | undefined =>
  /^Bearer (.+)$/.exec(headers.authorization ?? '')?.[1] ?? headers['x-api-key']?.toString();

const renderModels = (dialect: LlmDialect): unknown =>
  dialect === openaiDialect
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
  const question = dialect.parse(parseJsonBody(request), request.headers);
  const pieces = splitReply(behaviour.chunks, replyText(behaviour.reply, question.prompt));
  const rendered: LlmReply = {
    model: question.model,
    pieces,
    inputTokens: countTokens(question.input),
    outputTokens: countTokens(pieces.join('')),
  };
  if (question.stream) return stream(dialect.renderStream(rendered, question), response, behaviour);

  const { fault } = behaviour;
  const body = JSON.stringify(dialect.renderReply(rendered));
  response.writeHead(200, {
    'content-type': fault?.kind === 'content-type' ? fault.value : 'application/json',
    'content-length': Buffer.byteLength(body),
    'x-request-id': 'req_peer',
  });
  if (fault?.kind !== 'hang' && fault?.kind !== 'break-off') return void response.end(body);
  await write(response, body.slice(0, body.length / 2));
  if (fault.kind === 'break-off') response.destroy();
}

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
    'content-type': fault?.kind === 'content-type' ? fault.value : 'text/event-stream; charset=utf-8',
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
async function write(response: ServerResponse, text: string, maxBytes = Number.MAX_SAFE_INTEGER): Promise<void> {
  const bytes = Buffer.from(text);
  for (let start = 0; start < bytes.length && !response.destroyed; start += maxBytes) {
    await new Promise((written) => response.write(bytes.subarray(start, start + maxBytes), written));
  }
}
