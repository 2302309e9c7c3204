export const taskStates = [
  'TASK_STATE_SUBMITTED',
  'TASK_STATE_WORKING',
  'TASK_STATE_INPUT_REQUIRED',
  'TASK_STATE_AUTH_REQUIRED',
  'TASK_STATE_COMPLETED',
  'TASK_STATE_CANCELED',
  'TASK_STATE_FAILED',
  'TASK_STATE_REJECTED',
  'TASK_STATE_UNSPECIFIED',
] as const;

/** States of a task as A2A 1.0 spells them. */
export type TaskState = (typeof taskStates)[number];

const terminal: ReadonlySet<TaskState> = new Set([
  'TASK_STATE_COMPLETED',
  'TASK_STATE_CANCELED',
  'TASK_STATE_FAILED',
  'TASK_STATE_REJECTED',
]);
const interrupted: ReadonlySet<TaskState> = new Set(['TASK_STATE_INPUT_REQUIRED', 'TASK_STATE_AUTH_REQUIRED']);

/** Nothing changes such a task any more. */
export const isTerminal = (state: TaskState): boolean => terminal.has(state);

/** The task waits for its caller. */
export const isInterrupted = (state: TaskState): boolean => interrupted.has(state);

/** Whether a task may go from one state to the other. To stay is always allowed: an agent tells its progress so. */
export function isTransitionAllowed(from: TaskState, to: TaskState): boolean {
  if (from === to) return true;
  if (isTerminal(from) || to === 'TASK_STATE_UNSPECIFIED') return false;
  return to !== 'TASK_STATE_SUBMITTED' || from === 'TASK_STATE_UNSPECIFIED';
}

/** Before 1.0: `input-required`, and `unknown`. */
const legacySpelling = (state: TaskState): string =>
  state === 'TASK_STATE_UNSPECIFIED' ? 'unknown' : state.slice('TASK_STATE_'.length).toLowerCase().replace('_', '-');

const spellings = new Map<string, TaskState>([
  ...taskStates.flatMap((state) => [[state, state] as const, [legacySpelling(state), state] as const]),
  // Two letters L were the spelling of the draft of 1.0, and of 0.3 over HTTP.
  ['TASK_STATE_CANCELLED', 'TASK_STATE_CANCELED'],
  ['cancelled', 'TASK_STATE_CANCELED'],
]);

/** A state in the spelling of any generation. */
export const findTaskState = (written: string): TaskState | undefined => spellings.get(written);

export const renderLegacyState = legacySpelling;

/** With two letters L in what is cancelled, for readers of the draft. */
export const renderDraftState = (state: TaskState): string =>
  state === 'TASK_STATE_CANCELED' ? 'TASK_STATE_CANCELLED' : state;
