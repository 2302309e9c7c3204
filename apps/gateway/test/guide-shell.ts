import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { copyFile, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';

const run = promisify(execFile);

export interface ShellRun {
  readonly output: string;
  /** Every call by curl with the status of its answer, in order. */
  readonly calls: readonly { readonly status: number; readonly call: string }[];
}

/** A reader's shell: what a block leaves in it is there for the next one of the same guide. */
export interface GuideShell extends AsyncDisposable {
  /** @throws when a command fails, with what it printed */
  run(guide: string, code: string): Promise<ShellRun>;
}

/** Nothing of ours is added to what is printed: curl tells the statuses by its own configuration file. */
const curlConfiguration = `write-out = "%{stderr}\\nANSWER %{http_code} %{method} %{url}\\n"\nmax-time = 30\n`;

/** @param first the guide that the others go on from */
export async function openGuideShell(first: string): Promise<GuideShell> {
  const folder = await mkdtemp(join(tmpdir(), 'portcullis-guides-'));
  await writeFile(join(folder, '.curlrc'), curlConfiguration);
  const stateOf = (guide: string) => join(folder, `${guide.replaceAll('/', '-')}.sh`);

  return {
    async run(guide, code) {
      const state = stateOf(guide);
      if (!existsSync(state)) await (guide === first ? writeFile(state, '') : copyFile(stateOf(first), state));
      const keep = `{ declare -f; declare -p | grep -E '^declare -- (GATEWAY|[A-Z]+)=' | grep -v BASH; } >'${state}'`;
      const script = `set -e\n. '${state}'\n${code}\n${keep}\n`;
      const { stdout, stderr } = await run('bash', ['-c', script], {
        env: { PATH: process.env['PATH'], HOME: folder, CURL_HOME: folder },
        timeout: 120_000,
      });
      const answers = stderr.matchAll(/^ANSWER (\d+) (.+)$/gm);
      return { output: stdout, calls: [...answers].map(([, status, call = '']) => ({ status: Number(status), call })) };
    },
    [Symbol.asyncDispose]: () => rm(folder, { recursive: true }),
  };
}
