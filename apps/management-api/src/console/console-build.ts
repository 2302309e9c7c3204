import { readdir, readFile, stat } from 'node:fs/promises';
import { extname, join } from 'node:path';

/** One file of the built console. */
export interface ConsoleFile {
  readonly bytes: Buffer;
  /** The same, where the build compressed it. */
  readonly brotli: Buffer | undefined;
  readonly contentType: string;
}

/** What the build of the console made; files by their path below `/console/`. */
export interface ConsoleBuild {
  readonly page: string;
  readonly files: ReadonlyMap<string, ConsoleFile>;
}

const contentTypes: Readonly<Record<string, string>> = {
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.woff2': 'font/woff2',
};

const lookAgainMs = 1_000;

/**
 * Reads the folder when it is first asked for, and again when a new build took its place.
 * @returns what answers the build; undefined while there is none
 */
export function watchConsoleBuild(folder: string): () => Promise<ConsoleBuild | undefined> {
  let held: { readonly madeMs: number; readonly build: ConsoleBuild } | undefined;
  let lookedAtMs = 0;
  return async () => {
    if (Date.now() - lookedAtMs < lookAgainMs) return held?.build;
    lookedAtMs = Date.now();
    const madeMs = await stat(join(folder, 'index.html')).then(
      ({ mtimeMs }) => mtimeMs,
      () => undefined,
    );
    if (madeMs === undefined) return (held = undefined);
    if (held?.madeMs !== madeMs) held = { madeMs, build: await loadConsoleBuild(folder) };
    return held.build;
  };
}

async function loadConsoleBuild(folder: string): Promise<ConsoleBuild> {
  const names = await readdir(folder, { recursive: true });
  const served = names.filter((name) => contentTypes[extname(name)] !== undefined);
  const files = await Promise.all(
    served.map(async (name) => {
      const bytes = await readFile(join(folder, name));
      const brotli = names.includes(`${name}.br`) ? await readFile(join(folder, `${name}.br`)) : undefined;
      const file = { bytes, brotli, contentType: contentTypes[extname(name)] ?? '' };
      return [name.replaceAll('\\', '/'), file] as const;
    }),
  );
  return { page: await readFile(join(folder, 'index.html'), 'utf8'), files: new Map(files) };
}
