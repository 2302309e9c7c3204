import type { IncomingMessage, ServerResponse } from 'node:http';
import { awaitsContinue } from '@portcullis/platform/http/receive-body';

/** Bytes of a refused body that are read to keep the connection; a longer one ends with its connection. */
const maxDrainedBytes = 65_536;

/** A refused client must not keep us busy receiving what is not read. */
export function closeUnreadBody(request: IncomingMessage, response: ServerResponse): void {
  if (request.complete) return;
  const length = Number(request.headers['content-length'] ?? Number.POSITIVE_INFINITY);
  const bodiless =
    request.headers['content-length'] === undefined && request.headers['transfer-encoding'] === undefined;
  if (bodiless || (length <= maxDrainedBytes && !awaitsContinue(request))) request.resume();
  else response.shouldKeepAlive = false;
}
