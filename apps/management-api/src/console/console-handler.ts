import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import { join } from 'node:path';
import { html } from '../reference/html.ts';
import { watchConsoleBuild, type ConsoleBuild, type ConsoleFile } from './console-build.ts';

/** Where the build of `apps/console` lies, in a checkout as in an image. */
const buildFolder = join(import.meta.dirname, '../../../console/dist');
const prefix = '/console/';

/** Scripts, styles and connections of this origin alone, and no markup made of text. */
export const consoleSecurityPolicy = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self' data:",
  "font-src 'self'",
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
  "require-trusted-types-for 'script'",
].join('; ');

/** Serves the files of the console to GET and HEAD, and its page for all other addresses below `/console/`: they are known to its scripts. */
export function createConsoleHandler(folder: string = buildFolder): RequestListener {
  const findBuild = watchConsoleBuild(folder);
  return (request, response) => {
    const [path = ''] = (request.url ?? '').split('?', 1);
    findBuild().then(
      (build) => answer(request, response, path.slice(prefix.length), build),
      () => answer(request, response, path.slice(prefix.length), undefined),
    );
  };
}

function answer(
  request: IncomingMessage,
  response: ServerResponse,
  path: string,
  build: ConsoleBuild | undefined,
): void {
  if (build === undefined) return sendNotBuilt(response);
  const file = build.files.get(path);
  if (file !== undefined) return sendFile(request, response, path, file);
  if (path.startsWith('assets/')) return send(response, 404, 'No such file', 'text/plain');
  response.setHeader('cache-control', 'no-cache');
  send(response, 200, build.page.replaceAll('"./', `"${upFrom(path)}`), 'text/html; charset=utf-8');
}

/** From an address of the console to its root, as a relative path. */
const upFrom = (path: string): string => '../'.repeat(path.split('/').length - 1) || './';

function sendFile(request: IncomingMessage, response: ServerResponse, path: string, file: ConsoleFile): void {
  // The name of an asset changes with what is in it.
  response.setHeader('cache-control', path.startsWith('assets/') ? 'public, max-age=31536000, immutable' : 'no-cache');
  response.setHeader('vary', 'Accept-Encoding');
  const brotli = acceptsBrotli(request) ? file.brotli : undefined;
  if (brotli !== undefined) response.setHeader('content-encoding', 'br');
  send(response, 200, brotli ?? file.bytes, file.contentType);
}

const acceptsBrotli = ({ headers }: IncomingMessage): boolean =>
  /(?:^|,)\s*br\s*(?:;\s*q=(?!0(?:\.0*)?\s*(?:,|$))[\d.]+\s*)?(?:,|$)/.test(
    headers['accept-encoding']?.toString() ?? '',
  );

/** A build takes some seconds and stands beside the gateway: it never keeps it from starting. */
function sendNotBuilt(response: ServerResponse): void {
  const page = html`<!doctype html>
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta name="color-scheme" content="light dark" />
        <title>Portcullis</title>
      </head>
      <body>
        <h1>The console is being built</h1>
        <p>This page asks again by itself. If it stays, the log of the gateway says why the build failed.</p>
      </body>
    </html> `;
  response.setHeader('refresh', '2').setHeader('retry-after', '2');
  send(response, 503, page.text, 'text/html; charset=utf-8');
}

function send(response: ServerResponse, status: number, body: string | Buffer, contentType: string): void {
  const bytes = typeof body === 'string' ? Buffer.from(body) : body;
  response.writeHead(status, { 'content-type': contentType, 'content-length': bytes.length });
  response.end(bytes);
}
