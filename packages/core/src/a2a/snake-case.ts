import { objectOf } from '../json/json-object.ts';
import { snakeCase } from './member-reader.ts';

/**
 * What a value is made of: `'verbatim'` for texts, numbers and data of the sender's own, whose keys are no names of the
 * protocol; a list or a map of something; or an object with its members.
 */
export type Shape = 'verbatim' | { readonly each: Shape } | { readonly members: Readonly<Record<string, Shape>> };

/** A value of the protocol with its names in snake case. Members that the shape does not know are left out. */
export function renderSnakeCase(value: unknown, shape: Shape): unknown {
  if (shape === 'verbatim') return value;
  if ('each' in shape) {
    if (Array.isArray(value)) return value.map((item) => renderSnakeCase(item, shape.each));
    const map = Object.entries(objectOf(value) ?? {});
    return Object.fromEntries(map.map(([name, item]) => [name, renderSnakeCase(item, shape.each)]));
  }
  const object = objectOf(value) ?? {};
  const members = Object.entries(shape.members).filter(([name]) => object[name] !== undefined);
  return Object.fromEntries(members.map(([name, inner]) => [snakeCase(name), renderSnakeCase(object[name], inner)]));
}
