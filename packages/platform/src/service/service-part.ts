import type { ServiceHealth } from './service.ts';

/** A part of a service, as the table in its `service.ts` lists it. */
export interface ServicePart extends Partial<AsyncDisposable> {
  start?(): void | Promise<void>;
  /** One line for each thing that is wrong, for the health of the service. */
  problems?(): readonly string[];
}

/** Starts parts one after the other. */
export async function startParts(parts: readonly ServicePart[]): Promise<void> {
  for (const part of parts) await part.start?.();
}

/** What parts come to, with problems that are the service's own. */
export function healthOf(parts: readonly ServicePart[], own: readonly string[] = []): ServiceHealth {
  const problems = [...own, ...parts.flatMap((part) => part.problems?.() ?? [])];
  return { status: problems.length === 0 ? 'healthy' : 'degraded', problems };
}

/** Ends parts in reverse, each also when another fails: a database that is away must not keep clients connected. */
export async function disposeParts(parts: readonly ServicePart[]): Promise<void> {
  await using stack = new AsyncDisposableStack();
  for (const part of parts) stack.defer(async () => part[Symbol.asyncDispose]?.());
}

type Job = AsyncDisposable & Pick<ServicePart, 'problems'>;

/** Work that goes on from its start to its end. @param start answers undefined where there is none to do */
export function createJob(start: () => Job | undefined | Promise<Job>): ServicePart {
  const running: Job[] = [];
  return {
    async start() {
      const job = await start();
      if (job !== undefined) running.push(job);
    },
    problems: () => running.flatMap((job) => job.problems?.() ?? []),
    async [Symbol.asyncDispose]() {
      for (const job of running) await job[Symbol.asyncDispose]();
    },
  };
}
