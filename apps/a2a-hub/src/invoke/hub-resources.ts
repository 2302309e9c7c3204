import { AuditThrottle } from '@portcullis/platform/audit/audit-throttle';
import { addressRuleOf } from '@portcullis/platform/config/config';
import { createCachedLookup } from '@portcullis/platform/network/cached-lookup';
import type { ServiceApi } from '@portcullis/platform/service/service-api';
import type { Infrastructure } from '@portcullis/platform/service/infrastructure';
import { sharePolicyAnalyst } from '@portcullis/platform/policies/policy-analyst';
import { reportRevisions } from '@portcullis/platform/runtimes/report-revisions';
import { allAgents } from '@portcullis/platform/runtimes/revision-report';
import { createSnapshotFeed, type SnapshotFeed } from '@portcullis/platform/snapshot/snapshot-feed';
import { createSnapshotStore } from '@portcullis/platform/snapshot/snapshot-store';
import { shareBodyMemory, type BodyMemory } from '@portcullis/platform/http/body-memory';
import { join } from 'node:path';
import { loadScope } from '../agents/agent-scope.ts';
import { createHubCompiler } from '../snapshot/compile-hub.ts';
import { emptySnapshot, type HubSnapshot } from '../snapshot/hub-snapshot.ts';
import { hubSources } from '../snapshot/hub-sources.ts';
import type { Logins } from '../stages/identify-caller.ts';
import { createAgentClient, type AgentClient } from '../upstream/agent-client.ts';
import { defaultCallLimits } from '../upstream/call-limits.ts';
import { OpenInvocations } from './open-invocations.ts';

/** Of the copy of the configuration on disk. */
const snapshotVersion = 2;

/** What calls of agents share from before the first one until after the last one. */
export interface HubResources extends AsyncDisposable {
  readonly feed: SnapshotFeed<HubSnapshot>;
  readonly client: AgentClient;
  readonly logins: Logins;
  readonly refusals: AuditThrottle;
  readonly bodyMemory: BodyMemory;
  readonly underWay: OpenInvocations;
  /** Reads the policies and the configuration; from then on the feed keeps it current. */
  load(): Promise<void>;
}

export function createHubResources(infrastructure: Infrastructure, api: Pick<ServiceApi, 'identity'>): HubResources {
  const { config, database, log, instanceId } = infrastructure;
  const revisions = reportRevisions({ database, log, reporter: { instanceId, service: 'a2a-hub' } });
  const analyst = sharePolicyAnalyst(infrastructure, log);
  const feed = openFeed(infrastructure, { analyst, revisions });
  const client = openAgentClient(config);
  return {
    feed,
    client,
    logins: {
      user: async (token) => (await api.identity.identifyOrThrow(token)).caller,
      groupsOf: async (user) => (await loadScope(database, user))?.groups ?? [],
    },
    refusals: new AuditThrottle(),
    bodyMemory: shareBodyMemory(infrastructure),
    underWay: new OpenInvocations(),
    async load() {
      await analyst.load();
      await feed.start();
    },
    async [Symbol.asyncDispose]() {
      await analyst[Symbol.asyncDispose]();
      await feed[Symbol.asyncDispose]();
      await revisions[Symbol.asyncDispose]();
      await client[Symbol.asyncDispose]();
    },
  };
}

interface FeedParts {
  readonly analyst: ReturnType<typeof sharePolicyAnalyst>;
  readonly revisions: ReturnType<typeof reportRevisions>;
}

/** The configuration in force, with a copy on disk for starts without a database. */
function openFeed(
  { database, encryption, log, dataDirectory }: Infrastructure,
  { analyst, revisions }: FeedParts,
): SnapshotFeed<HubSnapshot> {
  return createSnapshotFeed({
    database,
    sources: hubSources,
    compiler: createHubCompiler({ encryption, analyst, log }),
    store: createSnapshotStore({
      path: join(dataDirectory, 'a2a-hub-snapshot.json'),
      sources: hubSources,
      version: snapshotVersion,
    }),
    empty: emptySnapshot,
    log,
    onChange: ({ revision, policies }) =>
      void revisions.report({ revision, behind: new Set(policies.areBehind ? [allAgents] : []) }),
  });
}

const openAgentClient = (config: Infrastructure['config']): AgentClient =>
  createAgentClient(
    {
      ...addressRuleOf(config),
      connections: config.TARGET_CONNECTIONS,
      connectTimeoutMs: config.TARGET_CONNECT_TIMEOUT,
      lookup: createCachedLookup(),
    },
    {
      ...defaultCallLimits,
      headersTimeoutMs: config.TARGET_HEADERS_TIMEOUT,
      idleTimeoutMs: config.TARGET_IDLE_TIMEOUT,
      totalTimeoutMs: config.AGENT_CALL_TIMEOUT,
    },
  );
