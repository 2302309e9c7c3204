import { randomUUIDv7 } from 'node:crypto';
import { errorCatalogue, type ErrorReason } from '@portcullis/contracts/errors';
import type { RequestLogRecord, SpoolRecord } from '@portcullis/contracts/records';
import type { Logger } from '@portcullis/platform/log/logger';

/** Something that came on a connection and is no request that anybody could answer. */
export interface MalformedRequest {
  readonly reason: ErrorReason;
  /** What the parser says, for example `HPE_INVALID_CONTENT_LENGTH`. */
  readonly code: string;
  /** Of the other end of the connection: headers that name another one were not read. */
  readonly address: string;
}

export interface MalformedRequestsParts {
  readonly append: (records: readonly SpoolRecord[]) => void;
  readonly count: (reason: ErrorReason) => void;
  readonly log: Logger;
  readonly nowMs?: () => number;
  /** Tells how much time passes, however the clock is set. */
  readonly elapsedMs?: () => number;
}

const windowMs = 60_000;
/** Entries of one proxy within a minute, and of them those of one address: it costs nothing to send garbage. */
const maxEntries = 60;
const maxEntriesOfAddress = 10;

interface Window {
  readonly endsAtMs: number;
  readonly byAddress: Map<string, number>;
  entries: number;
  leftOut: number;
}

/** Counts what could not be read, and writes some of it to the request log and to the log. */
export class MalformedRequests {
  readonly #parts: MalformedRequestsParts;
  readonly #nowMs: () => number;
  readonly #elapsedMs: () => number;
  readonly #windows = new Map<number, Window>();

  constructor(parts: MalformedRequestsParts) {
    this.#parts = parts;
    this.#nowMs = parts.nowMs ?? Date.now;
    this.#elapsedMs = parts.elapsedMs ?? (() => performance.now());
  }

  take(proxyId: number, request: MalformedRequest): void {
    this.#parts.count(request.reason);
    if (!this.#admits(proxyId, request.address)) return;
    const record = renderRecord(proxyId, request, this.#nowMs());
    const { reason, code, address } = request;
    this.#parts.log.warn('a request could not be read', {
      proxy_id: proxyId,
      request_id: record.request_id,
      client_ip: address,
      reason,
      code,
    });
    this.#parts.append([record]);
  }

  /** Ports that are closed need no memory of what came there. */
  forget(proxyId: number): void {
    this.#windows.delete(proxyId);
  }

  #admits(proxyId: number, address: string): boolean {
    const window = this.#windowOf(proxyId);
    const ofAddress = window.byAddress.get(address) ?? 0;
    if (window.entries >= maxEntries || ofAddress >= maxEntriesOfAddress) {
      window.leftOut += 1;
      return false;
    }
    window.entries += 1;
    window.byAddress.set(address, ofAddress + 1);
    return true;
  }

  #windowOf(proxyId: number): Window {
    const known = this.#windows.get(proxyId);
    if (known !== undefined && known.endsAtMs > this.#elapsedMs()) return known;
    if (known !== undefined && known.leftOut > 0) {
      const facts = { proxy_id: proxyId, requests: known.leftOut };
      this.#parts.log.warn('more requests could not be read than the request log takes', facts);
    }
    const window = { endsAtMs: this.#elapsedMs() + windowMs, byAddress: new Map(), entries: 0, leftOut: 0 };
    this.#windows.set(proxyId, window);
    return window;
  }
}

/** Nothing of it was understood, so nothing but the address is known of it. */
const renderRecord = (
  proxyId: number,
  { reason, address }: MalformedRequest,
  atMs: number,
  id = randomUUIDv7(),
): RequestLogRecord => ({
  kind: 'request_log',
  event_id: id,
  timestamp: new Date(atMs).toISOString(),
  request_id: id,
  proxy_id: proxyId,
  method: '',
  path: '',
  status_code: errorCatalogue[reason].status,
  duration_ms: 0,
  request_size: 0,
  response_size: 0,
  client_ip: address,
  user_agent: null,
  api_key_id: null,
  user_group_id: null,
  denied_reason: reason,
  denied_stage: 'listener',
});
