import { suggestNames } from '../text/near-names.ts';
import { objectOf, type JsonObject } from '../json/json-object.ts';
import { findWordProblem } from './permission-words.ts';

/** What the permissions of an access entry say about tools. */
export interface ToolPermissions {
  allows(name: string): boolean;
  /** Calls per minute and key; undefined where the entry says nothing, 0 for no limit. */
  limitFor(name: string): number | undefined;
}

/** The name that stands for all tools which are not named. */
const everyOther = '*';

const knownKeys: readonly string[] = ['tools', 'tool_rate_limits'];

/** What is wrong with the permissions, or undefined: what would restrict nothing and looks as if it did is wrong. */
export function findPermissionProblem(permissions: string): string | undefined {
  if (permissions.trim() === '') return undefined;
  const source = parse(permissions);
  if (source === undefined) {
    return /^\s*[{["]/.test(permissions) ? 'must be the JSON text of an object' : findWordProblem(permissions);
  }
  const unknown = Object.keys(source).find((key) => !knownKeys.includes(key));
  if (unknown !== undefined) {
    const meant = suggestNames(unknown, knownKeys);
    return `${JSON.stringify(unknown.slice(0, 50))} is not a known key, which are ${knownKeys.join(' and ')}${meant}`;
  }
  const { tools, tool_rate_limits: limits } = source;
  if (tools !== undefined && readAllowed(tools) === undefined) {
    return 'tools must be a list of names, or an object of names with true or false';
  }
  if (limits !== undefined && readLimits(limits) === undefined) {
    return 'tool_rate_limits must be an object of names with whole numbers from 0';
  }
  return undefined;
}

/**
 * Reads `{"tools": ["a"]}`: these and no others; `{"tools": {"a": false, "*": true}}`: one by one, the
 * others too unless `*` is false; `{"tool_rate_limits": {"a": 10}}`. Undefined when nothing is said of
 * tools. What is not as it should be allows nothing.
 */
export function parseToolPermissions(permissions: string): ToolPermissions | undefined {
  const { tools, tool_rate_limits: limits } = parse(permissions) ?? {};
  if (tools === undefined && limits === undefined) return undefined;
  const allowed = tools === undefined ? new Map<string, boolean>() : readAllowed(tools);
  const limitOf = limits === undefined ? new Map<string, number>() : readLimits(limits);
  if (allowed === undefined || limitOf === undefined) return { allows: () => false, limitFor: () => undefined };
  return {
    allows: (name) => allowed.get(name) ?? allowed.get(everyOther) ?? true,
    limitFor: (name) => limitOf.get(name) ?? limitOf.get(everyOther),
  };
}

function parse(permissions: string): JsonObject | undefined {
  try {
    return objectOf(JSON.parse(permissions));
  } catch {
    return undefined;
  }
}

function readAllowed(tools: unknown): ReadonlyMap<string, boolean> | undefined {
  if (Array.isArray(tools)) {
    if (!tools.every((name) => typeof name === 'string')) return undefined;
    return new Map([[everyOther, tools.includes(everyOther)], ...tools.map((name) => [name, true] as const)]);
  }
  const entries = Object.entries(objectOf(tools) ?? { '': tools });
  return entries.every((entry): entry is [string, boolean] => typeof entry[1] === 'boolean')
    ? new Map(entries)
    : undefined;
}

function readLimits(limits: unknown): ReadonlyMap<string, number> | undefined {
  const entries = Object.entries(objectOf(limits) ?? { '': limits });
  return entries.every((entry): entry is [string, number] => isLimit(entry[1])) ? new Map(entries) : undefined;
}

const isLimit = (value: unknown): boolean => Number.isInteger(value) && (value as number) >= 0;
