import type { AuditEventType } from '@portcullis/contracts/audit-events';
import type { AuditEntry } from './audit-entry.ts';
import { AuditThrottle } from './audit-throttle.ts';
import { recordAudit } from './record-audit.ts';
import { refusalSeverity } from './refusal-severity.ts';
import type { Database } from '../database/database.ts';
import type { Refusal } from '../routes/error-handler.ts';
import { problemText } from '../errors/problem.ts';
import type { Logger } from '../log/logger.ts';
import { auditEntry } from './audited.ts';

/** Writes down what the API refused to whom, alike refusals once a minute. Disposing writes what was counted. */
export interface AuditRefusals extends AsyncDisposable {
  add(refusal: Refusal): void;
}

const flushEveryMs = 30_000;

export function createAuditRefusals(database: Database, log: Logger): AuditRefusals {
  const throttle = new AuditThrottle();
  let writing: Promise<void> = Promise.resolve();

  const write = (entries: readonly AuditEntry[]): void => {
    writing = writing
      .then(async () => {
        for (const entry of entries) await recordAudit(database.kysely, entry);
      })
      .catch((error: unknown) => void log.warn('A refusal could not be audited', { reason: problemText(error) }));
  };
  const timer = setInterval(() => write(throttle.takeRepeats(performance.now())), flushEveryMs).unref();

  return {
    add(refusal) {
      const event = eventOf(refusal);
      if (event === undefined) return;
      const entry = describe(refusal, event);
      const who = entry.actor.id === null ? refusal.clientIp : `${entry.actor.type} ${entry.actor.id}`;
      const key = `${refusal.error.reason} ${refusal.method} ${refusal.endpoint} ${who}`;
      if (throttle.admit(key, entry, performance.now())) write([entry]);
    },
    async [Symbol.asyncDispose]() {
      clearInterval(timer);
      write(throttle.takeRepeats(Number.POSITIVE_INFINITY));
      await writing;
    },
  };
}

/** Reading with a wrong filter is no attack; writing what breaks the rules may be. */
function eventOf({ error, caller, method }: Refusal): AuditEventType | undefined {
  if (error.reason === 'too_many_requests') return 'security.ratelimit.exceeded';
  if (caller === undefined) return undefined;
  if (error.reason === 'forbidden') return 'security.access.denied';
  return error.reason === 'bad_request' && method !== 'GET' ? 'security.input.invalid' : undefined;
}

/** Of wrong input the places are recorded, never the values. */
const describe = (refusal: Refusal, event: AuditEventType): AuditEntry => ({
  ...auditEntry(refusal, {
    event,
    resource: { type: 'route', id: null, name: `${refusal.method} ${refusal.endpoint}` },
    action: 'request',
    result: 'failure',
    error_message: refusal.error.message,
    details: { problems: (refusal.error.details.problems ?? []).slice(0, 5).map(({ path }) => path) },
  }),
  severity: refusalSeverity(event),
});
