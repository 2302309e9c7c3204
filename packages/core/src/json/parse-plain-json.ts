import { checkJsonBounds, checkJsonBoundsCooperatively, alwaysWithinBounds } from './json-bounds.ts';
import { rejectDuplicateKeys, rejectDuplicateKeysCooperatively } from './reject-duplicate-keys.ts';

/**
 * Parses JSON that every reader takes for the same value, and that does not hold others up.
 * @throws {SyntaxError} @throws {TooManyValues} @throws {DuplicateKey} @throws {NestedTooDeep}
 */
export function parsePlainJson(source: string): unknown {
  if (source.length > alwaysWithinBounds) checkJsonBounds(source);
  const value: unknown = JSON.parse(source);
  rejectDuplicateKeys(source, value);
  return value;
}

/** The same in steps, of which parsing is one, for a source that is longer than `alwaysWithinBounds`. */
export function* parsePlainJsonCooperatively(source: string): Generator<undefined, unknown> {
  yield* checkJsonBoundsCooperatively(source);
  const value: unknown = JSON.parse(source);
  yield;
  yield* rejectDuplicateKeysCooperatively(source, value);
  return value;
}
