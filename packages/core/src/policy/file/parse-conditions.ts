import type { Problem } from '@portcullis/contracts/envelope';
import {
  messageRoles,
  policyDirections,
  policyFileLimits,
  type MessageRole,
  type PolicyConditions,
} from '@portcullis/contracts/policy-file';
import { ObjectReader } from './object-reader.ts';
import { withoutUndefined } from '../plan/present-fields.ts';

/** When a rule applies. */
export function parseConditions(reader: ObjectReader, problems: Problem[]): PolicyConditions | undefined {
  const field = reader.field('conditions');
  // An ancestor of the format knew a list of conditions and left it empty.
  if (field === undefined || (Array.isArray(field.value) && field.value.length === 0)) return undefined;
  const conditions = ObjectReader.open(field.value, field.path, problems);
  if (conditions === undefined) return undefined;
  const read = withoutUndefined({
    direction: conditions.oneOf(policyDirections, {}, 'direction'),
    roles: parseRoles(conditions),
    tools: parseGlobs(conditions, 'tools', 'tool', 'tool_name', 'toolName'),
    models: parseGlobs(conditions, 'models', 'model'),
    paths: parseGlobs(conditions, 'paths', 'path'),
    pointers: parseGlobs(conditions, 'pointers', 'pointer', 'json_pointer', 'jsonPointer'),
    size: parseSize(conditions, problems),
  });
  conditions.reportUnknown('the conditions');
  return Object.keys(read).length === 0 ? undefined : read;
}

function parseRoles(conditions: ObjectReader): MessageRole[] | undefined {
  const words = parseGlobs(conditions, 'roles', 'role');
  const roles = words?.flatMap((word) => messageRoles.find((role) => role === word.toLowerCase()) ?? []);
  if (roles === undefined || roles.length === words?.length) return roles;
  const path = conditions.field('roles', 'role')?.path ?? conditions.path;
  return conditions.report(path, `must be out of ${messageRoles.join(', ')}`);
}

/** A text or a list of texts. */
function parseGlobs(conditions: ObjectReader, ...spellings: readonly string[]): string[] | undefined {
  const field = conditions.field(...spellings);
  if (field === undefined) return undefined;
  const globs = Array.isArray(field.value) ? (field.value as readonly unknown[]) : [field.value];
  const areTexts = globs.every((glob): glob is string => typeof glob === 'string' && glob !== '' && glob.length <= 200);
  if (!areTexts || globs.length === 0) return conditions.report(field.path, 'must be texts of 1 to 200 characters');
  if (globs.length > policyFileLimits.conditionValues) {
    return conditions.report(field.path, `must be at most ${policyFileLimits.conditionValues}`);
  }
  return [...globs];
}

function parseSize(conditions: ObjectReader, problems: Problem[]): PolicyConditions['size'] {
  const field = conditions.field('size');
  if (field === undefined) return undefined;
  const size = ObjectReader.open(field.value, field.path, problems);
  if (size === undefined) return undefined;
  const read = withoutUndefined({ min: wholeNumber(size, 'min'), max: wholeNumber(size, 'max') });
  size.reportUnknown('the size');
  if ((read.min ?? 0) > (read.max ?? Infinity))
    return conditions.report(field.path, 'must not have a min above its max');
  return Object.keys(read).length === 0 ? undefined : read;
}

function wholeNumber(size: ObjectReader, spelling: string): number | undefined {
  const value = size.number(0, Number.MAX_SAFE_INTEGER, spelling);
  if (value === undefined || Number.isInteger(value)) return value;
  return size.report(`${size.path}/${spelling}`, 'must be a whole number');
}
