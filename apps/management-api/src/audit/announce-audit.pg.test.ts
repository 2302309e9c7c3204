import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import type { AuditLog } from '@portcullis/contracts/routes/audit';
import { recordAudit } from '@portcullis/platform/audit/record-audit';
import { createKeptLog } from '@portcullis/platform/test/kept-log';
import { waitFor } from '@portcullis/testkit/wait-for';
import { startManagement, stores, type TestManagement } from '../../test/start-management.ts';
import { startAuditAnnouncer } from './announce-audit.ts';

interface Line {
  readonly message: string;
  readonly audit: AuditLog;
}

const keepLog = () => {
  const { log, lines } = createKeptLog();
  return { log, lines: lines as readonly Line[] };
};

describe.each(stores)('audit records in the log (%s)', (store) => {
  let management: TestManagement;
  beforeAll(async () => {
    management = await startManagement(store, { AUDIT_LOG_LINES: 'false' });
  });
  afterAll(() => management.stop());

  const addRecords = async (count: number, from: number) => {
    const actor = { type: 'system', id: null, name: null } as const;
    for (let n = from; n < from + count; n += 1) {
      await recordAudit(management.infrastructure.database.kysely, {
        event_type: 'settings.updated',
        actor,
        details: { n },
      });
    }
  };
  const numbers = (lines: readonly Line[]) =>
    lines.filter(({ audit }) => audit.event_type === 'settings.updated').map(({ audit }) => audit.details['n']);

  test('are told once by one of two processes, in the order of the chain, with all of the record', async () => {
    const { database } = management.infrastructure;
    const [one, other] = [keepLog(), keepLog()];
    await addRecords(5, 0);
    await using _first = startAuditAnnouncer({ database, log: one.log, intervalMs: 10 });
    await using _second = startAuditAnnouncer({ database, log: other.log, intervalMs: 10 });
    await addRecords(20, 5);
    await waitFor(() => numbers(one.lines).length + numbers(other.lines).length >= 25, { what: 'all lines' });
    const told = [...one.lines, ...other.lines];
    const expected = Array.from({ length: 25 }, (_, n) => n);
    expect(numbers(told.toSorted((a, b) => a.audit.id - b.audit.id))).toEqual(expected);
    for (const { lines } of [one, other]) {
      expect(lines.map(({ audit }) => audit.id)).toEqual(lines.map(({ audit }) => audit.id).toSorted((a, b) => a - b));
    }
    expect(told[0]).toMatchObject({
      message: 'AUDIT_JSON',
      audit: {
        severity: expect.any(String),
        actor: { type: expect.any(String) },
        metadata: { hash: expect.any(String) },
      },
    });
  });

  test('that were recorded last are told before the end', async () => {
    const { database } = management.infrastructure;
    const { lines, log } = keepLog();
    const announcer = startAuditAnnouncer({ database, log, intervalMs: 60_000 });
    await addRecords(1, 100);
    await announcer[Symbol.asyncDispose]();
    expect(numbers(lines)).toEqual([100]);
  });
});
