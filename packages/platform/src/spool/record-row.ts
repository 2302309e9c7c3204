import type { RequestLogRecord, SpoolRecord, SpoolRecordKind, UsageRecord } from '@portcullis/contracts/records';
import { secondForm } from './row-codes.ts';
import type { RowWriter } from './row-writer.ts';

/** The kinds that every request has. */
export const rowKinds = ['request_log', 'usage', 'usage_rough'] as const satisfies readonly SpoolRecordKind[];
export type RowKind = (typeof rowKinds)[number];

/**
 * Writes the record as PostgreSQL writes a row, of `request_log_row_2` or `usage_row_2`, which it reads in a third of the
 * time that JSON takes it: times in milliseconds since 1970, durations in microseconds. False for other kinds, and for
 * a record with prompts, exceptions or changes, or of several requests, or with a text that would need escaping; what was written is
 * no row then.
 *
 * Rows wait in spools while versions change, so these types never do: other columns need another type, and another sign
 * at the front of its rows.
 *
 * @param timeMs that of the record
 */
export function writeRow(record: SpoolRecord, timeMs: number, row: RowWriter): boolean {
  if (record.kind === 'request_log') return writeRequest(record, timeMs, row);
  return (record.kind === 'usage' || record.kind === 'usage_rough') && writeUsage(record, timeMs, row);
}

function writeRequest(record: RequestLogRecord, timeMs: number, row: RowWriter): boolean {
  if (record.injected_prompts !== undefined || record.skipped_prompts !== undefined) return false;
  if (record.exceptions !== undefined || record.changes !== undefined || record.requests !== undefined) return false;
  row.byte(secondForm);
  row.beginRow();
  row.word(record.event_id);
  row.number(timeMs);
  row.text(record.request_id);
  row.number(record.proxy_id);
  row.text(record.method);
  row.text(record.path);
  row.number(record.status_code);
  row.number(microseconds(record.duration_ms));
  row.number(record.request_size);
  row.number(record.response_size);
  row.text(record.client_ip);
  row.text(record.user_agent);
  row.number(record.api_key_id);
  row.number(record.user_group_id);
  row.word(record.risk_level);
  row.text(record.denied_reason);
  row.text(record.denied_stage);
  row.text(record.target_problem);
  row.number(record.user_id);
  row.word(record.session_id);
  row.number(microseconds(record.inspection_ms));
  row.number(microseconds(record.target_wait_ms));
  row.number(microseconds(record.response_inspection_ms));
  return row.endRow();
}

const microseconds = (ms: number | undefined): number | undefined =>
  ms === undefined ? undefined : Math.round(ms * 1_000);

function writeUsage(record: UsageRecord, timeMs: number, row: RowWriter): boolean {
  row.byte(secondForm);
  row.beginRow();
  row.word(record.event_id);
  row.number(timeMs);
  row.text(record.request_id);
  row.number(record.proxy_id);
  row.number(record.api_key_id);
  row.number(record.user_group_id);
  row.text(record.protocol);
  row.text(record.model);
  row.number(record.input_tokens);
  row.number(record.cached_input_tokens);
  row.number(record.cache_write_tokens);
  row.number(record.output_tokens);
  row.number(record.reasoning_tokens);
  row.number(record.total_tokens);
  row.number(record.cost_micro_usd);
  row.number(record.stated_cost_micro_usd);
  row.boolean(record.priced);
  row.boolean(record.estimated);
  row.number(record.user_id);
  row.word(record.session_id);
  return row.endRow();
}
