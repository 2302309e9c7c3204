import type { ListenerType } from '@portcullis/contracts/records';
import { normalisePath } from '../http/normalise-path.ts';
import { anthropicPaths } from './anthropic/paths.ts';
import { anyJson } from './any/any-json.ts';
import { awsPaths } from './aws/paths.ts';
import { coherePaths } from './cohere/paths.ts';
import type { DialectPaths } from './shared/dialect-paths.ts';
import type { Dialect } from './shared/dialect.ts';
import { googlePaths } from './google/paths.ts';
import { mcp } from './mcp/mcp.ts';
import { ollamaPaths } from './ollama/paths.ts';
import { openaiPaths } from './openai/paths.ts';

/** One row for each provider whose dialects are read. */
export const dialectPaths: readonly DialectPaths[] = [
  openaiPaths,
  anthropicPaths,
  googlePaths,
  awsPaths,
  coherePaths,
  ollamaPaths,
];

const first = dialectPaths.flatMap((provider) => provider.first ?? []);
const ends = dialectPaths
  .flatMap((provider) => Object.entries(provider.ends))
  .toSorted(([one], [other]) => other.length - one.length);
const last = dialectPaths.flatMap((provider) => provider.last ?? []);

/** Paths whose dialect is remembered, and how long they may be: clients choose them. */
const maxKnownPaths = 500;
const maxKnownLength = 200;

const known = new Map<string, Dialect>();

/** @param path request path without its query */
export function findDialect(type: ListenerType, path: string): Dialect {
  if (type === 'mcp') return mcp;
  return known.get(path) ?? learnDialect(path);
}

function learnDialect(path: string): Dialect {
  const dialect = readDialect(path);
  if (path.length > maxKnownLength) return dialect;
  if (known.size >= maxKnownPaths) known.clear();
  known.set(path, dialect);
  return dialect;
}

function readDialect(path: string): Dialect {
  const read = normalisePath(path);
  const found =
    first.find(([pattern]) => pattern.test(read)) ??
    ends.find(([end]) => read.endsWith(end)) ??
    last.find(([pattern]) => pattern.test(read));
  return found?.[1] ?? anyJson;
}
