import { afterAll, beforeEach, describe, expect, test } from '@jest/globals';
import { chmodSync, mkdirSync, mkdtempSync, readFileSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseConfigOrThrow } from '../config/config.ts';
import { createEncryption } from '../security/encryption.ts';
import { completeSecrets } from './secrets.ts';
import { StartProblem } from '../errors/start-problem.ts';

const folder = mkdtempSync(join(tmpdir(), 'portcullis-secrets-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

let directory = '';
let count = 0;
beforeEach(() => {
  directory = join(folder, String((count += 1)));
  mkdirSync(directory);
});

const given = { JWT_SECRET: 'j'.repeat(32), ENCRYPTION_KEY: 'e'.repeat(32) };

const complete = async (environment: Record<string, string> = {}) => {
  const { JWT_SECRET, ENCRYPTION_KEY } = await completeSecrets(parseConfigOrThrow(environment), directory);
  return { JWT_SECRET: JWT_SECRET.reveal(), ENCRYPTION_KEY: ENCRYPTION_KEY.reveal() };
};

describe('the secrets of a process', () => {
  test('are made at the first start, kept for the owner only, and read back', async () => {
    const first = await complete();
    expect(first.JWT_SECRET.length).toBeGreaterThanOrEqual(32);
    expect(() => createEncryption(first.ENCRYPTION_KEY)).not.toThrow();
    expect(readdirSync(directory)).toEqual(['secrets.json']);
    expect(statSync(join(directory, 'secrets.json')).mode & 0o777).toBe(0o600);
    expect(await complete()).toEqual(first);
  });

  test('differ between data directories', async () => {
    const first = await complete();
    rmSync(join(directory, 'secrets.json'));
    const second = await complete();
    expect(second.JWT_SECRET).not.toBe(first.JWT_SECRET);
    expect(second.ENCRYPTION_KEY).not.toBe(first.ENCRYPTION_KEY);
  });

  test('are the same for processes that start at once', async () => {
    const all = await Promise.all(Array.from({ length: 8 }, () => complete()));
    expect(new Set(all.map((secrets) => JSON.stringify(secrets))).size).toBe(1);
    expect(readdirSync(directory)).toEqual(['secrets.json']);
  });

  test('come from the environment where it gives them, without touching the disk', async () => {
    expect(await complete(given)).toEqual(given);
    expect(await complete({ ...given, ENVIRONMENT: 'production' })).toEqual(given);
    expect(readdirSync(directory)).toEqual([]);
  });

  test('mix with those of the environment', async () => {
    const kept = await complete();
    expect(await complete({ JWT_SECRET: given.JWT_SECRET })).toEqual({ ...kept, JWT_SECRET: given.JWT_SECRET });
  });

  test('are closed to others again when the file was opened to them', async () => {
    const first = await complete();
    chmodSync(join(directory, 'secrets.json'), 0o644);
    expect(await complete()).toEqual(first);
    expect(statSync(join(directory, 'secrets.json')).mode & 0o777).toBe(0o600);
  });

  test.each(['', 'not json', '{}', '{"JWT_SECRET":"short","ENCRYPTION_KEY":"short"}', 'null', '{"JWT_SECRET":1}'])(
    'are never made anew over a file that holds %j',
    async (text) => {
      const file = join(directory, 'secrets.json');
      writeFileSync(file, text);
      await expect(complete()).rejects.toThrow(StartProblem);
      await expect(complete()).rejects.toThrow(file);
      expect(readFileSync(file, 'utf8')).toBe(text);
    },
  );
});
