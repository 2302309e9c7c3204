import { LruMap } from '../collections/lru-map.ts';
import { CallHistory } from './call-history.ts';
import type { Observation, Suspicion } from './observation.ts';
import { rules } from './rules.ts';

/** A principal that was silent for this long starts anew. */
const forgetAfterMs = 3_600_000;
/** A rule reports the same principal at most this often. */
const quietMs = 600_000;

/** Watches how each principal calls, in a fixed amount of memory per principal and altogether. */
export interface TrafficAnalyser {
  /** What is unusual about this call, given the calls before it. */
  observe(observation: Observation): readonly Suspicion[];
  readonly principals: number;
}

const none: readonly Suspicion[] = Object.freeze([]);

/** @param maxPrincipals that are remembered; the one that was silent longest goes first */
export function createTrafficAnalyser(maxPrincipals = 10_000): TrafficAnalyser {
  const histories = new LruMap<CallHistory>(maxPrincipals);

  const historyOf = ({ principal, atMs }: Observation): CallHistory => {
    const known = histories.use(principal);
    if (known === undefined) return histories.add(principal, new CallHistory()).value;
    if (atMs - known.value.lastAtMs > forgetAfterMs) known.value = new CallHistory();
    return known.value;
  };

  const nameOf = createNaming();

  return {
    get principals() {
      return histories.size;
    },

    observe(observation) {
      const history = historyOf(observation);
      const what = nameOf(observation.method, observation.name ?? '');
      const isNewName = history.isNewName(what);
      history.add(observation, what);
      let found: Suspicion[] | undefined;
      for (const rule of rules) {
        const suspicion = rule(observation, history, isNewName);
        if (suspicion !== undefined) (found ??= []).push(suspicion);
      }
      if (found === undefined) return none;
      return found.filter(({ ruleId }) => {
        const toldAtMs = history.toldAtMs.get(ruleId);
        if (toldAtMs !== undefined && observation.atMs - toldAtMs < quietMs) return false;
        history.toldAtMs.set(ruleId, observation.atMs);
        return true;
      });
    },
  };
}

/** Names whose numbers are kept, and how long they may be. */
const maxNames = 1_000;
const maxNameLength = 256;

/** Answers `method name` as a number. Most calls are of few names. */
function createNaming(): (method: string, name: string) => number {
  const byMethod = new Map<string, Map<string, number>>();
  let kept = 0;
  const count = (method: string, name: string): number => {
    const what = hash(`${method} ${name}`);
    if (method.length > maxNameLength || name.length > maxNameLength) return what;
    if (kept >= maxNames) {
      byMethod.clear();
      kept = 0;
    }
    const names = byMethod.get(method) ?? new Map<string, number>();
    byMethod.set(method, names.set(name, what));
    kept += 1;
    return what;
  };
  return (method, name) => byMethod.get(method)?.get(name) ?? count(method, name);
}

/** FNV-1a, 32 bits: names are told apart without being kept. */
export function hash(text: string): number {
  let value = 0x81_1c_9d_c5;
  for (let index = 0; index < text.length; index += 1) {
    value = Math.imul(value ^ text.charCodeAt(index), 0x01_00_01_93);
  }
  return value >>> 0;
}
