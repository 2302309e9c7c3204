import type { ListenerState } from '../listeners/listener-set.ts';

/** What a worker does with the proxies, as of a revision of the configuration. */
export interface WorkerStates {
  readonly states: readonly ListenerState[];
  readonly revision: number;
}

/**
 * What the workers of one runtime do, as one: a proxy runs when it runs on all of them, and the
 * revision is the one that all of them have followed. Undefined when there is none.
 */
export function mergeStates(workers: readonly WorkerStates[]): WorkerStates | undefined {
  if (workers.length === 0) return undefined;
  const byProxy = Map.groupBy(
    workers.flatMap(({ states }) => states),
    ({ proxyId }) => proxyId,
  );
  return {
    revision: Math.min(...workers.map(({ revision }) => revision)),
    states: [...byProxy.values()].flatMap((states) => mergeProxy(states, workers.length)),
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
