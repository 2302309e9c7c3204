import type { Agent } from './agent.ts';
import { driveAgent, driveSession, type Drive, type Place } from './drive-agent.ts';
import { refusalText, refusingPolicy, type Laboratory } from './laboratory.ts';
import { Ledger, type Verdict } from './ledger.ts';
import { replay } from './replay.ts';
import { nextQuestion, tasks, type Task } from './tasks.ts';

export interface Examination {
  readonly agent: string;
  readonly title: string;
  readonly version: string;
  /** Tasks that it did not do although no policy stood in its way: then nothing is known of it. */
  readonly undone: readonly string[];
  readonly verdicts: readonly Verdict[];
  /** Tasks not done, with what was missing, while all policies that blocked nothing were in force together. */
  readonly hindered: readonly string[];
  /** Whether its user reads why, when a policy blocks. */
  readonly tellsRefusal: boolean;
  /** Prompts that a session answers after one was refused; undefined for an agent that cannot go on with a session. */
  readonly answered: number | undefined;
}

/** Prompts in one session behind one that is refused. */
export const promptsAfterBlock = 10;

type Surroundings = Omit<Place, 'url' | 'model' | 'key'> & { readonly laboratory: Laboratory };

/**
 * Lets an agent do every task without a policy, sends what it sent once more to each policy, and lets it do the tasks
 * again while all policies that blocked nothing are in force together.
 */
export async function examineAgent(
  agent: Agent,
  version: string,
  policies: readonly string[],
  { laboratory, ...surroundings }: Surroundings,
): Promise<Examination> {
  const { model, key } = laboratory;
  const drive = async (task: Task, assigned: readonly string[]): Promise<Drive> =>
    driveAgent(agent, task, { ...surroundings, model, key, url: await laboratory.openProxy(assigned) });

  const undone: string[] = [];
  const rulings = new Map(policies.map((policy) => [policy, new Ledger(policy)]));
  for (const task of tasks) {
    const { fault, requests } = await drive(task, []);
    if (fault !== undefined) undone.push(`${task.name}: ${fault}`);
    for (const request of requests) {
      const send = async (assigned: readonly string[]) =>
        replay(request, { url: await laboratory.openProxy(assigned), ...laboratory }, surroundings.signal);
      const { answer } = await send([]);
      for (const [policy, ledger] of rulings) ledger.add(task.name, await send([policy]), answer);
    }
  }
  const verdicts = [...rulings.values()].map((ledger) => ledger.verdict());

  const harmless = verdicts.filter(({ blocked }) => blocked === 0).map(({ policy }) => policy);
  const hindered: string[] = [];
  for (const task of undone.length === 0 && harmless.length > 0 ? tasks : []) {
    const { fault } = await drive(task, harmless);
    if (fault !== undefined) hindered.push(`${task.name}: ${fault}`);
  }
  const [question] = tasks as readonly [Task];
  const { output } = await drive(question, [refusingPolicy]);
  const tellsRefusal = output.includes(refusalText);
  const url = await laboratory.openProxy([refusingPolicy]);
  const next = Array.from({ length: promptsAfterBlock }, () => nextQuestion);
  const session = await driveSession(agent, [question, ...next], { ...surroundings, model, key, url });
  const answered = session?.slice(1).filter(({ fault }) => fault === undefined).length;
  return { agent: agent.name, title: agent.title, version, undone, verdicts, hindered, tellsRefusal, answered };
}
