import type { Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import { errorCatalogue, type ErrorReason } from '@portcullis/contracts/errors';
import { problemCode } from '@portcullis/platform/errors/problem';

const reasons: ReadonlyMap<string, ErrorReason> = new Map([
  ['HPE_HEADER_OVERFLOW', 'headers_too_large'],
  ['HPE_CHUNK_EXTENSIONS_OVERFLOW', 'payload_too_large'],
  ['ERR_HTTP_REQUEST_TIMEOUT', 'request_timeout'],
]);

/**
 * Why what came on a connection is no request that anybody could answer; undefined where nothing more
 * came, or the connection failed, which no answer would reach.
 */
export function readParserFault(error: Error): ErrorReason | undefined {
  const code = problemCode(error) ?? '';
  const isParsers = code.startsWith('HPE_') && code !== 'HPE_INVALID_EOF_STATE';
  return reasons.get(code) ?? (isParsers ? 'bad_request' : undefined);
}

/**
 * Answers what the HTTP parser gave up on, and ends the connection: where the next request would begin
 * cannot be known. On a connection that has carried an answer nothing is written any more, since
 * another one may be under way.
 */
export function refuseMalformed(reason: ErrorReason, connection: Duplex): void {
  const socket = connection as Socket;
  if (!socket.writable || socket.bytesWritten > 0) return void socket.destroy();
  const { status, text, code } = errorCatalogue[reason];
  const body = JSON.stringify({ success: false, error: text, error_code: code, message: text });
  socket.end(
    `HTTP/1.1 ${status} ${text}\r\ncontent-type: application/json; charset=utf-8\r\n` +
      `content-length: ${Buffer.byteLength(body)}\r\nconnection: close\r\n\r\n${body}`,
    () => socket.destroySoon(),
  );
}
