import type { StreamUnit } from '../../framing/stream-unit.ts';

/** Turns the bytes of an answer into units that can be inspected, and reads the usage on the way. */
export interface ResponseReader {
  push(chunk: Buffer): readonly StreamUnit[];
  end(): LastUnits;
}

/** What is long is read in steps. */
export type LastUnits = readonly StreamUnit[] | Generator<undefined, readonly StreamUnit[]>;

/** A reader that holds nothing long back. */
export interface PassingReader extends ResponseReader {
  end(): readonly StreamUnit[];
}

export const inSteps = (last: LastUnits): last is Generator<undefined, readonly StreamUnit[]> => !Array.isArray(last);

/** The units in front of the last ones. */
export function prepend(units: readonly StreamUnit[], last: LastUnits): LastUnits {
  if (units.length === 0) return last;
  return inSteps(last) ? prependInSteps(units, last) : [...units, ...last];
}

function* prependInSteps(
  units: readonly StreamUnit[],
  last: Generator<undefined, readonly StreamUnit[]>,
): Generator<undefined, readonly StreamUnit[]> {
  return [...units, ...(yield* last)];
}
