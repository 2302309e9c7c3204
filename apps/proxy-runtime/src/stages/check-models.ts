import { describeScope } from '@portcullis/core/identity/name-scope';
import { listProperty, property, textProperty } from '@portcullis/core/json/json-value';
import { deny, next, type RequestStage } from '@portcullis/core/pipeline/stage';
import { readAnyModel } from '../dialects/any/any-model.ts';
import type { Exchange } from '../exchange/exchange.ts';

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
    const named = modelsOf(exchange);
    const outside = named.find((model) => !scope.allows(model));
    const asksUnnamed =
      named.length === 0 && (exchange.json !== undefined || !readingMethods.has(exchange.request.method));
    if (outside === undefined && !asksUnnamed) return next;
    return deny('scope_denied', { message: describeScope('allowed_models', scope, outside) });
  },
};

function modelsOf({ model, json, path, query, dialect: { batch } }: Exchange): readonly string[] {
  const bodies =
    batch === undefined ? [json] : [json, ...batch.places(json).map((place) => place.reduce<unknown>(member, json))];
  const named = bodies.flatMap((body) => [
    ...[body, ...listProperty(body, 'tools')].map((part) => textProperty(part, 'model')),
    ...['models', 'fallbacks'].flatMap((field) => listProperty(body, field).map((one) => textOf(one))),
  ]);
  const asked = query === '' ? null : new URLSearchParams(query).get('model');
  return [model, ...named, readAnyModel(undefined, path), asked].filter(
    (name): name is string => typeof name === 'string',
  );
}

const member = (value: unknown, key: string | number): unknown => property(value, String(key));

/** A fallback is a name, or an object with it. */
const textOf = (one: unknown): string | undefined => (typeof one === 'string' ? one : textProperty(one, 'model'));
