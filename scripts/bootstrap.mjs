import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { ensureInstalled } from './install.mjs';
import { runPinned, whyTooOld } from './run-pinned.mjs';

/**
 * What `npm run <name>` starts, relative to the repository's root.
 * @type {Map<string, { script: string, readsEnvFile?: boolean, forUsers?: boolean, says: string }>}
 * `forUsers`: does without the dependencies of development.
 */
const commands = new Map([
  [
    'start',
    {
      script: 'apps/gateway/src/main.ts',
      readsEnvFile: true,
      forUsers: true,
      says: 'starts the gateway, everything in one process',
    },
  ],
  ['demo', { script: 'apps/gateway/src/demo.ts', forUsers: true, says: 'the same with demo targets and a short tour' }],
  ['test', { script: 'scripts/test.mjs', says: 'every check and test of the project' }],
  ['test:quick', { script: 'scripts/test-quick.mjs', says: 'the tests beside the sources that need no servers' }],
  ['check', { script: 'scripts/check.mjs', says: 'the checks that need no servers: format, lint, types, boundaries' }],
  ['bench', { script: 'scripts/bench.mjs', says: 'the speed laboratory, side by side with other gateways' }],
  [
    'verify-audit',
    {
      script: 'apps/management-api/src/verify-audit.ts',
      readsEnvFile: true,
      forUsers: true,
      says: 'checks the chain of the audit log; 0 whole, 1 broken, 2 not looked at',
    },
  ],
  [
    'reset-admin',
    {
      script: 'apps/management-api/src/reset-admin.ts',
      readsEnvFile: true,
      forUsers: true,
      says: 'gives the admin, or the admin whose name is given, a new password',
    },
  ],
  [
    'quality',
    {
      script: 'scripts/quality.ts',
      says: 'what the built-in policies find and what they take for an attack; --data <folder>',
    },
  ],
  [
    'agents',
    {
      script: 'scripts/agents.ts',
      says: 'drives current coding agents through the gateway and tells which policies stop them; --help',
    },
  ],
  [
    'journeys',
    {
      script: 'scripts/journeys.ts',
      says: 'walks what people come to the API for by HTTP calls alone, and counts them; --help',
    },
  ],
  [
    'security',
    {
      script: 'scripts/security.ts',
      says: 'attacks a gateway as its adversaries would and tells what got through; --help',
    },
  ],
  [
    'tenants',
    {
      script: 'scripts/tenants.ts',
      says: 'a million requests of two tenants, and whether anything of one came to the other; --help',
    },
  ],
  [
    'test:compose',
    { script: 'scripts/compose.ts', says: 'the compose stack under faults, where a Docker engine answers; --help' },
  ],
  ['generate', { script: 'scripts/generate.mjs', says: 'writes the generated files; --check only compares' }],
  ['format', { script: 'scripts/format.mjs', says: 'formats the sources' }],
]);

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const say = (/** @type {string} */ line) => process.stderr.write(`${line}\n`);

function usage(/** @type {string | undefined} */ given) {
  const names = [...commands].map(([name, { says }]) => `  npm run ${name.padEnd(12)}  ${says}`);
  say([given === undefined ? 'Which command?' : `There is no command "${given}".`, ...names].join('\n'));
  return 2;
}

async function main() {
  const fault = whyTooOld();
  if (fault !== undefined) {
    say(fault);
    return 1;
  }
  const [name, ...parameters] = process.argv.slice(2);
  const command = name === undefined ? undefined : commands.get(name);
  if (command === undefined) return usage(name);
  try {
    await ensureInstalled(root, say, command.forUsers ? 'production' : 'development');
    const envFile = command.readsEnvFile && existsSync(join(root, '.env')) ? ['--env-file=.env'] : [];
    const kind = name === 'start' ? 'services' : 'tools';
    return await runPinned(root, root, [...envFile, join(root, command.script), ...parameters], kind);
  } catch (error) {
    say(error instanceof Error ? error.message : String(error));
    return 1;
  }
}

process.exitCode = await main();
