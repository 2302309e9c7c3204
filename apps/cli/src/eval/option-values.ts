import { readFile, writeFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import type { EvaluationCategory } from '@portcullis/contracts/evaluation-case';
import { categories, findCategory } from '@portcullis/core/evaluation/suite/categories';
import { UnreadablePath, UsageError, type CommandIo } from '../command.ts';

/** @throws {UnreadablePath} */
export async function readText(path: string, io: CommandIo): Promise<string> {
  try {
    return await readFile(resolve(io.folder, path), 'utf8');
  } catch (error) {
    throw new UnreadablePath(`${path} cannot be read: ${error instanceof Error ? error.message : String(error)}`);
  }
}

/** @throws {UnreadablePath} */
export async function writeResult(path: string, content: string | Uint8Array, io: CommandIo): Promise<void> {
  try {
    await writeFile(resolve(io.folder, path), content);
  } catch (error) {
    throw new UnreadablePath(`${path} cannot be written: ${error instanceof Error ? error.message : String(error)}`);
  }
}

/** Empty: all. @throws {UsageError} */
export const readCategories = (given: string | undefined): readonly EvaluationCategory[] =>
  readList(given).map((name) => {
    const category = findCategory(name);
    if (category === undefined)
      throw new UsageError(`--categories: "${name}" is none; there are ${Object.keys(categories).join(', ')}.`);
    return category;
  });

/** What stands between commas. */
export const readList = (given = ''): readonly string[] =>
  given
    .split(',')
    .map((one) => one.trim())
    .filter((one) => one !== '');

interface Bounds {
  readonly least: number;
  readonly most: number;
}

/** @throws {UsageError} */
export function readOptionalNumber(
  option: string,
  given: string | undefined,
  { least, most }: Bounds,
): number | undefined {
  if (given === undefined) return undefined;
  const number = /^\d{1,9}$/.test(given) ? Number(given) : Number.NaN;
  if (!(number >= least && number <= most))
    throw new UsageError(`${option} takes a whole number from ${least} to ${most}; this is "${given}".`);
  return number;
}

/** @throws {UsageError} */
export const readNumber = (
  option: string,
  given: string | undefined,
  { usual, ...bounds }: Bounds & { readonly usual: number },
): number => readOptionalNumber(option, given, bounds) ?? usual;

/** @throws {UsageError} */
export function oneOf<Value extends string>(
  option: string,
  values: readonly Value[],
  given: string | undefined,
): Value | undefined {
  if (given === undefined) return undefined;
  const found = values.find((value) => value === given);
  if (found === undefined) throw new UsageError(`${option} takes ${values.join(', ')}; this is "${given}".`);
  return found;
}

/** An HTTP address. @throws {UsageError} */
export function readUrl(option: string, given: string): string {
  if (!/^https?:$/.test(URL.parse(given)?.protocol ?? ''))
    throw new UsageError(`${option} takes a URL that begins with http:// or https://; this is "${given}".`);
  return given;
}

/** From the environment alone: command lines are seen by others, and kept. @throws {UsageError} where a variable is named that is not set */
export function readSecret(
  option: string,
  named: string | undefined,
  usual: string,
  io: Pick<CommandIo, 'environment'>,
): string | undefined {
  if (named === undefined) return io.environment(usual);
  const secret = io.environment(named);
  if (secret === undefined) throw new UsageError(`${option}: the variable ${named} is not set.`);
  return secret;
}

export const tokenVariable = 'PORTCULLIS_TOKEN';

/** Where a gateway is, and the token of a login there. @throws {UsageError} */
export function readGatewayLogin(
  url: string,
  named: string | undefined,
  io: Pick<CommandIo, 'environment'>,
): { readonly url: string; readonly token: string } {
  const token = readSecret('--token-env', named, tokenVariable, io);
  if (token === undefined)
    throw new UsageError(`--gateway needs the token of a login in the variable ${tokenVariable}.`);
  return { url: readUrl('--gateway', url), token };
}
