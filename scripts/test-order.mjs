import sequencer from '@jest/test-sequencer';

/** Its types are those of its CommonJS form, which has the class one step further down. */
const Sequencer = /** @type {typeof sequencer.default} */ (/** @type {unknown} */ (sequencer));

const kinds = ['.e2e.test.ts', '.pg.test.ts', '.test.ts'];
const kindOf = (/** @type {string} */ path) => kinds.findIndex((kind) => path.endsWith(kind));

/** Files that start whole gateways come first, and files without servers last, so that no long one is left at the end. */
export default class TestOrder extends Sequencer {
  /**
   * @override
   * @param {Parameters<InstanceType<typeof Sequencer>['sort']>[0]} tests
   */
  async sort(tests) {
    const usual = await super.sort(tests);
    return usual.toSorted((a, b) => kindOf(a.path) - kindOf(b.path));
  }
}
