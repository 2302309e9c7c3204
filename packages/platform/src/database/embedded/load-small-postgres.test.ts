import { expect, test } from '@jest/globals';
import { loadSmallPostgres } from './load-small-postgres.ts';

test('the PostgreSQL of PGlite still says where it is looked for how much memory it begins with', async () => {
  expect(await loadSmallPostgres()).toEqual({ initialMemory: 16_777_216, pgliteWasmModule: expect.anything() });
});
