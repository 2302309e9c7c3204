import type { McpServerSettings } from '@portcullis/contracts/settings';
import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import type { Coordination } from '../coordination/coordination.ts';
import { answerCors } from '../routes/cors.ts';
import { GatewayError } from '../http/gateway-error.ts';
import type { ServiceApi } from '../service/service-api.ts';
import type { Infrastructure } from '../service/infrastructure.ts';
import { problemText } from '../errors/problem.ts';
import type { Logger } from '../log/logger.ts';
import { createCachedSettings } from '../settings/cached-settings.ts';
import { shareBodyMemory } from '../http/body-memory.ts';
import { checkPlaceOrThrow, createMessageLimit, createPageRule, knownHosts } from './admit-request.ts';
import { createEventStreams } from './event-streams.ts';
import type { McpDefinition } from './mcp-definition.ts';
import { allowedMethods, sendMethodNotAllowed, type McpExchange } from './mcp-exchange.ts';
import { createMcpSessions } from './mcp-sessions.ts';
import { RequestCall } from './request-call.ts';
import { sendRefusal } from './rpc-failure.ts';
import { createMessageServer } from './serve-messages.ts';
import { servePost } from './serve-post.ts';
import { serveEnd, serveStream } from './serve-session.ts';
import { createSessionSeal } from './session-seal.ts';
import { asToolError } from './tool-result.ts';

export interface McpEndpointParts {
  readonly infrastructure: Pick<Infrastructure, 'config' | 'metrics'> & {
    readonly coordination: Pick<Coordination, 'buckets' | 'bus'>;
  };
  readonly api: Pick<ServiceApi, 'authentication' | 'clientAddress' | 'allowsOrigin' | 'refused'>;
  readonly loadSettings: () => Promise<McpServerSettings>;
  /** Clock of the settings, milliseconds. */
  readonly now?: () => number;
  readonly log: Logger;
  readonly definition: McpDefinition;
  /** Its path below `/api/v1`, for metrics and the audit log. */
  readonly path: string;
  /** Of one POST. */
  readonly maxBodyBytes: number;
}

/** One of the gateway's own MCP servers, over Streamable HTTP: POST, GET and DELETE on one path. */
export interface McpEndpoint extends AsyncDisposable {
  start(): Promise<void>;
  readonly serve: RequestListener;
}

/** Headers of MCP that pages send and read. */
const pageHeaders = {
  allow: 'Accept, Last-Event-ID, MCP-Protocol-Version, Mcp-Method, Mcp-Name, Mcp-Session-Id',
  expose: 'MCP-Protocol-Version, Mcp-Session-Id, WWW-Authenticate',
};

export function createMcpEndpoint(parts: McpEndpointParts): McpEndpoint {
  const { infrastructure, api, definition, path, maxBodyBytes } = parts;
  const { coordination, metrics } = infrastructure;
  const bodyMemory = shareBodyMemory(infrastructure).anonymous;
  const settings = createCachedSettings(parts.loadSettings, parts.now);
  const countMessage = createMessageLimit(coordination.buckets, definition.name);
  const checkPlace = createPlaceCheck(parts);
  const streams = createEventStreams();
  const sessions = openSessions(parts);
  const refuse = createRefuse(parts);
  const messages = createMessageServer(definition, (error, tool, call) => refuse(error, call as RequestCall, tool));

  const answer = async (request: IncomingMessage, response: ServerResponse, call: RequestCall): Promise<void> => {
    const current = await settings.current();
    const count = () => countMessage(call.clientAddress, current);
    if (checkPlace(request, response, current)) return;
    await count();
    if (current.require_auth) await identifyOrThrow(call);
    const named = request.headers['mcp-session-id'];
    const sessionId = typeof named === 'string' ? named : undefined;
    const session = sessionId === undefined ? undefined : sessions.find(sessionId);
    const exchange: McpExchange = { request, response, call, sessionId, session };
    const { method } = request;
    if (method === 'POST') return servePost(exchange, { sessions, messages, maxBodyBytes, bodyMemory, count });
    if (method === 'GET') return serveStream(exchange, streams);
    if (method === 'DELETE') return serveEnd(exchange, sessions);
    if (method === 'OPTIONS') return void response.writeHead(204, { allow: allowedMethods }).end();
    return sendMethodNotAllowed(exchange);
  };

  return {
    async start() {
      await messages.start();
      await sessions.start();
    },
    serve(request, response) {
      const startedAtMs = performance.now();
      const call = new RequestCall(request, api);
      response.setHeader('x-request-id', call.requestId);
      response.once('close', () => {
        const durationMs = performance.now() - startedAtMs;
        metrics.gateway.observeRequest({ endpoint: path, status: response.statusCode, durationMs });
      });
      answer(request, response, call).catch((thrown: unknown) => {
        const error = asToolError(thrown);
        refuse(error, call);
        sendRefusal(response, error);
      });
    },
    async [Symbol.asyncDispose]() {
      streams[Symbol.dispose]();
      await sessions[Symbol.asyncDispose]();
      await messages[Symbol.asyncDispose]();
    },
  };
}

const openSessions = ({ infrastructure, definition }: McpEndpointParts) => {
  const { JWT_SECRET: secret, JWT_SECRET_PREVIOUS: previous } = infrastructure.config;
  return createMcpSessions({
    seal: createSessionSeal(definition.name, secret.reveal(), previous?.reveal()),
    bus: infrastructure.coordination.bus,
    topic: `mcp-server.${definition.name}.ended`,
  });
};

/** Refuses names and pages that are not the gateway's, and answers preflights; true for one of these. */
function createPlaceCheck({ infrastructure, api }: McpEndpointParts) {
  const allowsPage = createPageRule(api.allowsOrigin);
  const hosts = knownHosts(infrastructure.config);
  return (request: IncomingMessage, response: ServerResponse, { allowed_hosts: more }: McpServerSettings): boolean => {
    checkPlaceOrThrow(request, [...hosts, ...more], allowsPage);
    return answerCors(request, response, allowsPage, pageHeaders);
  };
}

/** Writes down what was refused to whom, and what failed here. */
function createRefuse({ api, log, path }: McpEndpointParts) {
  return (error: GatewayError, call: RequestCall, tool?: string): void => {
    const { clientAddress: clientIp, userAgent, requestId, caller } = call;
    if (error.entry.status >= 500) {
      const problem = problemText(error.details.cause ?? error);
      log.error(error.entry.text, { request_id: requestId, path, tool, problem });
    }
    const endpoint = tool === undefined ? path : `${path} ${tool}`;
    api.refused({ error, caller, method: 'POST', endpoint, clientIp, userAgent, requestId });
  };
}

async function identifyOrThrow(call: RequestCall): Promise<void> {
  if ((await call.identify()) !== undefined) return;
  throw new GatewayError('unauthorized', {
    message: 'Send a login token or an API key in Authorization: Bearer',
    headers: { 'www-authenticate': 'Bearer' },
  });
}
