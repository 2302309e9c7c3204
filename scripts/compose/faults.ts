import { setTimeout as pause } from 'node:timers/promises';
import type { Engine } from './engine.ts';

/** Something that is taken away from the running stack, and given back. */
export interface Fault {
  readonly name: string;
  begin(engine: Engine): Promise<void>;
  end(engine: Engine): Promise<void>;
}

const paused = (service: string): Fault => ({
  name: `${service} paused`,
  begin: (engine) => engine.onContainer(['pause'], service),
  end: (engine) => engine.onContainer(['unpause'], service),
});

/** Killed; the restart policy of a container holds for crashes, not for `docker kill`, so it is started again. */
const killed = (service: string): Fault => ({
  name: `${service} killed`,
  begin: (engine) => engine.onContainer(['kill', '--signal', 'KILL'], service),
  end: (engine) => engine.onContainer(['start'], service),
});

const cutOff = (service: string): Fault => ({
  name: `${service} cut off`,
  begin: (engine) => engine.cutOff(service),
  end: (engine) => engine.join(service),
});

/** Each new app of ours has a row here. */
export const faults: readonly Fault[] = [
  ...['postgres', 'redis'].flatMap((service) => [paused(service), killed(service), cutOff(service)]),
  ...['a2a-hub', 'guardrails-worker', 'management-api', 'notifier', 'proxy-runtime', 'skill-hub'].map(killed),
];

/** How long a store is away, in milliseconds. What is killed comes back at once. */
const awayMs = 8_000;

export async function inflict(engine: Engine, fault: Fault): Promise<void> {
  await fault.begin(engine);
  if (!fault.name.endsWith('killed')) await pause(awayMs);
  await fault.end(engine);
}
