import type { TSchema } from 'typebox';
import { compileJsonSchema, type SchemaCheck } from './compile-schema.ts';

const checks = new WeakMap<TSchema, SchemaCheck>();

/** By the validator of the routes: a second one would be read by every process for this alone. */
export function fitsSchema(schema: TSchema, value: unknown): boolean {
  const check = checks.get(schema) ?? compileJsonSchema(schema, '');
  checks.set(schema, check);
  return check(value).length === 0;
}
