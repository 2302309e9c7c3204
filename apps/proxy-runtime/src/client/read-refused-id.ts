import type { IncomingMessage } from 'node:http';
import type { RpcId } from '@portcullis/core/mcp/rpc-message';
import { requestIdOf } from '../mcp/rpc-answers.ts';
import { awaitsContinue } from '@portcullis/platform/http/receive-body';

/** Longest body that is read for its id, and longest id that is told again. */
const maxBytes = 16_384;
const maxIdLength = 1_000;
const maxWaitMs = 100;

/**
 * The id of a message that is refused before its body is read: its sender waits for an answer with that id. Null
 * where it cannot be read soon and in little.
 */
export function readRefusedId(request: IncomingMessage): Promise<RpcId | null> | null {
  const { method, headers } = request;
  const length = Number(headers['content-length'] ?? 0);
  const isChunked = headers['transfer-encoding'] !== undefined;
  if (method !== 'POST' || headers['content-encoding'] !== undefined) return null;
  if ((length === 0 && !isChunked) || length > maxBytes || request.destroyed || awaitsContinue(request)) return null;
  return new Promise((resolve) => {
    const chunks: Buffer[] = [];
    let bytes = 0;
    const settle = (id: RpcId | null): void => {
      clearTimeout(late);
      request.off('data', take).off('end', finish).off('close', giveUp).off('error', giveUp);
      request.pause();
      resolve(id);
    };
    const giveUp = (): void => settle(null);
    const finish = (): void => settle(parseId(Buffer.concat(chunks, bytes)));
    const take = (chunk: Buffer): void => {
      bytes += chunk.length;
      chunks.push(chunk);
      if (bytes > maxBytes) giveUp();
    };
    const late = setTimeout(giveUp, maxWaitMs);
    request.on('data', take).on('end', finish).on('close', giveUp).on('error', giveUp);
  });
}

function parseId(body: Buffer): RpcId | null {
  try {
    const id = requestIdOf(JSON.parse(body.toString('utf8')));
    return typeof id === 'string' && id.length > maxIdLength ? null : id;
  } catch {
    return null;
  }
}
