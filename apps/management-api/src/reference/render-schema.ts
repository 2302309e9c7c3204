import { html, type Markup } from './html.ts';
import { referredName, type OpenApiSchema } from './open-api-document.ts';

/** A schema in words: its type, its rules and, for objects, one row per field. */
export function renderSchema(schema: OpenApiSchema): Markup {
  const fields = fieldsOf(schema);
  const rules = rulesOf(schema);
  return html`<div class="schema">
    ${renderType(schema)}${rules.length > 0 ? html` <span class="rules">${rules.join(' · ')}</span>` : undefined}
    ${schema.description === undefined ? undefined : html`<p>${schema.description}</p>`}
    ${fields.length > 0 ? html`<dl>${fields.map((field) => renderField(field))}</dl>` : undefined}
    ${alternativesOf(schema).map((alternative) => html`<div class="alternative">or ${renderSchema(alternative)}</div>`)}
  </div>`;
}

interface Field {
  readonly name: string;
  readonly schema: OpenApiSchema;
  readonly required: boolean;
}

function fieldsOf({ properties, patternProperties, required, items }: OpenApiSchema): readonly Field[] {
  const named = Object.entries(properties ?? {}).map(([name, schema]) => ({
    name,
    schema,
    required: required?.includes(name) ?? false,
  }));
  const open = Object.values(patternProperties ?? {}).map((schema) => ({ name: 'any name', schema, required: false }));
  // A list says what it holds in its type, unless that has fields of its own.
  const held = items === undefined || referredName(items) !== undefined ? [] : fieldsOf(items);
  return [...named, ...open, ...held];
}

const renderField = ({ name, schema, required }: Field): Markup =>
  html`<dt><code>${name}</code>${required ? html` <span class="required">required</span>` : undefined}</dt>
    <dd>${renderSchema(schema)}</dd>`;

const alternativesOf = ({ anyOf, oneOf }: OpenApiSchema): readonly OpenApiSchema[] => anyOf ?? oneOf ?? [];

/** The type in a word or two; a named schema links to where it is described. */
function renderType(schema: OpenApiSchema): Markup {
  const name = referredName(schema);
  if (name !== undefined) return html`<a class="type" href="#schema-${name}">${name}</a>`;
  if (schema.items !== undefined) return html`<span class="type">list of ${renderType(schema.items)}</span>`;
  if (schema.const !== undefined) return html`<code>${JSON.stringify(schema.const)}</code>`;
  if (schema.enum !== undefined) return html`<span class="type">one of</span> ${listed(schema.enum)}`;
  if (alternativesOf(schema).length > 0) return html`<span class="type">one of these</span>`;
  return html`<span class="type">${[schema.type ?? 'any value'].flat().join(' or ')}</span>`;
}

const listed = (values: readonly unknown[]): readonly Markup[] =>
  values.map((value, index) => html`${index === 0 ? '' : ', '}<code>${JSON.stringify(value)}</code>`);

/** The bounds of a value, each as a phrase. */
function rulesOf(schema: OpenApiSchema): readonly string[] {
  const phrases: readonly (readonly [string, unknown])[] = [
    ['format', schema.format],
    ['at least', schema.minimum],
    ['more than', schema.exclusiveMinimum],
    ['at most', schema.maximum],
    ['shortest', schema.minLength],
    ['longest', schema.maxLength],
    ['fewest', schema.minItems],
    ['most', schema.maxItems],
    ['matches', schema.pattern],
    ['default', schema.default === undefined ? undefined : JSON.stringify(schema.default)],
  ];
  return phrases.flatMap(([word, value]) =>
    typeof value === 'string' || typeof value === 'number' ? [`${word} ${value}`] : [],
  );
}
