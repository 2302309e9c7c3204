import { spawn } from 'node:child_process';
import { pnpmVersion } from './install.mjs';
import { root } from './steps.mjs';
import { acceptedAdvisories } from './accepted-advisories.mjs';

// Asks the configured registry for advisories about what the lock file holds. High and critical ones fail, unless they
// are accepted for a while; a registry that cannot be reached or knows none is no failure, and is told.

/**
 * @typedef {{ module_name: string, severity: string, title: string, url: string, github_advisory_id?: string,
 *   findings: { version: string }[] }} Advisory
 */

const deadlineMs = 30_000;
const severe = new Set(['high', 'critical']);

/** @param {string[]} parameters @returns {Promise<{ advisories?: Record<string, Advisory>, problem?: string }>} */
async function audit(parameters) {
  const command = ['--yes', `pnpm@${pnpmVersion}`, 'audit', '--json', '--config.fetch-retries=0', ...parameters];
  const env = { ...process.env, npm_config_fetch_retries: '0' };
  const child = spawn('npx', command, { cwd: root, env, stdio: ['ignore', 'pipe', 'pipe'], timeout: deadlineMs });
  let [output, complaint] = ['', ''];
  child.stdout.on('data', (chunk) => (output += chunk));
  child.stderr.on('data', (chunk) => (complaint += chunk));
  await new Promise((resolve) => child.once('error', resolve).once('close', resolve));
  try {
    return { advisories: JSON.parse(output).advisories };
  } catch {
    const line = /ERR_PNPM_\w+|E[A-Z]{3,}\w*/.exec(`${output}${complaint}`)?.[0];
    return { problem: line ?? `no answer within ${deadlineMs / 1_000} s` };
  }
}

const today = new Date().toISOString().slice(0, 10);
const idOf = (/** @type {Advisory} */ { github_advisory_id: id, url }) => id ?? url;
const render = (/** @type {Advisory} */ advisory) =>
  `${advisory.severity}: ${advisory.module_name} ${advisory.findings.map(({ version }) => version).join(', ')}: ` +
  `${advisory.title} (${idOf(advisory)})`;

const { advisories, problem } = await audit(process.argv.slice(2));
if (advisories === undefined) {
  console.log(`skipped: the registry tells no advisories (${problem})`);
} else {
  const found = Object.values(advisories).filter(({ severity }) => severe.has(severity));
  const isAccepted = (/** @type {Advisory} */ advisory) =>
    acceptedAdvisories.some(({ id, until }) => id === idOf(advisory) && until >= today);
  for (const advisory of found.filter((one) => !isAccepted(one))) {
    console.log(render(advisory));
    process.exitCode = 1;
  }
  for (const { id } of acceptedAdvisories.filter(({ id }) => !found.some((advisory) => idOf(advisory) === id))) {
    console.log(`${id} is accepted and not found: take it from scripts/accepted-advisories.mjs`);
    process.exitCode = 1;
  }
}
