import { relative } from 'node:path';
import sequencer from '@jest/test-sequencer';
import { root } from './steps.mjs';
import { readKeptTimes } from './test-profile.mjs';

/** Its types are those of its CommonJS form, which has the class one step further down. */
const Sequencer = /** @type {typeof sequencer.default} */ (/** @type {unknown} */ (sequencer));

const kinds = ['.nightly.test.ts', '.e2e.test.ts', '.pg.test.ts', '.test.ts'];
/** What a file takes of which nothing is kept yet, by its kind. */
const usualMs = [60_000, 20_000, 5_000, 500];

/** The dearest files come first, so that no long one is left at the end and all workers end together. */
export default class TestOrder extends Sequencer {
  /**
   * @override
   * @param {Parameters<InstanceType<typeof Sequencer>['sort']>[0]} tests
   */
  async sort(tests) {
    const usual = await super.sort(tests);
    const kept = readKeptTimes();
    const timeOf = (/** @type {string} */ path) =>
      kept[relative(root, path).replaceAll('\\', '/')] ?? usualMs[kinds.findIndex((kind) => path.endsWith(kind))] ?? 0;
    return usual.toSorted((a, b) => timeOf(b.path) - timeOf(a.path));
  }
}
