import { PersistentMap } from '@portcullis/core/collections/persistent-map';
import { ExceptionTable } from '@portcullis/core/policy/exceptions/exception-table';
import type { PolicyPlan } from '@portcullis/core/policy/policy';
import type { CallerEntries } from '@portcullis/platform/snapshot/compile-callers';
import type { AgentStatus } from '@portcullis/contracts/routes/agents';
import type { UpstreamAgent } from '../upstream/upstream-agent.ts';

export interface GroupEntry {
  readonly id: number;
  readonly name: string;
  readonly active: boolean;
}

/** What a user group may do with an agent. */
export interface AccessEntry {
  /** Calls per minute; 0 is no limit. */
  readonly perMinute: number;
}

/** An agent as calls see it. */
export interface AgentEntry extends UpstreamAgent {
  readonly type: 'a2a';
  readonly name: string;
  readonly status: AgentStatus;
  /** By user group. */
  readonly access: Pick<PersistentMap<number, AccessEntry>, 'get'>;
}

/** The policies that apply to all agents, compiled. */
export interface AgentPolicies {
  readonly names: readonly string[];
  /** Newer ones are being compiled. */
  readonly areBehind: boolean;
  /** Undefined while there are none. */
  readonly plan: PolicyPlan | undefined;
}

/** Compiled, immutable configuration of the hub. */
export interface HubSnapshot extends CallerEntries<GroupEntry> {
  readonly revision: number;
  readonly agents: PersistentMap<number, AgentEntry>;
  readonly policies: AgentPolicies;
  /** Not pinned: see `ExceptionTable`. */
  readonly exceptions: ExceptionTable;
}

const noPolicies: AgentPolicies = Object.freeze({ names: [], areBehind: false, plan: undefined });

export const emptySnapshot: HubSnapshot = {
  revision: 0,
  keysByHash: PersistentMap.empty(),
  groups: PersistentMap.empty(),
  groupsBySubject: PersistentMap.empty(),
  agents: PersistentMap.empty(),
  policies: noPolicies,
  exceptions: new ExceptionTable(Date.now),
};
