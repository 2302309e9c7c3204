import { expect, test } from '@jest/globals';
import { databaseKinds, openTestDatabase } from '../../test/test-database.ts';
import { readConsistent } from './read-consistent.ts';

test.each(databaseKinds)('what is added between two statements is not seen by the second (%s)', async (kind) => {
  await using database = await openTestDatabase(kind);
  let added: Promise<unknown> | undefined;
  const names = await readConsistent(database, async (moment) => {
    const read = () => moment.kysely.selectFrom('user_groups').select('name').execute();
    const first = await read();
    added = database.kysely.insertInto('user_groups').values({ name: 'new' }).execute();
    // The embedded database has one connection, which the transaction holds.
    if (kind === 'server') await added;
    return [first, await read()];
  });
  expect(names[1]).toEqual(names[0]);
  await added;
  expect(await database.kysely.selectFrom('user_groups').select('name').execute()).toContainEqual({ name: 'new' });
});
