import { objectOf } from '../../json/json-object.ts';

/** A step of a path: a name, a place in a list from its start or (negative) its end, or every member. */
export type PathStep = string | number | typeof everyMember;
export const everyMember = Symbol('every member');

export type ParsedPath =
  | { readonly steps: readonly PathStep[]; readonly problem?: undefined }
  | { readonly problem: string };

const step =
  /\.?([^.[\]"'\s]+)|\.?\[\s*(-?\d{1,6})\s*\]|\.?\[\s*(?:"([^"]{1,200})"|'([^']{1,200})')\s*\]|\.?\[\s*(?:\*\s*)?\]/y;
const mostSteps = 50;

/**
 * Reads a path such as `choices[0].message.content`, `choices.0.message.content`, `output[-1].text` or `parts[].text`. A leading dot or
 * dollar sign, as jq and JSONPath have it, is allowed; pipes and functions of jq are not.
 */
export function parseDotPath(path: string): ParsedPath {
  const text = path.trim().replace(/^\$(?=[.[]|$)/, '');
  if (text === '' || text === '.') return { problem: 'The path is empty' };
  const steps: PathStep[] = [];
  step.lastIndex = 0;
  while (step.lastIndex < text.length) {
    const from = step.lastIndex;
    const found = step.exec(text);
    if (found === null || steps.length === mostSteps)
      return {
        problem: `The path is not read from character ${from + 1} on (${JSON.stringify(text.slice(from, from + 20))}); allowed are names with dots between them and places in lists such as [0]`,
      };
    const [, name, index, quoted, single] = found;
    if (index !== undefined) steps.push(Number(index));
    else steps.push(quoted ?? single ?? name ?? everyMember);
  }
  return { steps };
}

/** The values at a path; none where it leads nowhere. */
export function valuesAt(value: unknown, steps: readonly PathStep[]): readonly unknown[] {
  let found: readonly unknown[] = [value];
  for (const one of steps) found = found.flatMap((each) => childrenOf(each, one)).slice(0, 1_000);
  return found;
}

function childrenOf(value: unknown, one: PathStep): readonly unknown[] {
  if (one === everyMember) return Array.isArray(value) ? value : [];
  if (Array.isArray(value)) {
    const index = typeof one === 'number' ? one : /^\d{1,6}$/.test(one) ? Number(one) : undefined;
    const member: unknown = index === undefined ? undefined : value.at(index);
    return member === undefined ? [] : [member];
  }
  const fields = objectOf(value);
  const name = String(one);
  return fields !== undefined && Object.hasOwn(fields, name) ? [fields[name]] : [];
}
