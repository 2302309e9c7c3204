import type { ServerResponse } from 'node:http';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { fillAttachments, type Attachments } from './attachments.ts';

/** Sends what the official SDK answers, with what is attached; a stream piece by piece, until the client goes. */
export async function sendWebResponse(
  response: ServerResponse,
  answer: Response,
  headers: Readonly<Record<string, string>>,
  attachments: Attachments,
): Promise<void> {
  if (response.destroyed) return void answer.body?.cancel();
  response.writeHead(answer.status, { ...Object.fromEntries(answer.headers), ...headers });
  if (answer.body === null) return void response.end();
  response.flushHeaders();
  try {
    const body = Readable.fromWeb(answer.body);
    if (attachments.size === 0) await pipeline(body, response);
    else await pipeline(fillAttachments(body as AsyncIterable<Uint8Array>, attachments), response);
  } catch (error) {
    // A client that leaves ends its stream, and that is no fault.
    if (!response.destroyed) throw error;
  }
}
