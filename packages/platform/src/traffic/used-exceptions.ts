import type { LocatedFinding } from './located-finding.ts';

const maxExceptions = 50;

/** Ids of the exceptions under which findings were not enforced, as records have them; undefined for none. */
export function usedExceptions(findings: readonly LocatedFinding[]): readonly number[] | undefined {
  if (findings.length === 0) return undefined;
  const ids = new Set(findings.flatMap(({ exceptedBy }) => exceptedBy ?? []));
  return ids.size === 0 ? undefined : [...ids].slice(0, maxExceptions);
}
