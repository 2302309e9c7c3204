import { AgentFailure } from './agent-failure.ts';

/** Ends a call when the caller leaves or the time is over, whichever comes first. */
export interface Deadline extends Disposable {
  readonly signal: AbortSignal;
}

export function openDeadline(caller: AbortSignal, totalMs: number): Deadline {
  const controller = new AbortController();
  const leave = (): void => controller.abort(new AgentFailure('left', 'The caller has gone'));
  const timer = setTimeout(
    () => controller.abort(new AgentFailure('timeout', `The agent took longer than ${totalMs} ms`)),
    totalMs,
  );
  if (caller.aborted) leave();
  else caller.addEventListener('abort', leave, { once: true });
  return {
    signal: controller.signal,
    [Symbol.dispose]() {
      clearTimeout(timer);
      caller.removeEventListener('abort', leave);
    },
  };
}
