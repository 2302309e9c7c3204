import type { RequestLogRecord, SpoolRecord, SpoolRecordKind, UsageRecord } from '@portcullis/contracts/records';

/** The kinds that every request has. */
export const rowKinds = ['request_log', 'usage', 'usage_rough'] as const satisfies readonly SpoolRecordKind[];
export type RowKind = (typeof rowKinds)[number];

/**
 * The record as PostgreSQL writes a row, of `request_log_row` or `usage_row`, which it reads in a third of the time that
 * JSON takes it: times in milliseconds since 1970, durations in microseconds. Undefined for other kinds, and for a record
 * with prompts, or with a text that would need escaping.
 *
 * Rows wait in spools while versions change, so these types never do: other columns need another type, and another sign
 * at the front of its rows.
 */
export function renderRow(record: SpoolRecord): string | undefined {
  if (record.kind === 'request_log') return renderRequest(record);
  return record.kind === 'usage' || record.kind === 'usage_rough' ? renderUsage(record) : undefined;
}

export const isRow = (data: string): boolean => data.startsWith('(');

/** What cannot stand between quotation marks as it is, in a row or in a line. */
const special = /["\\\p{Cc}\p{Cs}]/u;

/** Whether the text, if there is one, can stand between quotation marks as it is. */
function isPlain(text: string | null | undefined): boolean {
  if (text === null || text === undefined) return true;
  for (let index = 0; index < text.length; index += 1) {
    const unit = text.charCodeAt(index);
    if (unit < 0x20 || unit === 0x22 || unit === 0x5c) return false;
    if (unit >= 0x7f) return !special.test(text);
  }
  return true;
}

function renderRequest(record: RequestLogRecord): string | undefined {
  const { request_id: id, method, path, client_ip: ip, user_agent: agent, target_problem: problem } = record;
  const { denied_reason: reason, denied_stage: stage, injected_prompts: injected, skipped_prompts: skipped } = record;
  if (injected !== undefined || skipped !== undefined) return undefined;
  if (!isPlain(id) || !isPlain(method) || !isPlain(path) || !isPlain(ip) || !isPlain(agent)) return undefined;
  if (!isPlain(reason) || !isPlain(stage) || !isPlain(problem)) return undefined;
  return (
    `("${record.event_id}",${timeOf(record)},"${id}",${record.proxy_id},"${method}","${path}",` +
    `${record.status_code},${Math.round(record.duration_ms * 1_000)},${record.request_size},${record.response_size},` +
    `"${ip}",${text(agent)},${record.api_key_id ?? ''},${record.user_group_id ?? ''},${text(record.risk_level)},` +
    `${text(reason)},${text(stage)},,,${text(problem)})`
  );
}

function renderUsage(record: UsageRecord): string | undefined {
  const { request_id: id, protocol, model } = record;
  if (!isPlain(id) || !isPlain(protocol) || !isPlain(model)) return undefined;
  return (
    `("${record.event_id}",${timeOf(record)},"${id}",${record.proxy_id},${record.api_key_id ?? ''},` +
    `${record.user_group_id ?? ''},"${protocol}","${model}",${record.input_tokens},${record.cached_input_tokens ?? ''},` +
    `${record.cache_write_tokens ?? ''},${record.output_tokens},${record.reasoning_tokens ?? ''},${record.total_tokens},` +
    `${record.cost_micro_usd},${record.priced},${record.estimated})`
  );
}

const text = (value: string | null | undefined): string => (value === null || value === undefined ? '' : `"${value}"`);

let lastTimestamp = '';
let lastTime = '';

/** The records of an exchange bear the same time. */
function timeOf({ timestamp }: SpoolRecord): string {
  if (timestamp === lastTimestamp) return lastTime;
  lastTimestamp = timestamp;
  lastTime = String(Date.parse(timestamp));
  return lastTime;
}
