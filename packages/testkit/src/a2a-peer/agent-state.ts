import type { Express } from 'express';
import type { A2aBehaviour } from './a2a-behaviour.ts';
import type { RunningTasks } from './running-tasks.ts';

/** What the agents of all generations share. */
export interface AgentState {
  readonly app: Express;
  /** Origin of the peer, as its card names it. */
  readonly url: string;
  readonly tasks: RunningTasks;
  /** How the next message is answered. */
  readonly conduct: () => A2aBehaviour;
  /** What the card says at the moment, in the members that all generations share. */
  readonly card: () => SharedCard;
}

export interface SharedCard {
  readonly name: string;
  readonly description: string;
  readonly version: string;
  readonly skills: { id: string; name: string; description: string; tags: string[] }[];
}
