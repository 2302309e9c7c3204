import type { RowReader } from './copy-row.ts';
import { recordColumns, type ColumnTypes } from './record-columns.ts';

/** Stages of the runtime's pipeline that refuse before a key counts as used. */
export const stagesOfAdmission = [
  'identify',
  'check-group',
  'check-access',
  'check-budget',
  'limit-rate',
  'reserve-budget',
];

/** The columns of a sum. */
export const requestSum = {
  hour: 'timestamptz',
  proxy_id: 'integer',
  user_group_id: 'integer',
  api_key_id: 'integer',
  uses_key: 'boolean',
  requests: 'bigint',
  failed: 'bigint',
  duration_ms: 'double precision',
  bytes: 'bigint',
  last_at: 'timestamptz',
} as const satisfies ColumnTypes;

/** Requests of an hour that belong to the same; an id of 0 stands for none. */
interface RequestSum {
  readonly hour: number;
  readonly proxyId: number;
  readonly groupId: number;
  readonly keyId: number;
  readonly usesKey: boolean;
  requests: number;
  failed: number;
  durationMicros: number;
  bytes: number;
  lastMs: number;
  /** Another one of the same key. */
  readonly next: RequestSum | undefined;
}

const hourMs = 3_600_000;
const names = Object.keys(recordColumns.request_log);
const placeOf = (name: keyof typeof recordColumns.request_log): number => names.indexOf(name);
const timestamp = placeOf('timestamp');
const proxy = placeOf('proxy_id');
const status = placeOf('status_code');
const duration = placeOf('duration_ms');
const requestSize = placeOf('request_size');
const responseSize = placeOf('response_size');
const key = placeOf('api_key_id');
const group = placeOf('user_group_id');
const stage = placeOf('denied_stage');

/** What the request logs of a batch add up to. */
export class RequestSums {
  readonly #sums: RequestSum[] = [];
  readonly #byKey = new Map<number, RequestSum>();

  /** Counts the row that was read last. */
  add(row: RowReader): void {
    const at = row.number(timestamp);
    const sum = this.#find(row, Math.floor(at / hourMs));
    sum.requests += 1;
    if (row.number(status) >= 400) sum.failed += 1;
    sum.durationMicros += row.number(duration);
    sum.bytes += row.number(requestSize) + row.number(responseSize);
    if (at > sum.lastMs) sum.lastMs = at;
  }

  /** The sums as a JSON array; undefined of none. */
  render(): string | undefined {
    if (this.#sums.length === 0) return undefined;
    return JSON.stringify(this.#sums.map(renderSum));
  }

  #find(row: RowReader, hour: number): RequestSum {
    const proxyId = row.number(proxy);
    const groupId = row.number(group);
    const keyId = row.number(key);
    const usesKey = row.isEmpty(stage) || !stagesOfAdmission.includes(row.text(stage));
    const first = this.#byKey.get(keyId);
    for (let sum = first; sum !== undefined; sum = sum.next) {
      if (sum.proxyId === proxyId && sum.hour === hour && sum.groupId === groupId && sum.usesKey === usesKey)
        return sum;
    }
    const about = { hour, proxyId, groupId, keyId, usesKey };
    const sum = { ...about, requests: 0, failed: 0, durationMicros: 0, bytes: 0, lastMs: 0, next: first };
    this.#byKey.set(keyId, sum);
    this.#sums.push(sum);
    return sum;
  }
}

const renderSum = (sum: RequestSum) => ({
  hour: new Date(sum.hour * hourMs),
  proxy_id: sum.proxyId,
  user_group_id: sum.groupId,
  api_key_id: sum.keyId,
  uses_key: sum.usesKey,
  requests: sum.requests,
  failed: sum.failed,
  duration_ms: sum.durationMicros / 1_000,
  bytes: sum.bytes,
  last_at: new Date(sum.lastMs),
});
