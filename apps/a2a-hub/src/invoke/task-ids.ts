import { randomBytes } from 'node:crypto';

/** 128 random bits: ids of tasks and contexts cannot be guessed. */
export const makeId = (): string => randomBytes(16).toString('hex');
