import type { ServerResponse } from 'node:http';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';

/** Sends what the official SDK answers; a stream piece by piece, until the client goes. */
export async function sendWebResponse(
  response: ServerResponse,
  answer: Response,
  headers: Readonly<Record<string, string>> = {},
): Promise<void> {
  if (response.destroyed) return void answer.body?.cancel();
  response.writeHead(answer.status, { ...Object.fromEntries(answer.headers), ...headers });
  if (answer.body === null) return void response.end();
  response.flushHeaders();
  try {
    await pipeline(Readable.fromWeb(answer.body), response);
  } catch (error) {
    // A client that leaves ends its stream, and that is no fault.
    if (!response.destroyed) throw error;
  }
}
