import { describe, expect, test } from '@jest/globals';
import { readFileSync } from 'node:fs';
import { renderTable } from './render-table.ts';
import { tableNames, tables } from './train.ts';
import { trainingSet } from './training-set.ts';

const product = new URL('../../core/src/policy/detectors/linear-classifier/', import.meta.url);

describe('the tables of the product', () => {
  // They need packages of fixed versions, which are fetched once.
  test.each(tableNames)('come out of training on %s byte for byte', (name) => {
    expect(renderTable(name)).toBe(readFileSync(new URL(`${tables[name].file}.table.ts`, product), 'utf8'));
  });

  test.each(tableNames)(
    'are trained on %s without a text that is held out, or of a source that is left out',
    (name) => {
      const all = trainingSet(name);
      const source = all.find(({ label }) => label === 'attack')?.file ?? '';
      const some = trainingSet(name, [source]);
      expect(all.filter(({ half }) => half === 'held')).toEqual([]);
      expect(some.some(({ file }) => file === source)).toBe(false);
      expect(some.length).toBe(all.filter(({ file }) => file !== source).length);
    },
  );
});
