import type { Snapshot } from '../snapshot/snapshot.ts';

/** The providers that some proxy may ask, each as it is configured now. */
export const listProviderVersions = ({ proxies }: Snapshot): ReadonlySet<string> => {
  const sets = [...proxies.values()].flatMap(({ guardrails: own }) =>
    own === undefined ? [] : [own.forEverybody, ...own.byGroup.values()],
  );
  return new Set(
    sets.flatMap(({ request, response }) => [...request, ...response]).map(({ provider }) => provider.version),
  );
};
