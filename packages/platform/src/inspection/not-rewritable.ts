import { TooManyValues } from '@portcullis/core/json/json-bounds';
import { EventTooLarge } from '../http/sse-framer.ts';
import { DuplicateKey } from '@portcullis/core/json/visit-json-source';
import { NestedTooDeep } from '@portcullis/core/json/visit-strings';

/** Thrown when a text cannot be rewritten without changing what no rule asked to change. */
export class NotRewritable extends Error {}

/** What is wrong with texts that cannot be read, or not be rewritten, as their reader will read them. */
export const isUnreadable = (
  error: unknown,
): error is NestedTooDeep | TooManyValues | EventTooLarge | DuplicateKey | NotRewritable =>
  error instanceof NestedTooDeep ||
  error instanceof TooManyValues ||
  error instanceof EventTooLarge ||
  error instanceof DuplicateKey ||
  error instanceof NotRewritable;
