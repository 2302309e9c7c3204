import type { PGlite } from '@electric-sql/pglite';
import { NodeFS } from '@electric-sql/pglite/nodefs';

/** As PostgreSQL writes to its log. While it starts, an error ends it, too. */
const fatalLine = /\b(?:FATAL|PANIC): +(\S.*)/;
const problemLine = /\b(?:ERROR|FATAL|PANIC): +(\S.*)/;

/** PGlite's files, and what PostgreSQL says when it cannot go on: where it ends for that, PGlite tells no reason. */
export class DataFiles extends NodeFS {
  #problem: string | undefined;
  #serves = false;

  /** What PostgreSQL complained of last. */
  get problem(): string | undefined {
    return this.#problem;
  }

  /** PostgreSQL has started: from now on errors are answers. */
  serve(): void {
    this.#serves = true;
    this.#problem = undefined;
  }

  override async init(database: PGlite, options: Parameters<NodeFS['init']>[1]): ReturnType<NodeFS['init']> {
    const { emscriptenOpts } = await super.init(database, options);
    const print = emscriptenOpts['printErr'] as ((line: string) => void) | undefined;
    const hear = (line: string): void => {
      this.#problem = (this.#serves ? fatalLine : problemLine).exec(line)?.[1] ?? this.#problem;
      print?.(line);
    };
    return { emscriptenOpts: { ...emscriptenOpts, printErr: hear } };
  }
}
