import type { AuditEventType, AuditResource, AuditResult } from '@portcullis/contracts/audit-events';
import type { AuditActor, AuditEntry } from './audit-entry.ts';
import { diffFields } from './diff-fields.ts';
import { recordAudit } from './record-audit.ts';
import { changeConfig } from '../database/change-config.ts';
import type { Queryable } from '../database/database.ts';
import type { Tables } from '../database/tables.ts';
import type { Call, Caller } from '../routes/bound-route.ts';
import { withSpan } from '../tracing/with-span.ts';
import type { RouteParts } from '@portcullis/contracts/route';
import { sql, type Transaction } from 'kysely';

/** Who calls, and from where. */
export type AuditedCall = Pick<Call<RouteParts>, 'caller' | 'clientIp' | 'userAgent' | 'requestId' | 'changed'>;

/** What a change was. */
export interface AuditedChange {
  readonly event: AuditEventType;
  readonly resource: AuditResource | null;
  /** The record before and after, as the API shows it; one of them when it was created or deleted. */
  readonly before?: object | undefined;
  readonly after?: object | undefined;
  /** Names of fields that hold secrets, beside those whose names say it. */
  readonly secrets?: readonly string[];
  readonly action?: string;
  readonly result?: AuditResult;
  readonly details?: Readonly<Record<string, unknown>>;
  readonly error_message?: string;
}

/**
 * Makes a change of the configuration and writes it down, both in one transaction that has the
 * configuration to itself.
 * @param describe tells what was done, from what the change answered; undefined when it was nothing
 */
export const audited = <Result>(
  database: Queryable,
  call: AuditedCall,
  change: (transaction: { readonly kysely: Transaction<Tables> }) => Promise<Result>,
  describe: AuditedChange | ((result: Result) => AuditedChange | undefined),
): Promise<Result> =>
  withSpan('audited change', {}, (span) =>
    changeConfig(database, async (transaction) => {
      const result = await change({ kysely: transaction });
      const description = typeof describe === 'function' ? describe(result) : describe;
      if (description !== undefined) {
        span.setAttribute('audit.event', description.event);
        await recordAudit(transaction, auditEntry(call, description));
      }
      await noteRevision(transaction, call);
      return result;
    }),
  );

/** The call is answered when what it changed is in force. */
async function noteRevision(transaction: Transaction<Tables>, call: AuditedCall): Promise<void> {
  if (call.changed === undefined) return;
  // No other transaction changes the configuration until the commit, so the highest revision is ours if it is of this moment.
  const latest = await transaction
    .selectFrom('config_changes')
    .select(['revision', sql<boolean>`changed_at = now()`.as('ours')])
    .orderBy('revision', 'desc')
    .limit(1)
    .executeTakeFirst();
  if (latest?.ours === true) call.changed(latest.revision);
}

/** The entry for `recordAudit`, for callers that have a transaction already or change nothing. */
export function auditEntry(call: AuditedCall, change: AuditedChange): AuditEntry {
  const { event, before, after, secrets, ...same } = change;
  return {
    ...same,
    event_type: event,
    actor: actorOf(call.caller),
    changes: diffFields(before, after, secrets),
    request_id: call.requestId,
    source_ip: call.clientIp,
    user_agent: call.userAgent ?? null,
  };
}

function actorOf(caller: Caller | undefined): AuditActor {
  if (caller === undefined) return { type: 'anonymous', id: null, name: null };
  if (caller.kind === 'api_key') return { type: 'api_key', id: caller.id, name: caller.name };
  return { type: 'user', id: caller.id, name: caller.username, role: caller.role };
}
