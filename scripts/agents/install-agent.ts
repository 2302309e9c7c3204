import { cp, mkdir, readFile, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { Agent } from './agent.ts';
import { runProgram } from './run-program.ts';

export interface Installation {
  readonly folder: string;
  /** Version of the first package. */
  readonly version: string;
}

/** Programs of ours that import an agent's packages, copied to where these are found. */
export const loopsFolder = 'loops';

const timeoutMs = 600_000;

/**
 * Installs an agent's packages in a folder of its own below the cache, or brings it to their current versions.
 * @throws with what npm said
 */
export async function installAgent(agent: Agent, cache: string, signal: AbortSignal): Promise<Installation> {
  const folder = join(cache, agent.name);
  await mkdir(folder, { recursive: true });
  await writeFile(join(folder, 'package.json'), '{ "private": true }\n');
  const { code, output } = await runProgram(
    'npm',
    ['install', '--no-save', '--no-audit', '--no-fund', '--loglevel=error', ...agent.packages],
    // npm takes the newest version that its own Node can run, which is to be ours.
    { cwd: folder, env: { ...process.env, PATH: pathWithOurNode() }, timeoutMs, signal },
  );
  if (code !== 0) throw new Error(`npm could not install ${agent.packages.join(' ')}: ${output.trim().slice(-500)}`);
  await cp(join(import.meta.dirname, loopsFolder), join(folder, loopsFolder), { recursive: true });
  return { folder, version: await readVersion(folder, packageName(agent)) };
}

/** Our own Node comes first. */
export const pathWithOurNode = (): string => `${dirname(process.execPath)}:${process.env['PATH'] ?? ''}`;

/** The first package without the version that is wanted of it. */
const packageName = ({ packages }: Pick<Agent, 'packages'>): string => (packages[0] ?? '').replace(/(?<=.)@[^/]*$/, '');

async function readVersion(folder: string, name: string): Promise<string> {
  const manifest = JSON.parse(await readFile(join(folder, 'node_modules', name, 'package.json'), 'utf8')) as {
    version: string;
  };
  return manifest.version;
}
