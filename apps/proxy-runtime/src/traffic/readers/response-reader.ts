import type { StreamUnit } from '../stream-unit.ts';

/** Turns the bytes of an answer into units that can be inspected, and reads the usage on the way. */
export interface ResponseReader {
  push(chunk: Buffer): readonly StreamUnit[];
  end(): readonly StreamUnit[];
}
