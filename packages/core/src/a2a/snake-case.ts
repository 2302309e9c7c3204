import { objectOf } from '../json/json-object.ts';
import { snakeCase } from './member-reader.ts';

/**
 * What a value is made of: `'verbatim'` for texts, numbers and data of the sender's own, whose keys are no names of the
 * protocol; a list or a map of something; or an object with its members.
 */
export type Shape = 'verbatim' | { readonly each: Shape } | { readonly members: Readonly<Record<string, Shape>> };

/** A value of the protocol with its names in snake case. Members that the shape does not know are left out. */
export const renderSnakeCase = (value: unknown, shape: Shape): unknown => renderShape(value, shape, snakeCase);

/** What a shape knows of a value, with other names for the names of the protocol. */
export function renderShape(value: unknown, shape: Shape, rename: (name: string) => string): unknown {
  if (shape === 'verbatim') return value;
  if ('each' in shape) {
    if (Array.isArray(value)) return value.map((item) => renderShape(item, shape.each, rename));
    const map = Object.entries(objectOf(value) ?? {});
    return Object.fromEntries(map.map(([name, item]) => [name, renderShape(item, shape.each, rename)]));
  }
  const object = objectOf(value) ?? {};
  const members = Object.entries(shape.members).filter(([name]) => object[name] !== undefined);
  return Object.fromEntries(members.map(([name, inner]) => [rename(name), renderShape(object[name], inner, rename)]));
}
