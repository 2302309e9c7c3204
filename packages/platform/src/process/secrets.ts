import { randomBytes, randomUUID } from 'node:crypto';
import { chmod, link, open, readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { Config } from '../config/config.ts';
import { options } from '../config/options.ts';
import type { Secret } from '../config/secret.ts';
import { problemCode, problemText } from '../errors/problem.ts';
import { StartProblem } from '../errors/start-problem.ts';

const names = ['JWT_SECRET', 'ENCRYPTION_KEY'] as const;

/** The secrets without which no process works. */
export type ProcessSecrets = { readonly [Name in (typeof names)[number]]: Secret };

/**
 * Fills in the secrets that the environment does not give: made at the first start, kept in
 * `secrets.json` and read back from then on. Processes that start at once on one folder agree.
 * @throws {StartProblem} when the file is there and cannot be used: making new secrets would turn
 * everything that was encrypted with the old ones into waste
 */
export async function completeSecrets(config: Config, dataDirectory: string): Promise<Config & ProcessSecrets> {
  const { JWT_SECRET, ENCRYPTION_KEY } = config;
  if (JWT_SECRET !== undefined && ENCRYPTION_KEY !== undefined) return { ...config, JWT_SECRET, ENCRYPTION_KEY };

  const file = join(dataDirectory, 'secrets.json');
  const kept = (await loadSecrets(file)) ?? (await createSecrets(file));
  return {
    ...config,
    JWT_SECRET: JWT_SECRET ?? kept.JWT_SECRET,
    ENCRYPTION_KEY: ENCRYPTION_KEY ?? kept.ENCRYPTION_KEY,
  };
}

/**
 * The encryption key, for commands that only look: makes nothing.
 * @throws {StartProblem} when there is none yet
 */
export async function findEncryptionKey(config: Config, dataDirectory: string): Promise<Secret> {
  const file = join(dataDirectory, 'secrets.json');
  const key = config.ENCRYPTION_KEY ?? (await loadSecrets(file))?.ENCRYPTION_KEY;
  if (key === undefined) throw new StartProblem(`ENCRYPTION_KEY is not set, and there is no ${file}.`);
  return key;
}

async function loadSecrets(file: string): Promise<ProcessSecrets | undefined> {
  let text: string;
  try {
    text = await readFile(file, 'utf8');
    await chmod(file, 0o600);
  } catch (error) {
    if (problemCode(error) === 'ENOENT') return undefined;
    throw new StartProblem(`The secrets in ${file} cannot be read: ${problemText(error)}.`, error);
  }
  return parseSecretsOrThrow(file, text);
}

function parseSecretsOrThrow(file: string, text: string): ProcessSecrets {
  try {
    const values: unknown = JSON.parse(text);
    const read = (name: (typeof names)[number]) => options[name].parse(textProperty(values, name));
    return { JWT_SECRET: read('JWT_SECRET'), ENCRYPTION_KEY: read('ENCRYPTION_KEY') };
  } catch {
    throw new StartProblem(
      `${file} does not hold valid secrets. Restore it from a backup, or give JWT_SECRET and ENCRYPTION_KEY in the environment.`,
    );
  }
}

function textProperty(value: unknown, name: string): string {
  const property: unknown = typeof value === 'object' && value !== null ? Reflect.get(value, name) : undefined;
  if (typeof property !== 'string') throw new TypeError(`${name} is not a text`);
  return property;
}

/** Makes the file, whole and synced or not at all; when another process was faster, reads that one's. */
async function createSecrets(file: string): Promise<ProcessSecrets> {
  const draft = `${file}.${randomUUID()}`;
  const values = { JWT_SECRET: randomBytes(48).toString('base64url'), ENCRYPTION_KEY: randomBytes(32).toString('hex') };
  try {
    await using handle = await open(draft, 'wx', 0o600);
    await handle.writeFile(`${JSON.stringify(values, null, 2)}\n`);
    await handle.sync();
    await link(draft, file).catch((error: unknown) => {
      if (problemCode(error) !== 'EEXIST') throw error;
    });
  } catch (error) {
    throw new StartProblem(`The secrets cannot be kept in ${file}: ${problemText(error)}.`, error);
  } finally {
    await rm(draft, { force: true });
  }
  return parseSecretsOrThrow(file, await readFile(file, 'utf8'));
}
