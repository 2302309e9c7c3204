import { mkdtemp, rm } from 'node:fs/promises';
import { homedir, tmpdir } from 'node:os';
import { join } from 'node:path';
import { agents } from './agents/all-agents.ts';
import { enforcedPolicies } from './agents/enforced-policies.ts';
import { examineAgent, type Examination } from './agents/examine-agent.ts';
import { installAgent } from './agents/install-agent.ts';
import { openLaboratory } from './agents/laboratory.ts';
import { parseOptionsOrThrow, renderUsage, UsageProblem, type Options } from './agents/options.ts';
import { isPassed, renderReport } from './agents/report.ts';
import { abortOnSignal } from './steps.mjs';

// npm run agents: what the built-in policies make of coding agents as their makers publish them. What agents send is
// looked at and thrown away: their prompts belong to others.

const known = { agents: agents.map(({ name }) => name), policies: enforcedPolicies };
const cache = join(process.env['XDG_CACHE_HOME'] ?? join(homedir(), '.cache'), 'portcullis-agents');
/** Fewer tell too little of agents at large. */
const fewestAgents = 6;
const say = (line: string): void => void process.stderr.write(`${line}\n`);

async function run(options: Options, signal: AbortSignal): Promise<number> {
  const runs = await mkdtemp(join(tmpdir(), 'portcullis-agents-'));
  await using opened = new AsyncDisposableStack();
  opened.defer(async () => {
    if (options.keep) say(`What the agents printed and wrote is in ${runs}`);
    else await rm(runs, { recursive: true, force: true });
  });
  const laboratory = opened.use(await openLaboratory());

  const examinations: Examination[] = [];
  const absent: string[] = [];
  for (const agent of agents.filter(({ name }) => options.agents.includes(name))) {
    signal.throwIfAborted();
    say(`${agent.title} ...`);
    try {
      const { folder, version } = await installAgent(agent, cache, signal);
      const surroundings = { laboratory, installation: folder, runs, keep: options.keep, signal };
      examinations.push(await examineAgent(agent, version, options.policies, surroundings));
    } catch (error) {
      signal.throwIfAborted();
      absent.push(`${agent.title} is missing: ${error instanceof Error ? error.message : String(error)}`);
    }
  }
  console.log(renderReport(examinations, absent));
  const wanted = Math.min(fewestAgents, options.agents.length);
  if (examinations.length < wanted) say(`${examinations.length} agents could be driven; at least ${wanted} must be.`);
  return isPassed(examinations) && examinations.length >= wanted ? 0 : 1;
}

async function main(): Promise<number> {
  const signal = abortOnSignal();
  try {
    const options = parseOptionsOrThrow(process.argv.slice(2), known);
    if (!options.help) return await run(options, signal);
    console.log(renderUsage(known));
    return 0;
  } catch (error) {
    if (signal.aborted) return 130;
    say(error instanceof Error ? error.message : String(error));
    if (error instanceof UsageProblem) say(renderUsage(known));
    return error instanceof UsageProblem ? 2 : 1;
  }
}

process.exitCode = await main();
