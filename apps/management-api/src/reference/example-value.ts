import { referredName, type OpenApiDocument, type OpenApiSchema } from './open-api-document.ts';

const maxDepth = 6;

/** Words that show what belongs into a field of text. */
const textExamples: Readonly<Record<string, string>> = { 'date-time': '2026-01-31T12:00:00Z', date: '2026-01-31' };

/** A value to show what a request may look like: required fields, defaults and first choices. */
export function exampleValue(schema: OpenApiSchema, document: OpenApiDocument, name = 'value', depth = 0): unknown {
  const referred = referredName(schema);
  if (referred !== undefined) {
    return exampleValue(document.components.schemas[referred] ?? {}, document, name, depth + 1);
  }
  if (depth > maxDepth) return null;
  if (schema.const !== undefined) return schema.const;
  if (schema.default !== undefined) return schema.default;
  if (schema.enum !== undefined) return schema.enum[0];
  const [alternative] = schema.anyOf ?? schema.oneOf ?? [];
  if (alternative !== undefined) return exampleValue(alternative, document, name, depth + 1);
  return exampleOfType(schema, document, name, depth);
}

function exampleOfType(schema: OpenApiSchema, document: OpenApiDocument, name: string, depth: number): unknown {
  const [type] = [schema.type].flat();
  if (type === 'object') return exampleObject(schema, document, depth);
  if (type === 'array') {
    return schema.items === undefined ? [] : [exampleValue(schema.items, document, name, depth + 1)];
  }
  if (type === 'integer' || type === 'number') return Math.max(schema.minimum ?? 1, 1);
  if (type === 'boolean') return true;
  return textExamples[schema.format ?? ''] ?? (schema.pattern?.startsWith('^https?') ? 'https://example.com' : name);
}

function exampleObject(
  { properties = {}, required = [] }: OpenApiSchema,
  document: OpenApiDocument,
  depth: number,
): object {
  const fields = Object.entries(properties);
  const shown = fields.filter(([name]) => required.includes(name));
  return Object.fromEntries(
    // A change has no required field: one shows the form.
    (shown.length > 0 ? shown : fields.slice(0, 1)).map(([name, schema]) => [
      name,
      exampleValue(schema, document, name, depth + 1),
    ]),
  );
}
