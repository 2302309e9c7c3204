import { describe, expect, test } from '@jest/globals';
import { compileResponseStages } from './response-chain.ts';
import type { ResponseFilter, ResponseStage } from './stage.ts';

const silent = { fault: () => undefined, denied: () => undefined };

const stage = (
  name: string,
  filter: ResponseFilter<string> | undefined,
  onFault: 'deny' | 'allow' = 'deny',
): ResponseStage<object, string> => ({ name, on: ['llm'], onFault, open: () => filter });

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

const open = (...stages: ResponseStage<object, string>[]) => compileResponseStages(stages, 'llm', silent)({});

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
