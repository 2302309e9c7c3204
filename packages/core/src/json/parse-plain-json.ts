import { checkJsonBounds, checkJsonBoundsCooperatively, surelyInBounds } from './json-bounds.ts';
import { refuseRepeatedKeys, refuseRepeatedKeysCooperatively } from './refuse-repeated-keys.ts';

/**
 * Parses JSON that every reader takes for the same value, and that does not hold others up.
 * @throws {SyntaxError} @throws {TooManyValues} @throws {RepeatedKey} @throws {NestedTooDeep}
 */
export function parsePlainJson(source: string): unknown {
  if (source.length > surelyInBounds) checkJsonBounds(source);
  const value: unknown = JSON.parse(source);
  refuseRepeatedKeys(source, value);
  return value;
}

/** The same in steps, of which parsing is one, for a source that is longer than `surelyInBounds`. */
export function* parsePlainJsonCooperatively(source: string): Generator<undefined, unknown> {
  yield* checkJsonBoundsCooperatively(source);
  const value: unknown = JSON.parse(source);
  yield;
  yield* refuseRepeatedKeysCooperatively(source, value);
  return value;
}
