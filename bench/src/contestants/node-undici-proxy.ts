import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { parseArgs } from 'node:util';
import { Pool, type Dispatcher } from 'undici';

// The least a Node proxy that buffers the request can do: node:http in front, undici's dispatch behind,
// bytes handed on as they come. Nothing is looked at, checked or written down.

const { values } = parseArgs({ options: { port: { type: 'string' }, upstream: { type: 'string' } } });
const pool = new Pool(`http://127.0.0.1:${values.upstream}`, { connections: 128 });
const ownHeaders = new Set(['connection', 'keep-alive', 'transfer-encoding', 'host']);

const keepForeign = <Value>(headers: Record<string, Value>): Record<string, Value> =>
  Object.fromEntries(Object.entries(headers).filter(([name]) => !ownHeaders.has(name)));

const answerWith = (response: ServerResponse): Dispatcher.DispatchHandler => ({
  onRequestStart: (controller) => {
    response.once('close', () => {
      if (!response.writableFinished) controller.abort(new Error('the client is gone'));
    });
    response.on('drain', () => controller.resume());
  },
  onResponseStart: (_controller, status, headers) => void response.writeHead(status, keepForeign(headers)),
  onResponseData: (controller, part) => {
    if (!response.write(part)) controller.pause();
  },
  onResponseEnd: () => void response.end(),
  onResponseError: () => void response.destroy(),
});

function forward(request: IncomingMessage, response: ServerResponse): void {
  const parts: Buffer[] = [];
  request.on('data', (part: Buffer) => parts.push(part));
  request.on('end', () => {
    const body = parts.length === 1 ? parts[0] : Buffer.concat(parts);
    const { method = 'GET', url: path = '/' } = request;
    pool.dispatch({ method, path, headers: keepForeign(request.headers), body: body ?? null }, answerWith(response));
  });
}

const server = createServer(forward);
server.keepAliveTimeout = 0;
server.listen(Number(values.port), '127.0.0.1');
