import { describe, expect, test } from '@jest/globals';
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from '../steps.mjs';
import { findOutsideQueries } from './find-outside-queries.ts';

describe('what would wait for the transaction that it is part of is found', () => {
  test.each([
    [
      'database',
      'await database.kysely.transaction().execute(async (kysely) => {\n  await save(database, { kysely });\n});',
    ],
    ['kysely', 'kysely.transaction().execute(async (transaction) => {\n  await recordAudit(kysely, entry);\n});'],
    ['kysely', 'await kysely\n  .transaction().execute((transaction) => send(due, parts, { kysely }));'],
    [
      'parts.database',
      'parts.database.kysely.transaction().execute(async (transaction) => {\n  await sql`select ${")"}`.execute(parts.database.kysely);\n});',
    ],
    ['database', 'readConsistent(database, () =>\n  loadReport(database, id));'],
    [
      'database',
      "audited(database, call, async (transaction) => {\n  const row = await find(database, id);\n}, { event: 'x' });",
    ],
    ['kysely', 'changeConfig({ kysely }, async (transaction) =>\n  find({ kysely }));'],
    [
      'database',
      'await keepAnAdmin(database, async (transaction) => {\n  await find(database, id);\n  await save(transaction);\n});',
    ],
    ['this.#database', 'readConsistent(this.#database, () =>\n  list(this.#database));'],
  ])('%s', (handle, code) => {
    expect(findOutsideQueries(code)).toEqual([{ line: 2, handle }]);
  });
});

test.each([
  'database.kysely.transaction().execute(async (transaction) => save({ kysely: transaction }));\nawait find(database);',
  'readConsistent(database, ({ kysely }) => sumUp(kysely));',
  'kysely.transaction().execute(async (kysely) => save({ kysely }));',
  "// it's database\nreadConsistent(database, (moment) => load(moment, 'the database', `database ${id}`));",
])('nothing is found in %j', (code) => {
  expect(findOutsideQueries(code)).toEqual([]);
});

test('the services use within a transaction nothing but its handle', () => {
  const files = globSync('{apps,packages}/*/src/**/*.ts', { cwd: root, exclude: (file) => file.endsWith('.test.ts') });
  const found = files.flatMap((file) =>
    findOutsideQueries(readFileSync(join(root, file), 'utf8')).map(({ line, handle }) => `${file}:${line} ${handle}`),
  );
  expect(files.length).toBeGreaterThan(1_000);
  expect(found).toEqual([]);
});
