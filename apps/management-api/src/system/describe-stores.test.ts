import { expect, test } from '@jest/globals';
import { Secret } from '@portcullis/platform/config/secret';
import { describeStores } from './describe-stores.ts';

const DATABASE_URL = new Secret('postgres://localhost/portcullis');
const REDIS_URL = new Secret('redis://localhost');

test.each([
  [{}, 'single_process', 'embedded', 'in_process'],
  [{ DATABASE_URL }, 'single_process', 'postgresql', 'in_process'],
  [{ DATABASE_URL, REDIS_URL }, 'services', 'postgresql', 'redis'],
])('%j is %s, with %s and %s', (given, mode, database, coordination) => {
  expect(describeStores({ DATABASE_URL: undefined, REDIS_URL: undefined, ...given })).toEqual({
    mode,
    stores: { database, coordination },
  });
});
