import type { Problem } from '@portcullis/contracts/envelope';

const maxDepth = 40;

/**
 * Finds what PostgreSQL cannot store although JSON can say it: NUL characters and halves of
 * surrogate pairs, in values and keys; and nesting so deep that walking it could overflow the stack.
 */
export function checkStorable(value: unknown, path: string, depth = 0): Problem | undefined {
  if (typeof value === 'string') return checkText(value, path);
  if (typeof value !== 'object' || value === null) return undefined;
  if (depth >= maxDepth) return { path, rule: `must not be nested deeper than ${maxDepth} levels` };

  for (const [key, child] of Object.entries(value)) {
    const problem = checkText(key, path) ?? checkStorable(child, `${path}/${key}`, depth + 1);
    if (problem !== undefined) return problem;
  }
  return undefined;
}

const checkText = (text: string, path: string): Problem | undefined =>
  text.includes('\0') || !text.isWellFormed()
    ? { path, rule: 'must not hold NUL characters or halves of surrogate pairs' }
    : undefined;
