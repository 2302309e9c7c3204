import * as fc from 'fast-check';
import { referredName, type OpenApiDocument, type OpenApiSchema } from './open-api-document.ts';

/** One way to make a value wrong, and where. */
export interface Breakage {
  readonly path: readonly string[];
  readonly says: string;
  readonly replacement: unknown;
}

const removed = Symbol('removed');

/** Every single way in which an object of this schema can be made one that the schema refuses. */
export function breakagesOf(
  schema: OpenApiSchema,
  document: OpenApiDocument,
  path: readonly string[] = [],
): Breakage[] {
  const resolved = resolve(schema, document);
  const breakages: Breakage[] = wrongValues(resolved).map(([says, replacement]) => ({ path, says, replacement }));
  if (![resolved.type].flat().includes('object')) return breakages;
  for (const [name, field] of Object.entries(resolved.properties ?? {})) {
    if (path.length < 3) breakages.push(...breakagesOf(field, document, [...path, name]));
    if (resolved.required?.includes(name) === true && !('default' in resolve(field, document))) {
      breakages.push({ path: [...path, name], says: 'is missing', replacement: removed });
    }
  }
  if (resolved.additionalProperties === false && resolved.patternProperties === undefined) {
    breakages.push({ path: [...path, 'no_such_field'], says: 'is not known', replacement: 1 });
  }
  return breakages;
}

const resolve = (schema: OpenApiSchema, document: OpenApiDocument): OpenApiSchema => {
  const name = referredName(schema);
  return name === undefined ? schema : (document.components.schemas[name] ?? {});
};

function wrongValues(schema: OpenApiSchema): readonly (readonly [string, unknown])[] {
  const types = new Set([schema.type ?? []].flat());
  // A schema of alternatives, or of anything, is not broken here: another alternative might take the value.
  if (types.size === 0 || schema.anyOf !== undefined || schema.oneOf !== undefined) return [];
  return [
    ...(types.has('object') ? [] : [['is an object', { wrong: true }] as const]),
    ...(types.has('null') ? [] : [['is null', null] as const]),
    ...(types.has('string') ? wrongTexts(schema) : [['is a text', 'certainly wrong'] as const]),
    ...(types.has('integer') || types.has('number') ? wrongNumbers(schema) : [['is a number', 17] as const]),
    ...(schema.maxItems === undefined
      ? []
      : [['is too long', Array.from({ length: schema.maxItems + 1 }, (_, index) => index)] as const]),
  ];
}

const wrongTexts = ({ maxLength, enum: choices, format }: OpenApiSchema) => [
  ...(maxLength === undefined ? [] : [['is too long', 'x'.repeat(maxLength + 1)] as const]),
  ...(choices === undefined ? [] : [['is no choice', 'certainly not among them'] as const]),
  ...(format === undefined ? [] : [['has another format', 'yesterday'] as const]),
  ['holds a NUL', 'a\0b'] as const,
];

const wrongNumbers = ({ type, minimum, maximum }: OpenApiSchema) => [
  ...(minimum === undefined ? [] : [['is too small', minimum - 1] as const]),
  ...(maximum === undefined ? [] : [['is too large', maximum * 2 + 1] as const]),
  ...([type].flat().includes('integer') ? [['is a fraction', 1.5] as const] : []),
];

/** The value with one thing wrong. */
function applyBreakage(value: unknown, { path, replacement }: Breakage): unknown {
  const [field, ...rest] = path;
  if (field === undefined) return replacement;
  const copy: Record<string, unknown> = { ...(typeof value === 'object' ? value : {}) };
  if (rest.length > 0) copy[field] = applyBreakage(copy[field] ?? {}, { path: rest, says: '', replacement });
  else if (replacement === removed) delete copy[field];
  else copy[field] = replacement;
  return copy;
}

/** Broken values, each with what is wrong; undefined when there is no way to break them. */
export function brokenValuesOf(
  values: fc.Arbitrary<unknown>,
  breakages: readonly Breakage[],
): fc.Arbitrary<{ readonly says: string; readonly value: unknown }> | undefined {
  if (breakages.length === 0) return undefined;
  return fc.tuple(values, fc.constantFrom(...breakages)).map(([value, breakage]) => ({
    says: `/${breakage.path.join('/')} ${breakage.says}`,
    value: applyBreakage(value, breakage),
  }));
}
