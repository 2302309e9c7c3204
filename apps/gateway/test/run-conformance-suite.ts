import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { answer, startLoopbackPeer } from '@portcullis/testkit/loopback-peer';

const require = createRequire(import.meta.url);
const referee = require.resolve('@modelcontextprotocol/conformance/dist/index.js');
const run = promisify(execFile);

/** The sets of requirements that the referee judges by, each on its own wire version. */
export const requirementSets = ['2025-11-25', '2026-07-28'] as const;
export type RequirementSet = (typeof requirementSets)[number];

/** By scenario and check, in the order of their names: SUCCESS, FAILURE, WARNING, SKIPPED, INFO. */
export type Verdicts = Readonly<Record<string, string>>;

export interface Judgement {
  readonly verdicts: Verdicts;
  /** True when everything that is required was passed. */
  readonly conforms: boolean;
  /** What the referee printed. */
  readonly output: string;
}

/**
 * Lets the official conformance suite judge an MCP server.
 * @param requirements `extension` for a scenario of one, which belongs to no set
 * @param scenario only this one of the set
 */
export async function runConformanceSuite(
  url: string,
  requirements: RequirementSet | 'extension',
  scenario?: string,
): Promise<Judgement> {
  const directory = await mkdtemp(join(tmpdir(), 'portcullis-referee-'));
  try {
    const asked =
      scenario === undefined
        ? ['--requirements', requirements]
        : ['--scenario', scenario, ...(requirements === 'extension' ? [] : ['--spec-version', requirements])];
    const options = ['server', '--url', url, '-o', directory, ...asked];
    const outcome = await run(process.execPath, [referee, ...options], { maxBuffer: 2 ** 26 }).then(
      ({ stdout }) => ({ conforms: true, output: stdout }),
      // It exits with 1 when something required failed; the verdicts tell what.
      (error: { readonly stdout?: string; readonly stderr?: string }) => ({
        conforms: false,
        output: `${error.stdout ?? ''}${error.stderr ?? ''}`,
      }),
    );
    return { ...outcome, verdicts: await readVerdicts(directory) };
  } finally {
    await rm(directory, { recursive: true, force: true });
  }
}

interface AuthorizationCase {
  readonly issuer: string;
  /** Registered, with `http://127.0.0.1:<port>/callback` as its address. */
  readonly clientId: string;
  readonly resource: string;
  readonly port: number;
  /** Does what a user does with the address that the referee prints. */
  readonly visit: (address: string) => Promise<void>;
}

/** Lets the official conformance suite judge an authorization server. */
export async function runAuthorizationSuite({
  issuer,
  clientId,
  resource,
  port,
  visit,
}: AuthorizationCase): Promise<Judgement> {
  const directory = await mkdtemp(join(tmpdir(), 'portcullis-referee-'));
  const options = [
    '--url',
    issuer,
    '--client-id',
    clientId,
    '--resource',
    resource,
    '-p',
    String(port),
    '-o',
    directory,
  ];
  const child = spawn(process.execPath, [referee, 'authorization', ...options], {
    stdio: ['ignore', 'pipe', 'pipe'],
    env: { ...process.env, NO_COLOR: '1' },
  });
  try {
    const lines: string[] = [];
    for (const stream of [child.stdout, child.stderr]) {
      createInterface(stream).on('line', (line) => {
        lines.push(line);
        const [address] = /http:\/\/\S+\/authorize\?\S+/.exec(line) ?? [];
        if (address !== undefined) void visit(address).catch((error: unknown) => lines.push(String(error)));
      });
    }
    const [code] = (await once(child, 'close')) as [number | null];
    return { conforms: code === 0, output: lines.join('\n'), verdicts: await readVerdicts(directory) };
  } finally {
    child.kill('SIGKILL');
    await rm(directory, { recursive: true, force: true });
  }
}

const refereeClient = fileURLToPath(new URL('referee-client.ts', import.meta.url));

/**
 * Lets the official conformance suite judge a client, with a server and an authorization server of its own.
 * @param connect does what the client does with the address of the server
 */
export async function runClientSuite(
  scenario: string,
  connect: (server: string) => Promise<unknown>,
): Promise<Judgement> {
  const directory = await mkdtemp(join(tmpdir(), 'portcullis-referee-'));
  const messages: string[] = [];
  await using caller = await startLoopbackPeer(async ({ body }, response) => {
    const outcome = await connect(body).then(
      () => 200,
      (error: unknown) => {
        messages.push(String(error));
        return 500;
      },
    );
    answer(response, outcome, {});
  });
  try {
    const command = `${process.execPath} ${refereeClient} ${caller.url}`;
    const options = ['client', '--command', command, '--scenario', scenario, '--timeout', '120000', '-o', directory];
    const outcome = await run(process.execPath, [referee, ...options], { maxBuffer: 2 ** 26 }).then(
      ({ stderr }) => ({ conforms: true, output: stderr }),
      (error: { readonly stderr?: string }) => ({ conforms: false, output: error.stderr ?? '' }),
    );
    const output = [...messages, outcome.output].join('\n');
    return { conforms: outcome.conforms, output, verdicts: await readVerdicts(directory) };
  } finally {
    await rm(directory, { recursive: true, force: true });
  }
}

interface Check {
  readonly id: string;
  readonly status: string;
}

async function readVerdicts(directory: string): Promise<Verdicts> {
  const verdicts = new Map<string, string>();
  for (const file of await readdir(directory, { recursive: true })) {
    // The scenarios of clients have names with a slash, and with it a folder more.
    if (basename(file) !== 'checks.json') continue;
    const scenario = dirname(file).replace(/-\d{4}-\d\d-\d\dT.*$/, '');
    const checks = JSON.parse(await readFile(join(directory, file), 'utf8')) as readonly Check[];
    for (const { id, status } of checks) {
      const name = `${scenario} ${id}`;
      // A check that is made several times counts as often.
      verdicts.set(name, [verdicts.get(name), status].filter((part) => part !== undefined).join(' '));
    }
  }
  return Object.fromEntries([...verdicts].toSorted(([one], [other]) => (one < other ? -1 : 1)));
}
