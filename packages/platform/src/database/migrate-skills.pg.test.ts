import { cp, mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, test } from '@jest/globals';
import { sql } from 'kysely';
import { createEmptyDatabase, databaseKinds, silentLog, type DatabaseKind } from '../../test/test-database.ts';
import type { Database } from './database.ts';
import { migrate } from './migrate.ts';
import { openDatabase } from './connection/open-database.ts';

const options = { maxConnections: 2, queryTimeoutMs: 60_000, log: silentLog };
const migrationsFolder = join(import.meta.dirname, 'migrations');

/** Brings an empty database to the schema that it had before a migration. */
async function migrateUntil(database: Database, next: string): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), 'portcullis-migrations-'));
  try {
    for (const file of await readdir(migrationsFolder))
      if (file < next) await cp(join(migrationsFolder, file), join(folder, file));
    await migrate(database, folder);
  } finally {
    await rm(folder, { recursive: true });
  }
}

/** A row of the registry as it was when each name and version had one content. */
interface OldSkill {
  readonly name: string;
  readonly status: string;
  readonly content: string;
  readonly tree?: string;
  readonly decidedAt?: string;
  readonly approved?: { readonly content: string; readonly tree?: string; readonly at: string; readonly score: number };
}

const oldSkills: readonly OldSkill[] = [
  { name: 'waits', status: 'pending', content: 'w1' },
  {
    name: 'approved',
    status: 'approved',
    content: 'a1',
    decidedAt: '2026-01-02',
    approved: { content: 'a1', at: '2026-01-02', score: 7 },
  },
  {
    name: 'changed',
    status: 'pending',
    content: 'c2',
    decidedAt: '2026-01-03',
    approved: { content: 'c1', at: '2026-01-03', score: 12 },
  },
  {
    name: 'changed-package',
    status: 'pending',
    content: 'p1',
    tree: 't2',
    decidedAt: '2026-01-04',
    approved: { content: 'p1', tree: 't1', at: '2026-01-04', score: 3 },
  },
  // The rules that came since found more in it, which ended its approval.
  {
    name: 'judged-anew',
    status: 'pending',
    content: 'j1',
    decidedAt: '2026-01-05',
    approved: { content: 'j1', at: '2026-01-05', score: 0 },
  },
  // A no to what came in after an approval was one to the version.
  {
    name: 'rejected',
    status: 'rejected',
    content: 'r2',
    decidedAt: '2026-01-07',
    approved: { content: 'r1', at: '2026-01-06', score: 0 },
  },
  {
    name: 'quarantined',
    status: 'quarantined',
    content: 'q1',
    decidedAt: '2026-01-09',
    approved: { content: 'q1', at: '2026-01-08', score: 0 },
  },
];

/** By day, at noon. */
const at = (day: string | undefined): string | null => (day === undefined ? null : `${day}T12:00:00Z`);

async function fill({ kysely }: Database): Promise<void> {
  for (const { name, status, content, tree, decidedAt, approved } of oldSkills) {
    await sql`insert into skills (name, version, description, author, tags, status, content_hash, tree_hash, rules_version,
        risk_score, risk_level, findings_count, categories, submissions_count, approved_hash, approved_tree_hash,
        approved_rules_version, approved_risk_score, approved_at, reviewer, review_notes, reviewed_at, submitted_at)
      values (${name}, '1.0.0', ${`Says ${content}`}, 'ada', array['time'], ${status}, ${content}, ${tree ?? null}, '2',
        20, 'Medium', 3, array['persistence'], 2, ${approved?.content ?? null}, ${approved?.tree ?? null},
        ${approved === undefined ? null : '1'}, ${approved?.score ?? null}, ${at(approved?.at)}::timestamptz,
        ${decidedAt === undefined ? null : 'grace'}, ${decidedAt === undefined ? null : 'Looked at it'}, ${at(decidedAt)}::timestamptz,
        ${at('2026-02-01')}::timestamptz)`.execute(kysely);
  }
  await sql`insert into skill_assessments (content_hash, rules_version, risk_score, risk_level, assessment, duration_ms)
    values ('c1', '1', 12, 'Low', '{"findings": [{}, {}]}', 5), ('t1', '1', 3, 'Low', '{"findings": [{}]}', 5)`.execute(
    kysely,
  );
}

interface Content {
  readonly name: string;
  readonly status: string;
  readonly content: string;
  readonly tree: string | null;
  readonly score: number;
  readonly level: string;
  readonly found: number;
  readonly reviewer: string | null;
  readonly approved: string | null;
}

async function loadContents({ kysely }: Database): Promise<readonly Content[]> {
  const { rows } = await sql<Content>`
    select s.name, c.status, c.content_hash as content, c.tree_hash as tree, c.risk_score as score, c.risk_level as level,
      c.findings_count as found, c.reviewer, to_char(c.approved_at at time zone 'UTC', 'YYYY-MM-DD') as approved
    from skill_contents c join skills s on s.id = c.skill_id order by s.id, c.id`.execute(kysely);
  return rows;
}

async function openOldRegistry(kind: DatabaseKind): Promise<Database> {
  await using opened = new AsyncDisposableStack();
  const address = opened.use(await createEmptyDatabase(kind));
  const database = opened.use(await openDatabase({ ...options, ...address }));
  await migrateUntil(database, '0078');
  await fill(database);
  const resources = opened.move();
  return { ...database, [Symbol.asyncDispose]: () => resources.disposeAsync() };
}

const shown = { score: 20, level: 'Medium', found: 3 };
const open = { reviewer: null, approved: null };

describe.each(databaseKinds)('a registry of the %s database from before its contents were kept apart', (kind) => {
  test('keeps what is in force: approvals by content, what waits, and every no', async () => {
    await using database = await openOldRegistry(kind);
    expect(await migrate(database)).toContain('0078_skill_contents');
    expect(await loadContents(database)).toEqual([
      { name: 'waits', status: 'pending', content: 'w1', tree: null, ...shown, ...open },
      {
        name: 'approved',
        status: 'approved',
        content: 'a1',
        tree: null,
        ...shown,
        reviewer: 'grace',
        approved: '2026-01-02',
      },
      { name: 'changed', status: 'pending', content: 'c2', tree: null, ...shown, ...open },
      {
        name: 'changed',
        status: 'approved',
        content: 'c1',
        tree: null,
        score: 12,
        level: 'Low',
        found: 2,
        reviewer: 'grace',
        approved: '2026-01-03',
      },
      { name: 'changed-package', status: 'pending', content: 'p1', tree: 't2', ...shown, ...open },
      {
        name: 'changed-package',
        status: 'approved',
        content: 'p1',
        tree: 't1',
        score: 3,
        level: 'Low',
        found: 1,
        reviewer: 'grace',
        approved: '2026-01-04',
      },
      { name: 'judged-anew', status: 'pending', content: 'j1', tree: null, ...shown, ...open },
      { name: 'rejected', status: 'rejected', content: 'r2', tree: null, ...shown, reviewer: 'grace', approved: null },
      {
        name: 'quarantined',
        status: 'quarantined',
        content: 'q1',
        tree: null,
        ...shown,
        reviewer: 'grace',
        approved: null,
      },
    ]);
  });
});
