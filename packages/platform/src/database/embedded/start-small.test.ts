import { expect, test } from '@jest/globals';
import { startSmall } from './start-small.ts';

test('the PostgreSQL of PGlite still says where it is looked for how much memory it begins with', async () => {
  expect(await startSmall()).toEqual({ initialMemory: 16_777_216, pgliteWasmModule: expect.anything() });
});
