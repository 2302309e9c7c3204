import { memoizeLast } from '@portcullis/core/collections/memoize-last';
import { rankInterfaces } from '@portcullis/core/a2a/protocol-version';
import { ExceptionTable } from '@portcullis/core/policy/exceptions/exception-table';
import { PersistentMap } from '@portcullis/core/collections/persistent-map';
import { finish } from '@portcullis/core/collections/finish-steps';
import { problemText } from '@portcullis/platform/errors/problem';
import type { Logger } from '@portcullis/platform/log/logger';
import type { PolicyAnalyst } from '@portcullis/platform/policies/policy-analyst';
import { PolicyPlans } from '@portcullis/platform/policies/policy-plans';
import type { PolicyRow } from '@portcullis/platform/policies/policy-source';
import type { Encryption } from '@portcullis/platform/security/encryption';
import { createCallerCompiler } from '@portcullis/platform/snapshot/compile-callers';
import { EntryIndex, GroupedIndex } from '@portcullis/platform/snapshot/entry-index';
import type { SnapshotCompiler } from '@portcullis/platform/snapshot/snapshot-compiler';
import { allRows, type SnapshotRows } from '@portcullis/platform/snapshot/snapshot-source';
import { calledCard } from '@portcullis/platform/agents/called-card';
import { openTargetAuth } from '../agents/target-auth.ts';
import {
  emptySnapshot,
  type AccessEntry,
  type AgentEntry,
  type AgentPolicies,
  type GroupEntry,
  type HubSnapshot,
} from './hub-snapshot.ts';
import type { AccessSourceRow, AgentSourceRow, HubTables } from './hub-sources.ts';

interface HubCompilerParts {
  readonly encryption: Encryption;
  readonly analyst: Pick<PolicyAnalyst, 'analyse'>;
  readonly log: Logger;
}

const compileGroup = ({ id, name, active }: GroupEntry): GroupEntry => ({ id, name, active });
const compileAccess = ({ rate_limit: perMinute }: AccessSourceRow): AccessEntry => ({ perMinute });

/** Policies apply to agents by their type alone: those for agents, and those for every kind of traffic. */
const isForAgents = ({ document }: PolicyRow): boolean => {
  const type =
    typeof document === 'object' && document !== null && 'policy_type' in document ? document.policy_type : '';
  return type === 'a2a' || type === 'both';
};

export function createHubCompiler({
  encryption,
  analyst,
  log,
}: HubCompilerParts): SnapshotCompiler<SnapshotRows<HubTables>, HubSnapshot> {
  const callers = createCallerCompiler(compileGroup);
  const access = new GroupedIndex<AccessSourceRow, AccessEntry>((row) => [row.agent_id, row.user_group_id]);
  const plans = new PolicyPlans(log, analyst, () => undefined);
  // Most changes concern no policy.
  const policyRows = memoizeLast((rows: HubTables['policies']) => allRows(rows).filter(isForAgents));
  const exceptions = new ExceptionTable(Date.now);
  const followExceptions = memoizeLast((rows: HubTables['exceptions']) => exceptions.replace(allRows(rows)));
  // Agents stay the same objects over changes of others: what was learned of their interfaces hangs on them.
  const agents = new EntryIndex(
    ({ id }: AgentSourceRow) => id,
    (row) => compileAgent(row, encryption, log),
  );
  const joined = new WeakMap<object, AgentEntry>();
  let policies: AgentPolicies | undefined;
  let needsPolicies = false;

  const join = (agent: AgentEntry, its: AgentEntry['access']): AgentEntry => {
    const known = joined.get(agent);
    if (known?.access === its) return known;
    const entry = { ...agent, access: its };
    joined.set(agent, entry);
    return entry;
  };

  return {
    prepare: (rows) => callers.prepare(rows),
    compile(rows) {
      const allAccess = finish(access.follow(rows.access, compileAccess));
      const compiled = finish(agents.follow(rows.agents));
      const entries = [...compiled.values()].map(
        (agent) => [agent.id, join(agent, allAccess.get(agent.id) ?? noAccess)] as const,
      );
      // Plans take memory and time: there are none until the first agent. They stay when the last one goes.
      needsPolicies ||= entries.length > 0;
      if (needsPolicies) policies = findPolicies(plans, policyRows(rows.policies), policies, log);
      followExceptions(rows.exceptions);
      return {
        revision: rows.revision,
        exceptions,
        ...callers.compile(rows),
        // No agent is called before its policies are in force.
        agents: PersistentMap.empty<number, AgentEntry>().with(policies === undefined ? [] : entries),
        policies: policies ?? { ...emptySnapshot.policies, areBehind: needsPolicies },
      };
    },
    catchUp: () => plans.makeMissing(),
  };
}

const noAccess: AgentEntry['access'] = PersistentMap.empty<number, AccessEntry>();

/** Until new policies are compiled, those before them stay in force; undefined where there were none. */
function findPolicies(
  plans: PolicyPlans,
  rows: readonly PolicyRow[],
  before: AgentPolicies | undefined,
  log: Logger,
): AgentPolicies | undefined {
  plans.update(rows);
  const assigned = rows
    .map(({ name }) => name)
    .toSorted()
    .map((name) => ({ policy_name: name, mode: 'enforce' }));
  try {
    const found = plans.find(assigned);
    return found === undefined ? before && { ...before, areBehind: true } : { ...found, areBehind: false };
  } catch (error) {
    log.error('policies of agents cannot be compiled; those before them stay in force', { reason: problemText(error) });
    return before && { ...before, areBehind: false };
  }
}

function compileAgent(row: AgentSourceRow, encryption: Encryption, log: Logger): AgentEntry {
  const { id, name, status, card } = row;
  const routes = rankInterfaces(calledCard(card, row.target_url));
  return {
    id,
    type: 'a2a',
    name,
    status,
    routes,
    streams: card.capabilities.streaming === true,
    credentialsFor(url) {
      try {
        return openTargetAuth(row, url, encryption);
      } catch (error) {
        log.error('the credentials of an agent cannot be read', { agent: id, reason: problemText(error) });
        return {};
      }
    },
    access: noAccess,
  };
}
