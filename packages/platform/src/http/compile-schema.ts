import type { Problem } from '@portcullis/contracts/envelope';
import { Ajv2020, type ErrorObject, type Options } from 'ajv/dist/2020.js';
import type { TSchema } from 'typebox';

/** Checks a value; the paths of its problems start with the given root. */
export type SchemaCheck = (value: unknown) => readonly Problem[];

const maxProblems = 20;
const maxPathLength = 300;

const rules: Options = { allErrors: true, allowUnionTypes: true, messages: true };
const utcTimestamp = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?Z$/;

const asSent = new Ajv2020(rules).addFormat('date-time', utcTimestamp);
const fromText = new Ajv2020({ ...rules, coerceTypes: true, useDefaults: true });

/** For JSON: a value of the wrong type is wrong. */
export const compileJsonSchema = (schema: TSchema, root: string): SchemaCheck => compile(asSent, schema, root);

/** For path and query: turns the text into the schema's types and fills in defaults, in place. */
export const compileTextSchema = (schema: TSchema, root: string): SchemaCheck => compile(fromText, schema, root);

function compile(ajv: Ajv2020, schema: TSchema, root: string): SchemaCheck {
  const validate = ajv.compile(schema);
  return (value) => {
    if (validate(value)) return [];
    return (validate.errors ?? []).slice(0, maxProblems).map((error) => renderProblem(error, root));
  };
}

function renderProblem(error: ErrorObject, root: string): Problem {
  const { field, rule } = describe(error);
  const path = `${root}${error.instancePath}${field === undefined ? '' : `/${escapePointer(field)}`}`;
  return { path: path.slice(0, maxPathLength), rule };
}

function describe({ keyword, params, message }: ErrorObject): { field?: string; rule: string } {
  switch (keyword) {
    case 'required':
      return { field: String(params['missingProperty']), rule: 'is required' };
    case 'additionalProperties':
      return { field: String(params['additionalProperty']), rule: 'is not a known field' };
    case 'enum':
      return { rule: `must be one of ${[params['allowedValues']].flat().map(String).join(', ')}` };
    case 'type':
      return { rule: `must be ${[params['type']].flat().join(' or ')}` };
    default:
      return { rule: message ?? `breaks the rule ${keyword}` };
  }
}

const escapePointer = (name: string): string => name.replaceAll('~', '~0').replaceAll('/', '~1');
