import type { ListenerState } from '../listeners/listener-set.ts';
import type { RuntimeReport } from '../listeners/state-reporter.ts';

/**
 * What the workers of one runtime do, as one: a proxy runs when it runs on all of them, and the
 * revision is the one that all of them have followed; one that is behind on any is behind. Undefined when there is none.
 */
export function mergeStates(workers: readonly RuntimeReport[]): RuntimeReport | undefined {
  if (workers.length === 0) return undefined;
  const behind = new Set(workers.flatMap((worker) => [...worker.behind]));
  const byProxy = Map.groupBy(
    workers.flatMap(({ states }) => states),
    ({ proxyId }) => proxyId,
  );
  return {
    revision: Math.min(...workers.map(({ revision }) => revision)),
    states: [...byProxy].flatMap(([id, states]) => (behind.has(id) ? [] : mergeProxy(states, workers.length))),
    behind,
  };
}

function mergeProxy(states: readonly ListenerState[], workers: number): readonly ListenerState[] {
  const [first] = states;
  if (first === undefined) return [];
  const failed = states.find(({ state }) => state === 'error');
  if (failed !== undefined) return [failed];
  const running = states.filter(({ state }) => state === 'running');
  if (running.length < workers) return [{ ...first, state: 'stopped', startedAt: null }];
  const times = running.flatMap(({ startedAt }) => (startedAt === null ? [] : [startedAt.getTime()]));
  return [{ ...first, startedAt: times.length === 0 ? null : new Date(Math.min(...times)) }];
}
