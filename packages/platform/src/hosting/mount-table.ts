import type { Mount } from '../service/service.ts';

/** Finds who answers a request, by its path and query. */
export type FindMount = (target: string) => Mount | undefined;

/**
 * Of all prefixes that fit a path, the longest has it. A prefix fits itself and what is below it, in any case of
 * letters, as routes do.
 * @throws when two mounts have the same prefix
 */
export function createMountTable(mounts: readonly Mount[]): FindMount {
  const rows = mounts
    .map((mount) => ({ mount, prefix: foldPrefix(mount.prefix) }))
    .toSorted((a, b) => b.prefix.length - a.prefix.length);
  const prefixes = new Set(rows.map(({ prefix }) => prefix));
  if (prefixes.size !== rows.length) throw new Error(`Two mounts of ${[...prefixes].join(', ')} have the same prefix`);

  return (target) => {
    const path = pathOf(target).toLowerCase();
    return rows.find(({ prefix }) => path === prefix || path.startsWith(`${prefix}/`))?.mount;
  };
}

/** Prefixes that fold to the same are the same; the root is empty. */
export const foldPrefix = (prefix: string): string =>
  (prefix.endsWith('/') ? prefix.slice(0, -1) : prefix).toLowerCase();

/** `*` asks about the whole server. */
function pathOf(target: string): string {
  if (target === '*') return '/';
  const query = target.indexOf('?');
  return query === -1 ? target : target.slice(0, query);
}
