import { lookup as lookUpName, type LookupAddress } from 'node:dns';
import type { LookupFunction } from 'node:net';
import { problemCode } from '../errors/problem.ts';

export interface CachedLookupOptions {
  /** Resolves names; the system's resolver unless given. */
  readonly lookup?: LookupFunction;
  /** How long an answer is taken as it is. */
  readonly freshMs?: number;
  /** How long an answer still serves when the name server has none, or takes its time. */
  readonly staleMs?: number;
  /** How long the name server may take where there is an old answer. */
  readonly patienceMs?: number;
  readonly maxNames?: number;
  readonly nowMs?: () => number;
}

type Answer = Parameters<Parameters<LookupFunction>[2]>;

interface Name {
  answer: Answer | undefined;
  answeredAtMs: number;
  /** Those who wait for the question that is under way; undefined while none is. */
  waiting: Set<(answer: Answer) => void> | undefined;
  /** The question that is under way has taken longer than anybody should wait who has an old answer. */
  slow: boolean;
}

const defaults = {
  lookup: lookUpName as LookupFunction,
  freshMs: 10_000,
  staleMs: 3_600_000,
  patienceMs: 500,
  maxNames: 1_000,
  nowMs: () => performance.now(),
};

/** The name is known not to be there: no reason to go on with what was. */
const isDefinite = (error: Error | null): boolean => error !== null && problemCode(error) === 'ENOTFOUND';

/**
 * Looks up names so that a name server that is slow or away costs little: it is asked about a name by
 * one at a time, however many wait (the system's resolver blocks one of few threads for each question),
 * and an old answer serves when no new one comes.
 */
export function createCachedLookup(given: CachedLookupOptions = {}): LookupFunction {
  const { lookup, freshMs, staleMs, patienceMs, maxNames, nowMs } = { ...defaults, ...given };
  const names = new Map<string, Name>();

  const remember = (key: string): Name => {
    if (names.size >= maxNames) {
      const oldest = names.entries().find(([, { waiting }]) => waiting === undefined);
      if (oldest !== undefined) names.delete(oldest[0]);
    }
    const name: Name = { answer: undefined, answeredAtMs: 0, waiting: undefined, slow: false };
    names.set(key, name);
    return name;
  };

  const oldAnswer = ({ answer, answeredAtMs }: Name): Answer | undefined =>
    nowMs() - answeredAtMs < staleMs ? answer : undefined;

  const settle = (name: Name, answer: Answer): void => {
    const [error] = answer;
    const waiting = name.waiting ?? new Set();
    name.waiting = undefined;
    name.slow = false;
    const served = error === null || isDefinite(error) ? answer : (oldAnswer(name) ?? answer);
    if (error === null) Object.assign(name, { answer, answeredAtMs: nowMs() });
    else if (isDefinite(error)) name.answer = undefined;
    for (const take of waiting) take(served);
  };

  return (host, options, callback) => {
    const key = `${host} ${options.family} ${options.hints} ${options.all} ${options.order}`;
    const name = names.get(key) ?? remember(key);
    if (name.answer !== undefined && nowMs() - name.answeredAtMs < freshMs) {
      const { answer } = name;
      process.nextTick(() => callback(...answer));
      return;
    }
    let timer: NodeJS.Timeout | undefined;
    const take = (answer: Answer): void => {
      clearTimeout(timer);
      callback(...answer);
    };
    const old = oldAnswer(name);
    if (old !== undefined && name.slow) return process.nextTick(() => callback(...old));
    if (old !== undefined) {
      timer = setTimeout(() => {
        name.waiting?.delete(take);
        name.slow = name.waiting !== undefined;
        take(old);
      }, patienceMs);
    }
    if (name.waiting !== undefined) {
      name.waiting.add(take);
      return;
    }
    name.waiting = new Set([take]);
    lookup(host, options, (error: NodeJS.ErrnoException | null, address: string | LookupAddress[], family?: number) =>
      settle(name, [error, address, family]),
    );
  };
}
