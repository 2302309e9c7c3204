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

interface Room {
  readonly home: string;
  readonly workspace: string;
}

/** Lets an agent do one task in a home and a folder of its own, with the model playing along. */
export async function driveAgent(agent: Agent, task: Task, place: Place): Promise<Drive> {
  const run = await mkdtemp(join(place.runs, `${agent.name}-${task.name}-`));
  const room = await openRoom(run, task);
  const drive = await driveTask(agent, task, place, room);
  if (place.keep) await writeFile(join(run, 'output.txt'), drive.output);
  else await rm(run, { recursive: true, force: true });
  return drive;
}

/**
 * Lets an agent do tasks one after the other in one session.
 * @returns undefined for an agent that cannot go on with a session
 */
export async function driveSession(
  agent: Agent,
  [first, ...others]: readonly [Task, ...Task[]],
  place: Place,
): Promise<readonly Drive[] | undefined> {
  const { resume } = agent;
  if (resume === undefined) return undefined;
  const run = await mkdtemp(join(place.runs, `${agent.name}-session-`));
  const room = await openRoom(run, first);
  const drives = [await driveTask(agent, first, place, room)];
  for (const task of others) drives.push(await driveTask({ ...agent, launch: resume }, task, place, room));
  if (place.keep) await writeFile(join(run, 'output.txt'), drives.map(({ output }) => output).join('\n'));
  else await rm(run, { recursive: true, force: true });
  return drives;
}

async function openRoom(run: string, task: Task): Promise<Room> {
  const room = { home: join(run, 'home'), workspace: join(run, 'work') };
  await Promise.all([mkdir(room.home), mkdir(room.workspace)]);
  await task.prepare(room.workspace);
  return room;
}

async function driveTask(agent: Agent, task: Task, place: Place, { home, workspace }: Room): Promise<Drive> {
  const { model, url, key, installation } = place;
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
  const ended = timedOut ? `it did not end within ${timeoutMs / 1_000} s` : `it ended with ${code}`;
  return { fault: fault && `${fault}; ${ended}`, output, requests };
}
