import type { RequestLogRecord } from '@portcullis/contracts/records';
import { clientNetworkOf } from '@portcullis/core/network/client-network';

const windowMs = 60_000;
/** Clients and reasons of one proxy within a minute that are told apart; anybody may come from any number of addresses. */
const maxWindows = 100;
/** Of all proxies together: there may be thousands, and anybody may come to all of them. */
const maxWindowsOfAll = 2_000;
/** The widest number that the column for sizes takes. */
const maxSize = 2 ** 31 - 1;

interface Window {
  readonly endsAtMs: number;
  /** Those after the first; undefined while there are none. */
  aggregated: RequestLogRecord | undefined;
}

/**
 * Keeps what costs a stranger nothing from filling the request log: of requests that one address, or one key that is not good any
 * more, is refused by one proxy for one reason, the first has its own entry and those of the minute behind it one together.
 */
export class RefusalAggregator {
  /** By proxy, and in it by reason and sender. */
  readonly #proxies = new Map<number, Map<string, Window>>();
  #windows = 0;

  /**
   * Whether the request is counted here and needs no entry of its own.
   * @param nowMs of a clock that is never set back, or windows would last until it has caught up
   */
  aggregate(record: RequestLogRecord, nowMs: number): boolean {
    const windows = this.#windowsOf(record.proxy_id);
    const key = keyOf(record);
    const known = windows.get(key);
    if (known === undefined && (windows.size >= maxWindows || this.#windows >= maxWindowsOfAll))
      return this.#gatherOverflow(windows, record, nowMs);
    if (known !== undefined && known.endsAtMs > nowMs) {
      known.aggregated = join(known.aggregated, record);
      return true;
    }
    if (known === undefined) this.#windows += 1;
    // What has not been taken yet is kept.
    windows.set(key, { endsAtMs: nowMs + windowMs, aggregated: known?.aggregated });
    return false;
  }

  /** What was aggregated in the windows that have ended, or in all. */
  takeRecords(nowMs: number): RequestLogRecord[] {
    const taken: RequestLogRecord[] = [];
    for (const [proxyId, windows] of this.#proxies) {
      for (const [key, { endsAtMs, aggregated }] of windows) {
        if (endsAtMs > nowMs) continue;
        windows.delete(key);
        this.#windows -= 1;
        if (aggregated !== undefined) taken.push(aggregated);
      }
      if (windows.size === 0) this.#proxies.delete(proxyId);
    }
    return taken;
  }

  #windowsOf(proxyId: number): Map<string, Window> {
    const known = this.#proxies.get(proxyId);
    if (known !== undefined) return known;
    const windows = new Map<string, Window>();
    this.#proxies.set(proxyId, windows);
    return windows;
  }

  /** What is too much to be told apart is one entry for each reason and minute. */
  #gatherOverflow(windows: Map<string, Window>, record: RequestLogRecord, nowMs: number): true {
    const key = `overflow ${record.denied_reason}`;
    const known = windows.get(key);
    const aggregated = join(known?.aggregated, record);
    if (known === undefined) {
      this.#windows += 1;
      windows.set(key, { endsAtMs: nowMs + windowMs, aggregated });
    } else known.aggregated = aggregated;
    return true;
  }
}

const keyOf = ({ denied_reason: reason, api_key_id: key, client_ip: address }: RequestLogRecord): string =>
  `${reason} ${key === null ? clientNetworkOf(address) : `key ${key}`}`;

/** One entry for what was aggregated and one request more. It tells what all of them have in common. */
function join(aggregated: RequestLogRecord | undefined, record: RequestLogRecord): RequestLogRecord {
  if (aggregated === undefined) return { ...record, requests: 1 };
  return {
    ...record,
    requests: (aggregated.requests ?? 1) + 1,
    method: aggregated.method === record.method ? record.method : '',
    path: aggregated.path === record.path ? record.path : '',
    user_agent: aggregated.user_agent === record.user_agent ? record.user_agent : null,
    client_ip: commonAddress(aggregated.client_ip, record.client_ip),
    duration_ms: Math.round((aggregated.duration_ms + record.duration_ms) * 1_000) / 1_000,
    request_size: Math.min(aggregated.request_size + record.request_size, maxSize),
    response_size: aggregated.response_size + record.response_size,
  };
}

/** The address, or the network of an IPv6 address, or nothing. */
function commonAddress(aggregated: string, address: string): string {
  if (aggregated === address) return address;
  const network = clientNetworkOf(address);
  return clientNetworkOf(aggregated) === network ? network : '';
}
