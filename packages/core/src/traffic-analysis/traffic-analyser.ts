import { CallHistory } from './call-history.ts';
import type { Observation, Suspicion } from './observation.ts';
import { rules } from './rules.ts';

export interface TrafficAnalyserOptions {
  /** Principals that are remembered; the one that was silent longest goes first. */
  readonly maxPrincipals?: number;
  /** A principal that was silent for this long starts anew. */
  readonly forgetAfterMs?: number;
  /** A rule tells of the same principal at most this often. */
  readonly quietMs?: number;
}

/** Watches how each principal calls, in a fixed amount of memory per principal and altogether. */
export interface TrafficAnalyser {
  /** What is unusual about this call, given the calls before it. */
  observe(observation: Observation): readonly Suspicion[];
  readonly principals: number;
}

const none: readonly Suspicion[] = Object.freeze([]);

export function createTrafficAnalyser({
  maxPrincipals = 10_000,
  forgetAfterMs = 3_600_000,
  quietMs = 600_000,
}: TrafficAnalyserOptions = {}): TrafficAnalyser {
  /** In the order of the last call. */
  const histories = new Map<string, CallHistory>();

  const historyOf = ({ principal, atMs }: Observation): CallHistory => {
    const known = histories.get(principal);
    const history = known === undefined || atMs - known.lastAtMs > forgetAfterMs ? new CallHistory() : known;
    histories.delete(principal);
    histories.set(principal, history);
    if (histories.size > maxPrincipals) {
      const [oldest] = histories.keys();
      if (oldest !== undefined) histories.delete(oldest);
    }
    return history;
  };

  return {
    get principals() {
      return histories.size;
    },

    observe(observation) {
      const history = historyOf(observation);
      const what = hash(`${observation.method} ${observation.name ?? ''}`);
      const isNewName = history.isNewName(what);
      history.add(observation, what);
      const found: Suspicion[] = [];
      for (const rule of rules) {
        const suspicion = rule(observation, history, isNewName);
        if (suspicion !== undefined) found.push(suspicion);
      }
      if (found.length === 0) return none;
      return found.filter(({ ruleId }) => {
        const toldAtMs = history.toldAtMs.get(ruleId);
        if (toldAtMs !== undefined && observation.atMs - toldAtMs < quietMs) return false;
        history.toldAtMs.set(ruleId, observation.atMs);
        return true;
      });
    },
  };
}

/** FNV-1a, 32 bits: names are told apart without being kept. */
export function hash(text: string): number {
  let value = 0x81_1c_9d_c5;
  for (let index = 0; index < text.length; index += 1) {
    value = Math.imul(value ^ text.charCodeAt(index), 0x01_00_01_93);
  }
  return value >>> 0;
}
