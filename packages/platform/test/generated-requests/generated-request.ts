import * as fc from 'fast-check';
import type { NamedOperation, OpenApiDocument, OpenApiSchema } from './open-api-document.ts';
import { breakagesOf, brokenValuesOf } from './break-value.ts';
import { valuesOf } from './schema-arbitrary.ts';

/** A request to one operation, made from its description alone. */
export interface GeneratedRequest {
  readonly method: string;
  /** With its query. */
  readonly path: string;
  readonly body: string | undefined;
  /** What is wrong with it; undefined when nothing is. */
  readonly wrong?: string;
}

interface Parts {
  readonly path: unknown;
  readonly query: unknown;
  readonly body: unknown;
}

/** Requests that the description allows. */
export const validRequestsOf = (operation: NamedOperation, document: OpenApiDocument): fc.Arbitrary<GeneratedRequest> =>
  partsOf(operation, document).map((parts) => renderRequest(operation, parts));

/** Requests with one thing wrong that the description tells; undefined when nothing can be wrong. */
export function invalidRequestsOf(
  operation: NamedOperation,
  document: OpenApiDocument,
): fc.Arbitrary<GeneratedRequest> | undefined {
  const schemas = schemasOf(operation);
  const choices = (['query', 'body'] as const).flatMap((place) => {
    const schema = schemas[place];
    if (schema === undefined) return [];
    const breakages = breakagesOf(breakable(schema, place), document).filter(
      ({ path }) => place === 'body' || path.length > 0,
    );
    const broken = brokenValuesOf(valuesOf(schema, document), breakages);
    return broken === undefined ? [] : [{ place, broken }];
  });
  if (choices.length === 0) return undefined;
  return fc.constantFrom(...choices).chain(({ place, broken }) =>
    fc.tuple(partsOf(operation, document), broken).map(([parts, { says, value }]) => ({
      ...renderRequest(operation, { ...parts, [place]: value }),
      wrong: `${place}${says}`,
    })),
  );
}

const partsOf = (operation: NamedOperation, document: OpenApiDocument): fc.Arbitrary<Parts> => {
  const { path, query, body } = schemasOf(operation);
  return fc.record({
    path: valuesOf(path, document),
    query: query === undefined ? fc.constant({}) : valuesOf(query, document),
    body: body === undefined ? fc.constant(undefined) : valuesOf(body, document),
  });
};

const schemasOf = ({ parameters, requestBody }: NamedOperation) => ({
  path: objectOf(parameters.filter((parameter) => parameter.in === 'path')),
  query: queryOf(parameters.filter((parameter) => parameter.in === 'query')),
  // Forms are sent by the tests of what takes them.
  body: requestBody?.content['application/json']?.schema,
});

/** A route without a query takes no notice of one. */
const queryOf = (parameters: NamedOperation['parameters']): OpenApiSchema | undefined =>
  parameters.length === 0 ? undefined : objectOf(parameters);

/** A parameter that is an object stands for those of any other names. */
const objectOf = (parameters: NamedOperation['parameters']): OpenApiSchema => {
  const named = parameters.filter(({ schema }) => schema.type !== 'object');
  return {
    type: 'object',
    properties: Object.fromEntries(named.map(({ name, schema }) => [name, schema])),
    required: named.filter(({ required }) => required).map(({ name }) => name),
    additionalProperties: named.length < parameters.length,
  };
};

/** In a query everything is text, so that only numbers can be wrong by their type; what is not known there is ignored. */
function breakable(schema: OpenApiSchema, place: 'query' | 'body'): OpenApiSchema {
  if (place === 'body') return schema;
  const numeric = Object.entries(schema.properties ?? {}).filter(
    ([, { type }]) => type === 'integer' || type === 'number',
  );
  return { ...schema, properties: Object.fromEntries(numeric), additionalProperties: true };
}

function renderRequest({ method, path, requestBody }: NamedOperation, parts: Parts): GeneratedRequest {
  const fields = new Map(Object.entries(parts.path ?? {}));
  const filled = path.replaceAll(/\{(\w+)\}/g, (_, name: string) => pathSegment(String(fields.get(name))));
  const query = new URLSearchParams(
    Object.entries(parts.query ?? {}).map(([name, value]) => [name, String(value).toWellFormed()]),
  );
  return {
    method,
    path: query.size === 0 ? filled : `${filled}?${query.toString()}`,
    body: requestBody?.content['application/json'] === undefined ? undefined : JSON.stringify(parts.body),
  };
}

/** A segment of dots would be another path. */
const pathSegment = (text: string): string => encodeURIComponent(/^\.{0,2}$/.test(text) ? 'x' : text.toWellFormed());
