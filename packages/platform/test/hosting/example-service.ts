import { Exact } from '@portcullis/contracts/fields';
import { defineRoute } from '@portcullis/contracts/route';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { Type } from 'typebox';
import { WebSocketServer } from 'ws';
import { audited } from '../../src/audit/audited.ts';
import { bind } from '../../src/routes/bound-route.ts';
import { createServiceApi } from '../../src/service/service-api.ts';
import type { Service, ServiceFactory } from '../../src/service/service.ts';

const base = { summary: '', tag: 'Example', errors: [] } as const;

export const showCaller = defineRoute({
  ...base,
  method: 'GET',
  path: '/examples/me',
  role: 'viewer',
  acceptsApiKey: true,
  parts: { response: Exact({ caller: Type.Unknown(), client_ip: Type.String(), request_id: Type.String() }) },
});

export const createExample = defineRoute({
  ...base,
  method: 'POST',
  path: '/examples',
  role: 'admin',
  parts: { body: Exact({ name: Type.String({ maxLength: 20_000_000 }) }), response: Exact({ length: Type.Integer() }) },
  audit: 'usergroup.created',
});

/** A service as an app writes it, with routes, an endpoint that streams, and a WebSocket that repeats what it hears. */
export const createExampleService: ServiceFactory = (infrastructure): Service => {
  const log = infrastructure.log.child({ service: 'example' });
  const api = createServiceApi(infrastructure, log);
  const sockets = new WebSocketServer({ noServer: true });
  const open = new Set<ServerResponse>();
  const http = api.mount({
    contract: [showCaller, createExample],
    bound: [
      bind(showCaller, ({ caller, clientIp, requestId }) => ({
        data: { caller, client_ip: clientIp, request_id: requestId },
      })),
      bind(createExample, (call) =>
        audited(infrastructure.database, call, async () => ({ data: { length: call.body.name.length } }), {
          event: 'usergroup.created',
          resource: { type: 'example', id: 1, name: call.body.name.slice(0, 20) },
        }),
      ),
    ],
  });

  /** Tells the headers that came, then whether the client is still there, until it is told to end. */
  const stream = (request: IncomingMessage, response: ServerResponse): void => {
    open.add(response);
    response.once('close', () => open.delete(response));
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    response.write(`data: ${JSON.stringify(request.headers)}\n\n`);
    if (request.url?.endsWith('?break') === true) setTimeout(() => response.destroy(), 50);
  };

  return {
    name: 'example',
    mounts: [
      { prefix: '/api/v1/examples', http, contentSecurityPolicy: "default-src 'self'" },
      { prefix: '/examples/stream', http: stream },
      { prefix: '/examples/open', http: (_request, response) => void response.end(String(open.size)) },
      {
        prefix: '/examples/ws',
        upgrade: (request, socket, head) =>
          sockets.handleUpgrade(request, socket, head, (client) =>
            client.on('message', (data: Buffer) => client.send(`heard ${data.toString()}`)),
          ),
      },
    ],
    start: () => api.start(),
    health: () => ({ status: 'healthy', problems: [] }),
    async [Symbol.asyncDispose]() {
      for (const client of sockets.clients) client.terminate();
      for (const response of open) response.destroy();
      await api[Symbol.asyncDispose]();
    },
  };
};
