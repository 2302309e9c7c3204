import { mkdirSync, mkdtempSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { Absent } from './contestant.ts';
import { unpackFromApt } from './unpack-from-apt.ts';

const path = process.env['PATH'];
let folder = '';
let cacheFolder = '';

/** Programs in the place of the distribution's, which write down that they were called. */
function replace(program: string, script: string): void {
  const file = join(folder, 'bin', program);
  writeFileSync(file, `#!/bin/sh\necho "${program} $*" >> '${folder}/calls'\n${script}\n`, { mode: 0o755 });
}

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'bench-apt-'));
  cacheFolder = join(folder, 'cache');
  mkdirSync(join(folder, 'bin'));
  process.env['PATH'] = `${join(folder, 'bin')}${delimiter}${path}`;
  replace('apt-get', '[ "$1" = update ] || echo archive > "$2.deb"');
  replace('dpkg-deb', 'mkdir -p usr/sbin && cp "$2" usr/sbin/lighttpd');
});
afterEach(() => {
  process.env['PATH'] = path;
  rmSync(folder, { recursive: true });
});

const unpack = (signal = new AbortController().signal) =>
  unpackFromApt({ cacheFolder, signal, say: () => undefined }, 'lighttpd', 'usr/sbin/lighttpd');
const calls = () => readFileSync(join(folder, 'calls'), 'utf8').trim().split('\n');
const fetchedOnce = ['apt-get download lighttpd', 'dpkg-deb --extract lighttpd.deb .'];

test('two that want it at once fetch it once, and the next run not at all', async () => {
  const place = join(cacheFolder, 'lighttpd/usr/sbin/lighttpd');
  expect(await Promise.all([unpack(), unpack()])).toEqual([place, place]);
  expect(readFileSync(place, 'utf8')).toBe('archive\n');
  expect(await unpack()).toBe(place);
  expect(calls()).toEqual(fetchedOnce);
  expect(readdirSync(cacheFolder)).toEqual(['lighttpd']);
});

test('what another run put there meanwhile stays, and there is no error', async () => {
  const theirs = `${cacheFolder}/lighttpd/usr/sbin`;
  replace(
    'dpkg-deb',
    `mkdir -p usr/sbin '${theirs}' && cp "$2" usr/sbin/lighttpd && echo theirs > '${theirs}/lighttpd'`,
  );
  expect(readFileSync(await unpack(), 'utf8')).toBe('theirs\n');
  expect(readdirSync(cacheFolder)).toEqual(['lighttpd']);
});

test('what an interrupted fetch left is replaced', async () => {
  mkdirSync(join(cacheFolder, 'lighttpd'), { recursive: true });
  writeFileSync(join(cacheFolder, 'lighttpd/lighttpd.deb'), 'half');
  expect(readFileSync(await unpack(), 'utf8')).toBe('archive\n');
});

test.each([
  [
    'apt-get fails',
    'apt-get',
    'exit 100',
    /^lighttpd is not on the PATH and apt-get could not bring it: Command failed/,
  ],
  ['the package has no such program', 'dpkg-deb', 'exit 0', /its package has no usr\/sbin\/lighttpd$/],
])('where %s it is absent, nothing stays, and the next one tries again', async (_what, program, script, message) => {
  replace(program, script);
  const failures = await Promise.allSettled([unpack(), unpack()]);
  for (const failure of failures)
    expect(failure).toMatchObject({ reason: expect.objectContaining({ message: expect.stringMatching(message) }) });
  await expect(unpack()).rejects.toBeInstanceOf(Absent);
  expect(calls().filter((call) => call === fetchedOnce[0]).length).toBeGreaterThan(1);
  expect(readdirSync(cacheFolder)).toEqual([]);
});

test('a run that is stopped says so, and not that it is absent', async () => {
  replace('apt-get', 'sleep 60');
  const stop = new AbortController();
  const unpacked = unpack(stop.signal);
  stop.abort(new Error('stopped'));
  await expect(unpacked).rejects.toThrow('stopped');
});
