import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { LlmPeer } from '../../packages/testkit/src/llm-peer.ts';
import type { RecordedRequest } from '../../packages/testkit/src/loopback-peer.ts';
import type { Agent } from './agent.ts';
import { pathWithOurNode } from './install-agent.ts';
import { runProgram } from './run-program.ts';
import { playTask, type Task } from './tasks.ts';

/** What came of one task. */
export interface Drive {
  /** Why the task is not done, undefined when it is. */
  readonly fault: string | undefined;
  /** What the agent printed. */
  readonly output: string;
  /** What reached the model. */
  readonly requests: readonly RecordedRequest[];
}

export interface Place {
  readonly model: LlmPeer;
  readonly url: string;
  readonly key: string;
  readonly installation: string;
  /** Folder for the homes and workspaces of the runs. */
  readonly runs: string;
  readonly keep: boolean;
  readonly signal: AbortSignal;
}

const timeoutMs = 120_000;

/** Lets an agent do one task in a home and a folder of its own, with the model playing along. */
export async function driveAgent(agent: Agent, task: Task, place: Place): Promise<Drive> {
  const { model, url, key, installation } = place;
  const run = await mkdtemp(join(place.runs, `${agent.name}-${task.name}-`));
  const [home, workspace] = [join(run, 'home'), join(run, 'work')];
  await Promise.all([mkdir(home), mkdir(workspace)]);
  await task.prepare(workspace);
  model.behave(playTask(task, workspace));
  model.forget();

  const launch = agent.launch({ url, key, home, workspace, installation }, task.prompt);
  for (const [path, content] of Object.entries(launch.files ?? {})) {
    await mkdir(dirname(join(home, path)), { recursive: true });
    await writeFile(join(home, path), content);
  }
  const { program, parameters, environment } = launch;
  const file = program === 'node' ? process.execPath : join(installation, 'node_modules', '.bin', program);
  const { code, output, timedOut } = await runProgram(file, parameters, {
    cwd: workspace,
    // Nothing of the caller's environment may reach an agent: it may hold keys.
    env: {
      PATH: pathWithOurNode(),
      HOME: home,
      LANG: 'C.UTF-8',
      TERM: 'dumb',
      CI: '1',
      NO_COLOR: '1',
      DO_NOT_TRACK: '1',
      ...environment,
    },
    timeoutMs,
    signal: place.signal,
  });
  const requests = [...model.requests];
  const fault = await task.findFault(workspace, output, requests.map(({ body }) => body).join('\n'));
  if (place.keep) await writeFile(join(run, 'output.txt'), output);
  else await rm(run, { recursive: true, force: true });
  const ended = timedOut ? `it did not end within ${timeoutMs / 1_000} s` : `it ended with ${code}`;
  return { fault: fault && `${fault}; ${ended}`, output, requests };
}
