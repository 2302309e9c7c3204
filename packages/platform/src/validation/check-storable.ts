import type { Problem } from '@portcullis/contracts/envelope';

const maxDepth = 40;

/**
 * Finds what PostgreSQL cannot store although JSON can say it: NUL characters and halves of
 * surrogate pairs, in values and keys; and nesting so deep that walking it could overflow the stack.
 */
export function checkStorable(value: unknown, path: string): Problem | undefined {
  const found = find(value, 0);
  return found && { path: path + found.path, rule: found.rule };
}

/** The path of what it finds is put together on the way back: most values have nothing to tell. */
function find(value: unknown, depth: number): Problem | undefined {
  if (typeof value === 'string') return isStorable(value) ? undefined : unstorable;
  if (typeof value !== 'object' || value === null) return undefined;
  if (depth >= maxDepth) return { path: '', rule: `must not be nested deeper than ${maxDepth} levels` };

  for (const [key, child] of Array.isArray(value) ? value.entries() : Object.entries(value)) {
    if (typeof key === 'string' && !isStorable(key)) return unstorable;
    const found = find(child, depth + 1);
    if (found !== undefined) return { path: `/${key}${found.path}`, rule: found.rule };
  }
  return undefined;
}

const isStorable = (text: string): boolean => !text.includes('\0') && text.isWellFormed();

const unstorable: Problem = { path: '', rule: 'must not hold NUL characters or halves of surrogate pairs' };
