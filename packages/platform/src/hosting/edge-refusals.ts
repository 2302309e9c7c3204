import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Duplex } from 'node:stream';
import { answerCors, type OriginRule } from '../routes/cors.ts';
import { renderFailure, type GatewayError } from '../http/gateway-error.ts';
import { unmatched, type Observation } from '../routes/observe-requests.ts';
import { requestIdOf, takeRequestId } from '../http/request-id.ts';

interface RefusalOptions {
  /** Of the service that is away: one of few values, never what a client can choose. */
  readonly endpoint?: string;
  /** When the request came, by `performance.now()`; now unless given. */
  readonly startedAtMs?: number;
}

/** What the public port answers itself, where no service does. */
export interface EdgeRefusals {
  http(request: IncomingMessage, response: ServerResponse, error: GatewayError, options?: RefusalOptions): void;
  upgrade(request: IncomingMessage, socket: Duplex, error: GatewayError, options?: RefusalOptions): void;
}

interface EdgeRefusalParts {
  readonly allowsOrigin: OriginRule;
  readonly observe: (observation: Observation) => void;
}

/** As the routes of a service do it: pages of allowed origins can read the refusal, and the metrics know of it. */
export function createEdgeRefusals({ allowsOrigin, observe }: EdgeRefusalParts): EdgeRefusals {
  const observeRefusal = (request: IncomingMessage, status: number, options: RefusalOptions): void => {
    const { endpoint = unmatched, startedAtMs } = options;
    const durationMs = startedAtMs === undefined ? 0 : performance.now() - startedAtMs;
    observe({ method: request.method ?? '', endpoint, status, durationMs });
  };
  const idOf = (request: IncomingMessage): string => requestIdOf(request) || takeRequestId(request);

  return {
    http(request, response, error, options = {}) {
      if (response.headersSent || response.destroyed) {
        response.destroy();
        return;
      }
      const id = idOf(request);
      response.setHeader('x-request-id', id);
      // A page whose preflight fails never learns that the service is away.
      if (answerCors(request, response, allowsOrigin)) return observeRefusal(request, response.statusCode, options);
      const { status } = error.entry;
      response.writeHead(status, { 'content-type': 'application/json; charset=utf-8', ...error.details.headers });
      response.end(JSON.stringify(renderFailure(error, id)));
      observeRefusal(request, status, options);
    },
    upgrade(request, socket, error, options = {}) {
      const { status, text } = error.entry;
      const body = JSON.stringify(renderFailure(error, idOf(request)));
      const headers = { 'content-type': 'application/json; charset=utf-8', ...error.details.headers };
      const lines = [
        `HTTP/1.1 ${status} ${text}`,
        ...Object.entries(headers).map(([name, value]) => `${name}: ${value}`),
        `content-length: ${Buffer.byteLength(body)}`,
        'connection: close',
      ];
      socket.end(`${lines.join('\r\n')}\r\n\r\n${body}`);
      observeRefusal(request, status, options);
    },
  };
}

/** For ports without pages and without metrics of their own. */
export const plainRefusals = createEdgeRefusals({ allowsOrigin: () => false, observe: () => undefined });
