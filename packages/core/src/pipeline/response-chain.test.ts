import { describe, expect, test } from '@jest/globals';
import { compileResponseStages } from './response-chain.ts';
import { row, type ResponseFilter, type ResponseStage, type Row } from './stage.ts';

type TestRow = Row<ResponseStage<object, string>>;

const silent = { fault: () => undefined, denied: () => undefined };

const stage = (name: string, filter: ResponseFilter<string> | undefined, onFault: 'deny' | 'allow' = 'deny'): TestRow =>
  row({ name, open: () => filter }, ['llm'], { onFault });

/** Holds one unit back, as an inspector with a look-ahead does. */
const holdOne = (): ResponseFilter<string> => {
  let held: string | undefined;
  return {
    push: (unit) => {
      const before = held;
      held = unit;
      return before === undefined ? { kind: 'hold' } : { kind: 'release', units: [before] };
    },
    end: () => ({ kind: 'release', units: held === undefined ? [] : [held] }),
  };
};

const cutOn = (word: string): ResponseFilter<string> => ({
  push: (unit) =>
    unit === word
      ? { kind: 'cut', denial: { reason: 'policy_violation_response' }, units: [] }
      : { kind: 'release', units: [unit] },
  end: () => ({ kind: 'release', units: [] }),
});

const open = (...stages: TestRow[]) => compileResponseStages(stages, 'llm', silent)({});

describe('compileResponseStages', () => {
  test('is inactive when no stage opens a filter', () => {
    expect(open(stage('a', undefined)).active).toBe(false);
  });

  test('passes units through every filter in order and flushes them all at the end', () => {
    const chain = open(stage('a', holdOne()), stage('b', holdOne()));
    expect(chain.push('1').units).toEqual([]);
    expect(chain.push('2').units).toEqual([]);
    expect(chain.push('3').units).toEqual(['1']);
    expect(chain.end()).toEqual({ units: ['2', '3'], cut: null, ended: true });
  });

  test('a cut behind a filter that holds gives out only what came before it', () => {
    const chain = open(stage('a', holdOne()), stage('b', cutOn('bad')));
    expect(chain.push('good').units).toEqual([]);
    expect(chain.push('bad').units).toEqual(['good']);
    const end = chain.push('never');
    expect(end.units).toEqual([]);
    expect(end.cut).toEqual({ denial: { reason: 'policy_violation_response' }, stage: 'b' });
  });

  describe('with a filter that decides later', () => {
    /** Holds everything until told, as a check outside of the gateway does. */
    const deferred = () => {
      const held: string[] = [];
      let ended = false;
      let decided: ReturnType<NonNullable<ResponseFilter<string>['wake']>> | undefined;
      let wake: () => void = () => undefined;
      let isClosed = false;
      const filter: ResponseFilter<string> = {
        push: (unit) => (held.push(unit), { kind: 'hold' }),
        end: () => ((ended = true), { kind: 'hold' }),
        wake: () => {
          const verdict = decided ?? { kind: 'hold' };
          decided = undefined;
          return verdict;
        },
        get waiting() {
          return ended && held.length > 0;
        },
        get congested() {
          return held.length > 2;
        },
        close: () => void (isClosed = true),
      };
      const later: ResponseStage<object, string> = {
        name: 'later',
        open: (_, wakeUp) => {
          wake = wakeUp;
          return filter;
        },
      };
      const tell = (verdict: NonNullable<typeof decided>) => {
        decided = verdict;
        wake();
      };
      return {
        row: row(later, ['llm'], { onFault: 'deny' }),
        release: (count: number) => tell({ kind: 'release', units: held.splice(0, count) }),
        cut: (count: number) =>
          tell({ kind: 'cut', denial: { reason: 'policy_violation_response' }, units: held.splice(0, count) }),
        wakeForNothing: () => wake(),
        isClosed: () => isClosed,
      };
    };

    const openLater = (...behind: TestRow[]) => {
      const later = deferred();
      const chain = open(later.row, ...behind);
      const heard: unknown[] = [];
      chain.listen((verdict) => heard.push(verdict));
      return { later, chain, heard };
    };

    test('what it releases goes through the filters behind it to the listener', () => {
      const { later, chain, heard } = openLater(stage('b', holdOne()));
      for (const unit of ['1', '2', '3']) expect(chain.push(unit)).toEqual({ units: [], cut: null, ended: false });
      later.wakeForNothing();
      expect(heard).toEqual([]);
      later.release(2);
      expect(heard).toEqual([{ units: ['1'], cut: null, ended: false }]);
    });

    test('the end waits for it, and those behind it are ended after its last unit', () => {
      const { later, chain, heard } = openLater(stage('b', holdOne()));
      chain.push('1');
      chain.push('2');
      expect(chain.end()).toEqual({ units: [], cut: null, ended: false });
      later.release(1);
      later.release(1);
      expect(heard).toEqual([
        { units: [], cut: null, ended: false },
        { units: ['1', '2'], cut: null, ended: true },
      ]);
    });

    test('its cut gives out what it still releases, unless a filter behind it cuts first', () => {
      const { later, chain, heard } = openLater();
      for (const unit of ['1', '2']) chain.push(unit);
      later.cut(1);
      expect(heard).toMatchObject([{ units: ['1'], cut: { stage: 'later' }, ended: true }]);

      const behind = openLater(stage('b', cutOn('bad')));
      for (const unit of ['good', 'bad']) behind.chain.push(unit);
      behind.later.cut(2);
      expect(behind.heard).toMatchObject([{ units: ['good'], cut: { stage: 'b' } }]);
    });

    test('it slows the target down while it holds much', () => {
      const { later, chain } = openLater();
      const congested = ['1', '2', '3'].map((unit) => (chain.push(unit), chain.isCongested()));
      expect(congested).toEqual([false, false, true]);
      later.release(2);
      expect(chain.isCongested()).toBe(false);
    });

    test('it is not told after the exchange is over, and it is told so once', () => {
      const { later, chain, heard } = openLater();
      chain.push('1');
      chain.close();
      chain.close();
      later.release(1);
      expect(heard).toEqual([]);
      expect(later.isClosed()).toBe(true);
    });
  });

  test('a filter that throws cuts, or lets pass, as its stage declared', () => {
    const broken: ResponseFilter<string> = {
      push: () => {
        throw new Error('broken');
      },
      end: () => ({ kind: 'release', units: [] }),
    };
    expect(open(stage('a', broken, 'deny')).push('x')).toMatchObject({ units: [], cut: { stage: 'a' } });
    expect(open(stage('a', broken, 'allow')).push('x')).toEqual({ units: ['x'], cut: null, ended: false });
  });
});
