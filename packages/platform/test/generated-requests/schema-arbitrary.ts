import * as fc from 'fast-check';
import { referredName, type OpenApiDocument, type OpenApiSchema } from './open-api-document.ts';

/** Every word of JSON Schema that is understood here: a schema that says more would be tested less than it seems. */
const understood = new Set(
  `$ref title description default type enum const format pattern examples deprecated minimum maximum exclusiveMinimum
  exclusiveMaximum multipleOf minLength maxLength properties patternProperties propertyNames additionalProperties
  required minProperties maxProperties items minItems maxItems uniqueItems anyOf oneOf x-allowed x-any-case x-synonym-of`.split(
    /\s+/,
  ),
);

const mostItems = 4;
const mostCharacters = 60;
const deepest = 4;

/** Ids are given out from 1 on, so that small ones often are ids of something. */
const likelyIds = fc.integer({ min: 1, max: 8 });
/** Names that exist or that other values of the run may have brought into being. */
const likelyNames = fc.constantFrom('llm-security', 'llm-secrets', 'seeded', 'seeded-llm', 'seeded-mcp', 'nothing');

/** Values that the schema allows. @throws on a schema that says what is not understood here */
export function valuesOf(schema: OpenApiSchema, document: OpenApiDocument, depth = 0): fc.Arbitrary<unknown> {
  const unknown = Object.keys(schema).filter((keyword) => !understood.has(keyword));
  if (unknown.length > 0) throw new Error(`Generated requests do not understand ${unknown.join(', ')}`);
  const name = referredName(schema);
  if (name !== undefined) return valuesOf(document.components.schemas[name] ?? {}, document, depth);
  if (schema.const !== undefined) return fc.constant(schema.const);
  if (schema.enum !== undefined) return fc.constantFrom(...schema.enum);
  const alternatives = schema.anyOf ?? schema.oneOf;
  if (alternatives !== undefined) {
    return fc.oneof(...alternatives.map((alternative) => valuesOf(alternative, document, depth + 1)));
  }
  const types = [schema.type ?? 'any'].flat();
  return fc.oneof(...types.map((type) => valuesOfType(type, schema, document, depth)));
}

function valuesOfType(
  type: string,
  schema: OpenApiSchema,
  document: OpenApiDocument,
  depth: number,
): fc.Arbitrary<unknown> {
  switch (type) {
    case 'object':
      return objectsOf(schema, document, depth);
    case 'array':
      return listsOf(schema, document, depth);
    case 'string':
      return textsOf(schema);
    case 'integer':
      return integersOf(schema);
    case 'number':
      return numbersOf(schema);
    case 'boolean':
      return fc.boolean();
    case 'null':
      return fc.constant(null);
    default:
      return fc.jsonValue({ maxDepth: 2 });
  }
}

function objectsOf(schema: OpenApiSchema, document: OpenApiDocument, depth: number): fc.Arbitrary<object> {
  const required = new Set(schema.required);
  const fields = Object.entries(schema.properties ?? {}).filter(([name]) => required.has(name) || depth < deepest);
  const known = fc.record(
    Object.fromEntries(fields.map(([name, field]) => [name, valuesOf(field, document, depth + 1)])),
    { requiredKeys: fields.map(([name]) => name).filter((name) => required.has(name)) },
  );
  const { minProperties = 0, maxProperties = Infinity } = schema;
  const hasRightSize = (value: object) => {
    const size = Object.keys(value).length;
    return size >= minProperties && size <= maxProperties;
  };
  const [[pattern, value] = []] = Object.entries(schema.patternProperties ?? {});
  if (pattern === undefined || value === undefined) return known.filter(hasRightSize);
  const open = fc.dictionary(textsOf({ pattern }), valuesOf(value, document, depth + 1), { maxKeys: 2 });
  return fc
    .tuple(open, known)
    .map(([more, fixed]) => ({ ...more, ...fixed }))
    .filter(hasRightSize);
}

function listsOf(schema: OpenApiSchema, document: OpenApiDocument, depth: number): fc.Arbitrary<unknown[]> {
  const minLength = schema.minItems ?? 0;
  const maxLength = Math.max(minLength, Math.min(schema.maxItems ?? mostItems, depth < deepest ? mostItems : 0));
  const items = valuesOf(schema.items ?? {}, document, depth + 1);
  return schema.uniqueItems === true
    ? fc.uniqueArray(items, { minLength, maxLength, selector: (item) => JSON.stringify(item) })
    : fc.array(items, { minLength, maxLength });
}

function textsOf({ pattern, format, minLength = 0, maxLength = Infinity }: OpenApiSchema): fc.Arbitrary<string> {
  if (format === 'date-time') return fc.date({ noInvalidDate: true, min: new Date(0), max: new Date(4e12) }).map(iso);
  if (format === 'date') return fc.date({ noInvalidDate: true, min: new Date(0), max: new Date(4e12) }).map(isoDay);
  if (format !== undefined) throw new Error(`Generated requests do not understand the format ${format}`);
  const longest = Math.max(minLength, Math.min(maxLength, mostCharacters));
  const expression = pattern === undefined ? undefined : new RegExp(pattern);
  const free =
    expression === undefined
      ? fc.string({ minLength, maxLength: longest, unit: 'grapheme' })
      : fc.stringMatching(expression, { size: '-1' });
  const fits = (text: string) =>
    lengthOf(text) >= minLength && lengthOf(text) <= maxLength && expression?.test(text) !== false;
  return fc.oneof(
    { weight: 3, arbitrary: free.filter(fits) },
    ...(likelyFit(fits) ? [{ weight: 1, arbitrary: likelyNames.filter(fits) }] : []),
  );
}

/** As JSON Schema counts: in code points. */
const lengthOf = (text: string): number => Array.from(text).length;

const likelyFit = (fits: (text: string) => boolean): boolean => fits('seeded') && fits('seeded-llm');

const iso = (date: Date): string => date.toISOString();
const isoDay = (date: Date): string => date.toISOString().slice(0, 10);

function integersOf(schema: OpenApiSchema): fc.Arbitrary<number> {
  const { minimum: min = -1_000, maximum: max = 1_000_000 } = schema;
  const any = fc.oneof(fc.integer({ min, max }), fc.constantFrom(min, max));
  return min <= 1 && max >= 8 ? fc.oneof({ weight: 3, arbitrary: likelyIds }, { weight: 1, arbitrary: any }) : any;
}

const numbersOf = ({ minimum = -1e9, maximum = 1e9, exclusiveMinimum }: OpenApiSchema): fc.Arbitrary<number> =>
  fc
    .oneof(
      fc.double({ min: exclusiveMinimum ?? minimum, max: maximum, noNaN: true }),
      fc.constantFrom(minimum, maximum),
    )
    .filter((value) => exclusiveMinimum === undefined || value > exclusiveMinimum)
    // JSON has no negative zero.
    .map((value) => (Object.is(value, -0) ? 0 : value));
