import type { Problem } from '@portcullis/contracts/envelope';
import { synonymKeyword } from '@portcullis/contracts/list-filters';
import { suggestNames } from '@portcullis/core/text/near-names';
import {
  Ajv2020,
  type ErrorObject,
  type FuncKeywordDefinition,
  type Options,
  type ValidateFunction,
} from 'ajv/dist/2020.js';
import type { TSchema } from 'typebox';

/** Checks a value; the paths of its problems start with the given root. */
export type SchemaCheck = (value: unknown) => readonly Problem[];

const maxProblems = 20;
const maxPathLength = 300;

/** Values of which all problems are looked for. Of more the first is reported: a list of a million may have a million. */
const maxNamedValues = 2_000;

const rules: Options = { allowUnionTypes: true, messages: false, verbose: true };
const utcTimestamp = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?Z$/;

/** What a pattern allows, in words; and that the words of an enum are read in any case. */
const allowedKeyword = 'x-allowed';
const anyCase: FuncKeywordDefinition = {
  keyword: 'x-any-case',
  before: 'enum',
  schemaType: 'boolean',
  modifying: true,
  compile: (_isOn, schema) => {
    const allowed: unknown = schema['enum'];
    const bySpelling = new Map([allowed].flat().map((word) => [String(word).toLowerCase(), word]));
    return (text: unknown, place) => {
      const word = typeof text === 'string' ? bySpelling.get(text.toLowerCase()) : undefined;
      if (word !== undefined && place !== undefined) place.parentData[place.parentDataProperty] = word;
      return true;
    };
  },
};
const createAjv = (options: Options): Ajv2020 =>
  new Ajv2020({ ...rules, ...options }).addVocabulary([allowedKeyword, synonymKeyword]).addKeyword(anyCase);

const firstProblemAjv = createAjv({}).addFormat('date-time', utcTimestamp);
const allProblemsAjv = createAjv({ allErrors: true }).addFormat('date-time', utcTimestamp);
const fromText = createAjv({ allErrors: true, coerceTypes: true, useDefaults: true, removeAdditional: true });

/** For JSON: a value of the wrong type is wrong. */
export function compileJsonSchema(schema: TSchema, root: string): SchemaCheck {
  const findFirst = compile(firstProblemAjv, schema, root);
  const findAll = compile(allProblemsAjv, schema, root);
  return (value) => {
    const first = findFirst(value);
    return first.length > 0 && holdsFewValues(value) ? findAll(value) : first;
  };
}

/**
 * For path and query: turns the text into the schema's types, fills in defaults and takes out what is not known, in place. Clients
 * add to a query what keeps caches away, or what another release knows.
 */
export const compileTextSchema = (schema: TSchema, root: string): SchemaCheck => compile(fromText, schema, root);

/** With the first value: all schemas of a service together hold its start up by half a second. */
function compile(ajv: Ajv2020, schema: TSchema, root: string): SchemaCheck {
  let validate: ValidateFunction | undefined;
  return (value) => {
    validate ??= ajv.compile(schema);
    if (validate(value)) return [];
    return (validate.errors ?? [])
      .filter((error) => !ofAlternative.test(error.schemaPath))
      .slice(0, maxProblems)
      .map((error) => renderProblem(error, root));
  };
}

function holdsFewValues(value: unknown): boolean {
  const waiting = [value];
  let seen = 0;
  for (let node = waiting.pop(); node !== undefined; node = waiting.pop()) {
    if (typeof node !== 'object' || node === null) continue;
    const members: readonly unknown[] = Array.isArray(node) ? node : Object.values(node);
    seen += members.length;
    if (seen > maxNamedValues) return false;
    waiting.push(...members);
  }
  return true;
}

/** What is wrong by one of several allowed shapes: the shapes are reported together. */
const ofAlternative = /\/anyOf\/\d/;

function renderProblem(error: ErrorObject, root: string): Problem {
  const { field, rule } = describe(error);
  const path = `${root}${error.instancePath}${field === undefined ? '' : `/${escapePointer(field)}`}`;
  return { path: path.slice(0, maxPathLength), rule };
}

interface Described {
  readonly field?: string;
  readonly rule: string;
}

function describe(error: ErrorObject): Described {
  const { keyword, params, parentSchema = {} } = error;
  switch (keyword) {
    case 'required':
      return { field: String(params['missingProperty']), rule: 'is required' };
    case 'additionalProperties': {
      const field = String(params['additionalProperty']);
      if (parentSchema['patternProperties'] !== undefined) {
        return { field, rule: `must have for its name ${String(parentSchema[allowedKeyword] ?? 'other characters')}` };
      }
      return {
        field,
        rule: `is not a known field${suggestNames(field, Object.keys(Object(parentSchema['properties']) as object))}`,
      };
    }
    case 'enum': {
      const allowed = [params['allowedValues']].flat().map(String);
      const meant = typeof error.data === 'string' ? suggestNames(error.data, allowed) : '';
      return { rule: `must be one of ${allowed.join(', ')}${meant}` };
    }
    case 'type':
      return { rule: `must be ${[params['type']].flat().map(nameType).join(' or ')}` };
    case 'pattern':
    case 'anyOf':
      return { rule: `must be ${String(parentSchema[allowedKeyword] ?? 'of another form')}` };
    default:
      return { rule: describeBound(keyword, params) };
  }
}

const typeNames: Readonly<Record<string, string>> = {
  string: 'text',
  integer: 'a whole number',
  number: 'a number',
  boolean: 'true or false',
  array: 'a list',
  object: 'an object',
};
const nameType = (type: unknown): string => typeNames[String(type)] ?? String(type);

const plural = (count: number, one: string, many = `${one}s`): string => `${count} ${count === 1 ? one : many}`;

function describeBound(keyword: string, params: ErrorObject['params']): string {
  const limit = Number(params['limit']);
  switch (keyword) {
    case 'minimum':
      return `must be ${limit} or more`;
    case 'maximum':
      return `must be ${limit} or less`;
    case 'exclusiveMinimum':
      return `must be more than ${limit}`;
    case 'exclusiveMaximum':
      return `must be less than ${limit}`;
    case 'minLength':
      return limit === 1 ? 'must not be empty' : `must have at least ${plural(limit, 'character')}`;
    case 'maxLength':
      return `must have at most ${plural(limit, 'character')}`;
    case 'minItems':
      return `must have at least ${plural(limit, 'entry', 'entries')}`;
    case 'maxItems':
      return `must have at most ${plural(limit, 'entry', 'entries')}`;
    case 'uniqueItems':
      return `must not have an entry twice: those at ${params['j']} and ${params['i']} are the same`;
    case 'minProperties':
      return `must have at least ${plural(limit, 'field')}`;
    case 'maxProperties':
      return `must have at most ${plural(limit, 'field')}`;
    case 'format':
      return 'must be a time such as 2026-01-31T12:00:00Z';
    case 'multipleOf':
      return `must be a multiple of ${params['multipleOf']}`;
    case 'const':
      return `must be ${JSON.stringify(params['allowedValue'])}`;
    default:
      return `is not as described (${keyword})`;
  }
}

const escapePointer = (name: string): string => name.replaceAll('~', '~0').replaceAll('/', '~1');
