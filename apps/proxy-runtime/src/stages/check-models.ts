import { describeScope } from '@portcullis/core/identity/name-scope';
import { listProperty, property, textProperty } from '@portcullis/core/json/json-value';
import { deny, next, type RequestStage } from '@portcullis/core/pipeline/stage';
import { modelsInPath } from '../dialects/shared/model-in-path.ts';
import type { Exchange } from '../exchange/exchange.ts';
import { formType, readFormFields } from '../http/form-field.ts';
import { normalisePath } from '../http/normalise-path.ts';

/** Requests that work with what is there, and ask no model. */
const readingMethods: ReadonlySet<string | undefined> = new Set(['GET', 'HEAD', 'DELETE']);

/**
 * Keeps a key to the models of its scope. All that a request names must be in it: fallbacks and the models of tools too,
 * and those of a path beside those of the body, since the target decides which counts. One that asks something and names
 * none is refused: what it would run on is written elsewhere.
 */
export const checkModels: RequestStage<Exchange> = {
  name: 'check-models',
  run(exchange) {
    const scope = exchange.key?.models;
    if (scope === undefined) return next;
    const [named, asked] = [modelsOf(exchange), modelsInQuery(exchange)];
    const outside = [...named, ...asked].flatMap(partsOfName).find((model) => !scope.allows(model));
    const isNamed = named.length > 0 || (asked.length > 0 && !hasFields(exchange));
    const asksUnnamed = !isNamed && (exchange.json !== undefined || !readingMethods.has(exchange.request.method));
    if (outside === undefined && !asksUnnamed) return next;
    return deny('scope_denied', { message: describeScope('allowed_models', scope, outside) });
  },
};

/** A body of fields names its model itself, and targets that read one there look at no query. */
const hasFields = ({ json, request }: Exchange): boolean =>
  json !== undefined || /^(?:multipart\/form-data|application\/x-www-form-urlencoded)\b/i.test(typeOf(request));

const typeOf = ({ headers }: Exchange['request']): string => headers['content-type'] ?? '';

const modelsInQuery = ({ query }: Exchange): readonly string[] =>
  query === '' ? [] : new URLSearchParams(query).getAll('model');

function modelsOf(exchange: Exchange): readonly string[] {
  const { model, json, dialect, body, request } = exchange;
  const { batch } = dialect;
  const bodies =
    batch === undefined ? [json] : [json, ...batch.places(json).map((place) => place.reduce<unknown>(member, json))];
  const isForm = json === undefined && formType.test(typeOf(request));
  return [
    ...(model === undefined ? [] : [model]),
    ...bodies.flatMap(modelsInBody),
    ...(isForm ? readFormFields(body.bytes, 'model') : []),
    ...modelsInAnyPath(exchange),
  ];
}

const member = (value: unknown, key: string | number): unknown => property(value, String(key));

function modelsInBody(body: unknown): readonly string[] {
  if (typeof body !== 'object' || body === null) return [];
  const users = [body, ...listProperty(body, 'tools'), ...listProperty(body, 'plugins')];
  return [
    ...users.flatMap((part) => textProperty(part, 'model') ?? []),
    ...Object.entries(body).flatMap(([field, value]) => (fallbackField.test(field) ? namesIn(value) : [])),
  ];
}

/** As OpenRouter and LiteLLM call them, `context_window_fallbacks` among them. */
const fallbackField = /^(?:models|(?:\w+_)?fallbacks)$/;

/** A fallback is a name, an object with it, or one of which the values are lists of names. */
function namesIn(value: unknown): readonly string[] {
  if (typeof value === 'string') return [value];
  if (Array.isArray(value)) return value.flatMap(namesIn);
  if (typeof value !== 'object' || value === null) return [];
  const own = textProperty(value, 'model');
  return own === undefined ? Object.values(value).filter(Array.isArray).flatMap(namesIn) : [own];
}

/** Also of a path that lenient targets read as another, in which all letters are small. */
function modelsInAnyPath({ path }: Exchange): readonly string[] {
  const written = modelsInPath(path);
  const known = new Set(written.map((name) => name.toLowerCase()));
  return [...written, ...modelsInPath(normalisePath(path)).filter((name) => !known.has(name))];
}

/** LiteLLM asks each of several models that stand in one name: no ending of a name in the scope covers another. */
const partsOfName = (name: string): readonly string[] => name.split(',').map((part) => part.trim());
