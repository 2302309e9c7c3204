import { globSync, readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { AllowedPattern, LaterPattern } from './allowed-patterns.ts';
import { findPatterns } from './find-patterns.ts';
import { judgePattern } from './judge-pattern.ts';
import { recordPatterns, type BuiltPattern } from './record-patterns.ts';
import { findSchemaPatterns } from './schema-patterns.ts';

export interface Exceptions {
  readonly allowed: readonly AllowedPattern[];
  readonly later: readonly LaterPattern[];
}

export interface PatternReport {
  readonly judged: number;
  readonly problems: readonly string[];
}

/** Only used by tests, and to make tables. */
const elsewhere = /^packages\/(?:testkit|detector-training)\//;
const contracts = /^packages\/contracts\/src\//;

/** Judges every pattern of the services: literals, what is built when a module is brought in, and schemas. For a process of its own. */
export async function checkFiles(root: string, exceptions: Exceptions): Promise<PatternReport> {
  const files = globSync('{apps,packages}/*/src/**/*.ts', { cwd: root })
    .map((file) => file.replaceAll('\\', '/'))
    .filter((file) => !file.endsWith('.test.ts') && !elsewhere.test(file))
    .sort();
  const check = new Check(exceptions);
  const builders = new Map<string, readonly number[]>();
  for (const file of files) {
    const source = readFileSync(resolve(root, file), 'utf8');
    for (const pattern of findPatterns(source)) check.judge({ file, ...pattern });
    const lines = linesThatBuild(source);
    if (lines.length > 0) builders.set(file, lines);
  }
  const built = await recordPatterns(root, [...builders.keys()]);
  for (const pattern of built) if (files.includes(pattern.file)) check.judge(pattern);
  check.compareBuilders(builders, built);
  const modules: object[] = [];
  for (const file of files.filter((file) => contracts.test(file)))
    modules.push((await import(pathToFileURL(resolve(root, file)).href)) as object);
  for (const source of findSchemaPatterns(modules.map((module) => Object.values(module))))
    check.judge({ file: 'packages/contracts', line: 0, source, flags: 'u' });
  return check.report();
}

/** Where a file calls the constructor. */
const linesThatBuild = (source: string): readonly number[] =>
  source.split('\n').flatMap((line, index) => (/\bRegExp\(/.test(line.replace(/\/\/.*/, '')) ? [index + 1] : []));

const longestShown = 120;

class Check {
  readonly #exceptions: Exceptions;
  readonly #problems: string[] = [];
  readonly #judged = new Set<string>();
  readonly #needed = new Set<AllowedPattern | LaterPattern>();

  constructor(exceptions: Exceptions) {
    this.#exceptions = exceptions;
  }

  judge({ file, line, source, flags }: BuiltPattern): void {
    const key = `${file} ${flags} ${source}`;
    if (this.#judged.has(key)) return;
    this.#judged.add(key);
    const fault = faultOf(source, flags);
    if (fault === undefined) return;
    const allowed = this.#exceptions.allowed.find((row) => row.file === file && source.startsWith(row.start));
    if (allowed !== undefined) this.#needed.add(allowed);
    else this.#problems.push(`${file}:${line} /${source.slice(0, longestShown)}/${flags} ${fault}`);
  }

  /** What was not built when its module was brought in is built later, of something that was not seen. */
  compareBuilders(builders: ReadonlyMap<string, readonly number[]>, built: readonly BuiltPattern[]): void {
    for (const [file, lines] of builders) {
      const unseen = lines.filter((line) => !built.some((pattern) => pattern.file === file && pattern.line === line));
      const row = this.#exceptions.later.find((known) => known.file === file);
      if (row !== undefined && unseen.length > 0) this.#needed.add(row);
      if (unseen.length !== (row?.count ?? 0))
        this.#problems.push(
          `${file}:${unseen.join(',')} builds ${unseen.length} patterns later, of which ${row?.count ?? 0} are known`,
        );
    }
  }

  report(): PatternReport {
    const { allowed, later } = this.#exceptions;
    const idle = [...allowed, ...later].filter((row) => !this.#needed.has(row));
    return {
      judged: this.#judged.size,
      problems: [...this.#problems, ...idle.map(({ file }) => `${file}: an exception that nothing needs`)],
    };
  }
}

function faultOf(source: string, flags: string): string | undefined {
  try {
    return judgePattern(source, flags)?.says;
  } catch (error) {
    return `cannot be judged: ${error instanceof Error ? error.message : String(error)}`;
  }
}
