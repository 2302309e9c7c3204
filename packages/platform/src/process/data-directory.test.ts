import { afterAll, afterEach, describe, expect, test } from '@jest/globals';
import { mkdtempSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openDataDirectory } from './data-directory.ts';
import { killScripts, startScript, type Script } from '../../test/hosting/start-script.ts';
import { StartProblem } from '../errors/start-problem.ts';

const folder = mkdtempSync(join(tmpdir(), 'portcullis-data-'));
const scripts: Script[] = [];
let count = 0;
const freshPath = () => join(folder, String((count += 1)));

afterEach(() => killScripts(scripts));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** Opens the folder in a process of its own; resolves with the line that it prints. */
async function openElsewhere(path: string, name: string): Promise<Script & { line: string }> {
  const script = startScript('hold-data-directory.ts', [path, name]);
  scripts.push(script);
  const [, line = ''] = await script.said(/^(.+)\n/);
  return { ...script, line };
}

describe('the data directory', () => {
  test('is made for its owner only, with the folders above it', async () => {
    const path = join(freshPath(), 'deep', 'data');
    using directory = await openDataDirectory(path, 'gateway');
    expect(directory.path).toBe(path);
    expect(statSync(path).mode & 0o777).toBe(0o700);
  });

  test('refuses a second process of the same name with one sentence, and lets others in', async () => {
    const path = freshPath();
    const first = await openElsewhere(path, 'gateway');
    expect(first.line).toBe('held');

    await expect(openDataDirectory(path, 'gateway')).rejects.toThrow(StartProblem);
    const second = await openElsewhere(path, 'gateway');
    expect(second.line).toBe(
      `StartProblem: Another Portcullis process (gateway) already uses the data directory ${path}. Stop it, or set DATA_DIR to another folder.`,
    );
    expect((await openElsewhere(path, 'notifier')).line).toBe('held');
    expect(first.child.exitCode).toBeNull();
  });

  test('is free again when its process was killed', async () => {
    const path = freshPath();
    expect((await openElsewhere(path, 'gateway')).line).toBe('held');
    await expect(openDataDirectory(path, 'gateway')).rejects.toThrow(StartProblem);
    await killScripts(scripts);
    (await openDataDirectory(path, 'gateway'))[Symbol.dispose]();
  });

  test('is free again after it was disposed, in this process too', async () => {
    const path = freshPath();
    (await openDataDirectory(path, 'gateway'))[Symbol.dispose]();
    using again = await openDataDirectory(path, 'gateway');
    await expect(openDataDirectory(again.path, 'gateway')).rejects.toThrow(StartProblem);
  });

  test('holds nothing when it was refused', async () => {
    const path = freshPath();
    using first = await openDataDirectory(path, 'gateway');
    await expect(openDataDirectory(path, 'gateway')).rejects.toThrow(StartProblem);
    expect(readdirSync(first.path)).toEqual(['gateway.lock']);
    using other = await openDataDirectory(path, 'notifier');
    expect(other.path).toBe(first.path);
  });

  test('names the path when a file is in its place', async () => {
    const path = freshPath();
    writeFileSync(path, '');
    await expect(openDataDirectory(path, 'gateway')).rejects.toThrow(`DATA_DIR is ${path}, which is a file`);
  });

  test('says so where a folder cannot be made, and tries no longer', async () => {
    const opening = openDataDirectory('/proc/portcullis/data', 'gateway');
    await expect(opening).rejects.toThrow('The data directory /proc/portcullis/data cannot be used: ENOENT');
  });

  test('is waited for while its former process ends, which is told once', async () => {
    const path = freshPath();
    const former = await openDataDirectory(path, 'worker');
    let told = 0;
    const onWait = (): void => {
      told += 1;
      setTimeout(() => former[Symbol.dispose](), 250);
    };
    using directory = await openDataDirectory(path, 'worker', { waitMs: 10_000, onWait });
    expect([directory.path, told]).toEqual([path, 1]);
    await expect(openDataDirectory(path, 'worker', { waitMs: 150 })).rejects.toThrow('already uses');
  });
});
