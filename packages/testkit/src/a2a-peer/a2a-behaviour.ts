/**
 * How an agent behaves.
 * - `message`: answers with a message alone.
 * - `stream`: makes a task, tells that it works, writes an artifact in three pieces, and completes.
 * - `slow`: works until it is released or cancelled.
 * - `ask`: asks for the town, and completes with the second message of the task.
 * - `fail`: makes a task and fails.
 * - `nonsense`: answers JSON that is no answer.
 * - `endless`: streams events without end.
 * - `flood`: streams one event of 200 MB.
 */
export const a2aBehaviours = ['message', 'stream', 'slow', 'ask', 'fail', 'nonsense', 'endless', 'flood'] as const;
export type A2aBehaviour = (typeof a2aBehaviours)[number];

export type StepState = 'submitted' | 'working' | 'input-required' | 'completed' | 'canceled' | 'failed';

/** What an agent does next, in no generation's words. */
export type Step =
  | { readonly message: string }
  | { readonly task: StepState }
  | { readonly state: StepState; readonly says?: string }
  | { readonly artifact: string; readonly append: boolean; readonly last: boolean };

export interface Situation {
  /** The text of the message that came. */
  readonly heard: string;
  /** The message belongs to a task that was there before. */
  readonly goesOn: boolean;
  /** Resolves with how a slow task is to end. */
  readonly ended: Promise<'completed' | 'canceled'>;
}

/** The steps of a conduct that the official kits can take part in. */
export async function* stepsOf(conduct: A2aBehaviour, { heard, goesOn, ended }: Situation): AsyncGenerator<Step, void> {
  if (conduct === 'message') return yield { message: `You said: ${heard}` };
  if (!goesOn) yield { task: 'submitted' };
  if (conduct === 'fail') return yield { state: 'failed', says: 'Nothing works' };
  if (conduct === 'ask' && !goesOn) return yield { state: 'input-required', says: 'Which town?' };
  yield { state: 'working', says: 'One moment' };
  if (conduct === 'slow') return yield { state: await ended };
  const words = ['You ', 'said: ', heard];
  for (const [index, artifact] of words.entries()) {
    yield { artifact, append: index > 0, last: index === words.length - 1 };
  }
  yield { state: 'completed' };
}
