import { createCipheriv } from 'node:crypto';

/** Bytes that look random and are the same in each run, so that a test which fails fails again. */
export const sampleBytes = (length: number, seed = 0): Buffer =>
  createCipheriv('aes-128-ctr', Buffer.alloc(16, seed), Buffer.alloc(16)).update(Buffer.alloc(length));
