import { resolve } from 'node:path';
import { pathToFileURL } from 'node:url';

/** A pattern that is put together where it is used: as it came out, and where that was. */
export interface BuiltPattern {
  readonly source: string;
  readonly flags: string;
  /** Relative to the root; empty for one of a package. */
  readonly file: string;
  readonly line: number;
}

const ownFrame = /(?<file>(?:apps|packages)\/[\w-]+\/src\/[^\s:()]+):(?<line>\d+):\d+/;

/**
 * Brings in modules and answers which patterns they build while that goes on: what is put together of constants is not told by
 * reading it. For a process of its own: whoever builds patterns afterwards does so as before.
 */
export async function recordPatterns(root: string, files: readonly string[]): Promise<readonly BuiltPattern[]> {
  const built: BuiltPattern[] = [];
  const note = (pattern: RegExp): RegExp => {
    const own = new Error('built here').stack
      ?.split('\n')
      .find((frame) => frame.includes(root) && ownFrame.test(frame));
    const { file = '', line = '0' } = (own === undefined ? undefined : ownFrame.exec(own)?.groups) ?? {};
    built.push({ source: pattern.source, flags: pattern.flags, file, line: Number(line) });
    return pattern;
  };
  const original = globalThis.RegExp;
  globalThis.RegExp = new Proxy(original, {
    construct: (target, values: [string], maker) => note(Reflect.construct(target, values, maker) as RegExp),
    apply: (target, self, values: [string]) => note(Reflect.apply(target, self, values)),
  });
  try {
    for (const file of files) await import(pathToFileURL(resolve(root, file)).href);
  } finally {
    globalThis.RegExp = original;
  }
  return built;
}
