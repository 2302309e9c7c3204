import { DatabaseError } from 'pg';

const states = { unique: '23505', 'foreign key': '23503' } as const;

/** Name of the constraint of this kind that a query broke, or undefined when it failed for another reason. */
export const violatedConstraint = (error: unknown, kind: keyof typeof states): string | undefined =>
  error instanceof DatabaseError && error.code === states[kind] ? error.constraint : undefined;
