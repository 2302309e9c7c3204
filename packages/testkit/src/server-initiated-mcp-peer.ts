import { randomUUID } from 'node:crypto';
import type { ServerResponse } from 'node:http';
import { WebSocketServer, type WebSocket } from 'ws';
import { isObject } from './is-object.ts';
import { answer, parseJsonBody, startLoopbackPeer, type Peer, type RecordedRequest } from './loopback-peer.ts';
import { answerMcp, type McpBehaviour } from './mcp-peer.ts';
import { Conversation, type Message } from './mcp-conversation.ts';

export const wires = ['http', 'sse', 'websocket'] as const;
export type Wire = (typeof wires)[number];

export interface ServerInitiatedMcpPeer extends Peer {
  /** Where clients begin: `/mcp`, `/sse` and `/ws`. Always with `http:`. */
  readonly endpoints: Readonly<Record<Wire, string>>;
  /** Oldest first, with those that have ended. */
  readonly conversations: readonly Conversation[];
  /** Headers of every upgrade. */
  readonly upgrades: readonly Readonly<Record<string, unknown>>[];
  /** Changes the behaviour from now on; what is not given stays. */
  behave(change: McpBehaviour): void;
}

/**
 * An MCP server on every transport with state: Streamable HTTP with sessions and the stream on GET, the pair of
 * a stream and an endpoint of 2024-11-05, and WebSocket. It answers what `startMcpPeer` answers, and it asks and
 * tells its clients what a test wants, at any time.
 * @param onBegin is told of a conversation before its client hears anything
 */
export async function startServerInitiatedMcpPeer(
  initial: McpBehaviour = {},
  onBegin: (conversation: Conversation) => void = () => undefined,
): Promise<ServerInitiatedMcpPeer> {
  let behaviour = initial;
  const conversations = new Map<string, Conversation>();
  const upgrades: Readonly<Record<string, unknown>>[] = [];
  const sockets = new WebSocketServer({ noServer: true });

  const begin = (wire: Wire): Conversation => {
    const conversation = new Conversation(wire, randomUUID(), (message) => answerMcp(message, behaviour));
    conversations.set(conversation.id, conversation);
    onBegin(conversation);
    return conversation;
  };

  const peer = await startLoopbackPeer(
    (request, response) => {
      const { pathname, searchParams } = new URL(request.path, 'http://peer');
      if (pathname === '/mcp') return serveSession(request, response, conversations, begin);
      if (pathname === '/sse' && request.method === 'GET') return openOlder(response, begin('sse'));
      const posted = pathname === '/messages' && request.method === 'POST' ? searchParams.get('session') : null;
      const conversation = conversations.get(posted ?? '');
      if (conversation === undefined) return answer(response, 404, 'Not found');
      // As servers of the official packages acknowledge it.
      response.writeHead(202).end('Accepted');
      const reply = conversation.hear(parseJsonBody(request));
      if (reply !== undefined) conversation.say(reply);
    },
    0,
    (request, socket, head) => {
      upgrades.push(request.headers);
      if (request.url !== '/ws') return void socket.end('HTTP/1.1 404 Not Found\r\ncontent-length: 0\r\n\r\n');
      sockets.handleUpgrade(request, socket, head, (opened) => talkOn(opened, begin('websocket')));
    },
  );

  return {
    ...peer,
    endpoints: { http: `${peer.url}/mcp`, sse: `${peer.url}/sse`, websocket: `${peer.url}/ws` },
    upgrades,
    get conversations() {
      return [...conversations.values()];
    },
    behave: (change) => {
      behaviour = { ...behaviour, ...change };
    },
    async [Symbol.asyncDispose]() {
      for (const conversation of conversations.values()) conversation.end();
      await peer.down();
    },
  };
}

/** Streamable HTTP of 2025-03-26 and later, with a session. */
function serveSession(
  request: RecordedRequest,
  response: ServerResponse,
  conversations: ReadonlyMap<string, Conversation>,
  begin: (wire: Wire) => Conversation,
): void {
  const message = parseJsonBody(request);
  const isFirst = isObject(message) && message['method'] === 'initialize';
  const named = request.headers['mcp-session-id']?.toString();
  if (named === undefined && !isFirst) return answer(response, 400, 'Bad Request: Mcp-Session-Id header is required');
  const conversation = isFirst ? begin('http') : conversations.get(named ?? '');
  if (conversation === undefined || conversation.ended) return answer(response, 404, 'Session not found');
  const headers = { 'mcp-session-id': conversation.id };
  if (request.method === 'DELETE') {
    conversation.end();
    return void response.writeHead(200).end();
  }
  if (request.method === 'GET') return openStream(response, conversation, headers);
  const reply = conversation.hear(message);
  if (reply === undefined) response.writeHead(202, headers).end();
  else answer(response, 200, reply, headers);
}

function openStream(
  response: ServerResponse,
  conversation: Conversation,
  headers: Readonly<Record<string, string>>,
): void {
  response.writeHead(200, { 'content-type': 'text/event-stream', ...headers }).flushHeaders();
  speakThrough(response, conversation);
}

function speakThrough(response: ServerResponse, conversation: Conversation): void {
  conversation.speakThrough({
    send: (message) => void response.write(`event: message\ndata: ${JSON.stringify(message)}\n\n`),
    close: () => void response.end(),
  });
  response.once('close', () => conversation.fallSilent());
}

function openOlder(response: ServerResponse, conversation: Conversation): void {
  response.writeHead(200, { 'content-type': 'text/event-stream' });
  response.write(`event: endpoint\ndata: /messages?session=${conversation.id}\n\n`);
  speakThrough(response, conversation);
}

function talkOn(socket: WebSocket, conversation: Conversation): void {
  conversation.speakThrough({
    send: (message) => socket.send(JSON.stringify(message)),
    close: () => socket.close(),
  });
  socket.on('message', (data: Buffer) => {
    const reply = conversation.hear(JSON.parse(data.toString()) as Message);
    if (reply !== undefined) conversation.say(reply);
  });
  socket.on('error', () => undefined);
  socket.once('close', () => conversation.fallSilent());
}
