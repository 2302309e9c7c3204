import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { root, seconds } from './steps.mjs';

/**
 * @typedef {import('./file-profile.mjs').FileProfile} FileProfile
 * @typedef {Record<string, FileProfile>} Profile by the file's path from the root
 */

const keptFile = join(root, 'scripts', 'test-profile.json');
const dearest = 5;
/** A file is named when it takes this many times what is kept of it, and this much longer: short ones vary by themselves. */
const times = 2;
const leastMoreMs = 5_000;

/**
 * What is kept of a run on a quiet machine, of which the order of the files comes, too.
 * @returns {Record<string, number>} milliseconds by file
 */
export function readKeptTimes() {
  return existsSync(keptFile) ? JSON.parse(readFileSync(keptFile, 'utf8')) : {};
}

/** Keeps the times of a run beside those of files that it left out. */
export function keepTimes(/** @type {Profile} */ profile) {
  const all = {
    ...readKeptTimes(),
    ...Object.fromEntries(byTime(profile).map(([file, { totalMs }]) => [file, totalMs])),
  };
  const present = Object.entries(all).filter(([file]) => existsSync(join(root, file)));
  const sorted = present.toSorted(([a], [b]) => (a < b ? -1 : 1));
  writeFileSync(keptFile, `${JSON.stringify(Object.fromEntries(sorted), null, 2)}\n`);
}

/** @param {Profile} profile */
const byTime = (profile) => Object.entries(profile).toSorted(([, a], [, b]) => b.totalMs - a.totalMs);

const columns = /** @type {const} */ ([
  'totalMs',
  'toFirstTestMs',
  'waitingMs',
  'processorMs',
  'processes',
  'databases',
]);
const titles = ['seconds', 'to test', 'waiting', 'core', 'proc', 'db'];

/**
 * A line per file, the dearest first, and one of all of them.
 * @param {Profile} profile
 * @returns {string[]}
 */
export function renderProfile(profile) {
  const rows = byTime(profile);
  const sum = (/** @type {keyof FileProfile} */ column) => rows.reduce((total, [, file]) => total + file[column], 0);
  const all = /** @type {FileProfile} */ (Object.fromEntries(columns.map((column) => [column, sum(column)])));
  return [
    titles.map((title) => title.padStart(8)).join(' '),
    ...rows.map(([name, file]) => `${renderRow(file)}  ${name}`),
    `${renderRow(all)}  all ${rows.length} files`,
  ];
}

const renderRow = (/** @type {FileProfile} */ file) =>
  columns.map((column) => renderCell(column, file[column]).padStart(8)).join(' ');

const renderCell = (/** @type {string} */ column, /** @type {number} */ value) =>
  column.endsWith('Ms') ? (value / 1_000).toFixed(1) : String(value);

/**
 * How a run ends: the dearest files, and those that have become dear against what is kept. Machines differ, so it is told and
 * fails nothing; the whole of the run tells how this machine compares.
 * @param {Profile} profile
 * @param {Record<string, number>} kept
 * @returns {string[]}
 */
export function renderDearest(profile, kept) {
  const rows = byTime(profile);
  const known = rows.filter(([file]) => kept[file] !== undefined);
  const sum = (/** @type {number[]} */ values) => values.reduce((total, value) => total + value, 0);
  const pace = sum(known.map(([, { totalMs }]) => totalMs)) / sum(known.map(([file]) => kept[file] ?? 0)) || 1;
  const grown = known.filter(([file, { totalMs }]) => {
    const before = (kept[file] ?? 0) * Math.max(pace, 1);
    return totalMs >= times * before && totalMs - before >= leastMoreMs;
  });
  return [
    ...rows.slice(0, dearest).map(([file, { totalMs }]) => `${seconds(totalMs).padStart(8)}  ${file}`),
    ...grown.map(
      ([file, { totalMs }]) =>
        `${seconds(totalMs).padStart(8)}  ${file}, which took ${seconds(kept[file] ?? 0)} when its time was kept`,
    ),
  ];
}
