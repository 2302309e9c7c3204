import type { Alert } from '@portcullis/contracts/events';
import type { ManagementClient } from '@portcullis/testkit/management-client';
import type { DemoPeers } from './demo-peers.ts';

/** A message of `/ws` about an alert. */
export interface LiveFrame {
  readonly type: string;
  readonly payload: Alert;
}

/** What the tour makes on its way, for the steps that follow. */
export interface TourState {
  readonly world: DemoPeers;
  /** Origin of the gateway. */
  readonly url: string;
  readonly admin: { readonly username: string; readonly password: string };
  client: ManagementClient | undefined;
  /** The gateway key, in the clear. */
  key: string;
  groupId: number;
  readonly proxyIds: { llm: number; mcp: number };
  agentId: number;
  /** What the gateway pushed since the first attack. */
  readonly pushed: LiveFrame[];
  /** The alert of that attack, once it is listed. */
  alert: Alert | undefined;
}

export const createTourState = (world: DemoPeers, password: string): TourState => ({
  world,
  url: `http://127.0.0.1:${world.ports.edge}`,
  admin: { username: 'admin', password },
  client: undefined,
  key: '',
  groupId: 0,
  proxyIds: { llm: 0, mcp: 0 },
  agentId: 0,
  pushed: [],
  alert: undefined,
});
