import { clientNetworkOf } from '@portcullis/core/network/client-network';
import type { ServerResponse } from 'node:http';

/** Streams on which a client of up to 2025-11-25 listens for what the server says of its own accord. */
export interface EventStreams extends Disposable {
  /** Keeps a stream open; false when there are too many. */
  open(response: ServerResponse, address: string): boolean;
  readonly size: number;
}

const perProcess = 1_000;
const perAddress = 20;
const maxAgeMs = 3_600_000;
const commentEveryMs = 25_000;

export function createEventStreams(): EventStreams {
  const open = new Set<ServerResponse>();
  const byAddress = new Map<string, number>();
  const count = (address: string, by: 1 | -1): void => {
    const left = (byAddress.get(address) ?? 0) + by;
    if (left === 0) byAddress.delete(address);
    else byAddress.set(address, left);
  };

  return {
    open(response, clientAddress) {
      const address = clientNetworkOf(clientAddress);
      if (open.size >= perProcess || (byAddress.get(address) ?? 0) >= perAddress) return false;
      open.add(response);
      count(address, 1);
      // Finds out clients that are gone, and keeps what stands between from taking the stream for dead.
      const comments = setInterval(() => response.write(': keep-alive\n\n'), commentEveryMs).unref();
      const end = setTimeout(() => response.end(), maxAgeMs).unref();
      response.once('close', () => {
        clearInterval(comments);
        clearTimeout(end);
        open.delete(response);
        count(address, -1);
      });
      response.writeHead(200, {
        'content-type': 'text/event-stream',
        'cache-control': 'no-cache, no-transform',
        'x-accel-buffering': 'no',
      });
      response.write(': listening\n\n');
      return true;
    },
    get size() {
      return open.size;
    },
    [Symbol.dispose]() {
      for (const response of open) response.end();
    },
  };
}
