import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { contestants } from './contestants/all.ts';
import { gateRuns, judgeGate } from './gate.ts';
import { runLab } from './lab.ts';
import { bindProcess, describeMachine } from './machine.ts';
import { measureAgents } from './measure-agents.ts';
import { isManagementSubject, measureManagement } from './measure-management.ts';
import { measureScan, measureStages, measureSteps } from './measure-scan.ts';
import { measureSoak } from './soak/measure-soak.ts';
import { parseOptionsOrThrow, usage, UsageProblem, type Options } from './options.ts';
import { canReadUsage } from './process-usage.ts';
import { renderMarkdown, summarise } from './report.ts';
import type { Results } from './results.ts';

const resultsFolder = fileURLToPath(new URL('../results', import.meta.url));
const cacheFolder = fileURLToPath(new URL('../../node_modules/.cache/portcullis-bench', import.meta.url));
const say = (line: string) => process.stderr.write(`${line}\n`);

async function measure({ settings, only }: Options, signal: AbortSignal): Promise<Results> {
  const machine = describeMachine();
  bindProcess(process.pid, machine.pinned.upstream);
  const wanted = contestants.filter(({ name }) => name === 'direct' || only === undefined || only.includes(name));
  return { machine, settings, contestants: await runLab({ settings, machine, cacheFolder, signal, say }, wanted) };
}

/** Ends with 1 when something costs more than it may. */
async function runGate(options: Options, signal: AbortSignal): Promise<number> {
  const runs: Results[] = [];
  while (runs.length < gateRuns) {
    say(`start ${runs.length + 1} of ${gateRuns}`);
    runs.push(await measure(options, signal));
  }
  const { passes, lines } = judgeGate(runs);
  process.stdout.write(`${lines.join('\n')}\n`);
  return passes ? 0 : 1;
}

async function run(options: Options, signal: AbortSignal): Promise<number> {
  const { json } = options;
  const results = await measure(options, signal);
  const markdown = renderMarkdown(results);
  const data = `${JSON.stringify({ ...results, summary: summarise(results) }, null, 1)}\n`;
  await mkdir(resultsFolder, { recursive: true });
  await writeFile(join(resultsFolder, 'latest.md'), markdown);
  await writeFile(join(resultsFolder, 'latest.json'), data);
  process.stdout.write(json ? data : markdown);
  return results.contestants.some(({ status }) => status === 'failed') ? 1 : 0;
}

async function main(): Promise<number> {
  const stop = new AbortController();
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
    process.on(signal, () => stop.abort(new Error(`${signal}: stopping everything`)));
  }
  const [name, ...parameters] = process.argv.slice(2);
  if (isManagementSubject(name)) return measureManagement(name, parameters, resultsFolder);
  if (name === 'scan') return measureScan(resultsFolder);
  if (name === 'steps') return measureSteps(parameters, resultsFolder);
  if (name === 'stages') return measureStages(parameters, resultsFolder);
  try {
    if (name === 'agents') return await measureAgents(resultsFolder, stop.signal);
    if (name === 'soak') return await measureSoak(parameters, resultsFolder, stop.signal, say);
    const options = parseOptionsOrThrow(
      process.argv.slice(2),
      contestants.map(({ name }) => name),
    );
    if (process.platform !== 'linux' || !canReadUsage()) {
      say('The laboratory reads CPU time from /proc: it needs Linux, with scheduler statistics per thread.');
      return 1;
    }
    return await (options.gate ? runGate(options, stop.signal) : run(options, stop.signal));
  } catch (error) {
    say(error instanceof Error ? error.message : String(error));
    if (error instanceof UsageProblem) say(usage);
    return error instanceof UsageProblem ? 2 : stop.signal.aborted ? 130 : 1;
  }
}

process.exitCode = await main();
