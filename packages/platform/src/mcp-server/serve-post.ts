import { objectOf } from '@portcullis/core/json/json-object';
import type { IncomingMessage } from 'node:http';
import { freeAnonymousBytes } from '../http/body-memory.ts';
import { openHeldBody, type MemoryShare } from '../http/held-body.ts';
import { isUnknownSession, sendSessionNotFound, type McpExchange } from './mcp-exchange.ts';
import type { McpSessions } from './mcp-sessions.ts';
import { clientNameOf, readMessages } from './read-messages.ts';
import { sendRpcFailure } from './rpc-failure.ts';
import { sendWebResponse } from './send-web-response.ts';
import { isInitialize, type MessageServer } from './serve-messages.ts';

export interface PostParts {
  readonly sessions: McpSessions;
  readonly messages: MessageServer;
  readonly maxBodyBytes: number;
  readonly bodyMemory: MemoryShare<string>;
  /** Counts one message more. @throws {GatewayError} `too_many_requests` */
  readonly count: () => Promise<void>;
}

/** POST: a message of the client, or a batch of them, and its answer. */
export async function servePost(exchange: McpExchange, parts: PostParts): Promise<void> {
  const { request, response, call, session } = exchange;
  // Who calls is asked for when a tool asks: until then each is a stranger, known by the address.
  const held = openHeldBody(parts.bodyMemory, call.clientAddress, freeAnonymousBytes);
  response.once('close', () => held.free());
  const read = await readMessages(request, parts.maxBodyBytes, held);
  if (read.kind === 'gone') return;
  // A client that is refused before it has sent its body would take the closed connection for the answer.
  if (read.kind === 'failure') return sendRpcFailure(response, read);
  // The first was counted before it was read.
  for (const _ of read.messages.slice(1)) await parts.count();
  const { body } = read;
  const opens = isInitialize(body);
  if (!opens && isUnknownSession(exchange) && !isModern(body)) return sendSessionNotFound(exchange, idOf(body));
  call.clientName = clientNameOf(body) ?? session?.clientName;
  const gone = new AbortController();
  response.once('close', () => gone.abort());
  const answer = await parts.messages.serve(webRequest(request, gone.signal), body, call);
  const opened = opens && answer.ok;
  const headers = opened ? { 'mcp-session-id': parts.sessions.open(call.clientName) } : undefined;
  await sendWebResponse(response, answer, headers ?? {}, call.attachments);
}

/** Messages since 2026-07-28 say themselves of which revision they are. */
const isModern = (message: unknown): boolean =>
  objectOf(objectOf(objectOf(message)?.['params'])?.['_meta'])?.['io.modelcontextprotocol/protocolVersion'] !==
  undefined;

const idOf = (message: unknown): unknown => objectOf(message)?.['id'];

/** Without its body, which was read. */
function webRequest({ method = 'POST', headers, url = '/' }: IncomingMessage, signal: AbortSignal): Request {
  const given = Object.entries(headers).flatMap(([name, value]) =>
    value === undefined || name.startsWith(':') ? [] : [[name, String(value)] as [string, string]],
  );
  const sent = new Headers(given);
  // Answers to single messages are always JSON: nothing is said before they are complete.
  sent.set('accept', 'application/json, text/event-stream');
  return new Request(new URL(url, 'http://localhost'), { method, headers: sent, signal });
}
