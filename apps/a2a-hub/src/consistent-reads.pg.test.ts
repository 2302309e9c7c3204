import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { listAgentLogs } from '@portcullis/contracts/routes/agent-logs';
import { createSaveRecords } from '@portcullis/platform/spool/save-records';
import { interruptAfter } from '@portcullis/platform/test/interrupt-after';
import { linesOf } from '@portcullis/platform/test/spool/lines-of';
import { openTestDatabase } from '@portcullis/platform/test/test-database';
import type { Database } from '@portcullis/platform/database/database';
import { randomUUID, randomUUIDv7 } from 'node:crypto';
import { createLogs } from './logs/logs.ts';
import { insertAgent } from '@portcullis/platform/agents/agent-queries';
import { cardColumns } from '@portcullis/platform/agents/card-columns';
import { readAgentCard } from '@portcullis/platform/agents/read-agent-card';
import { saveTasks } from './tasks/task-queries.ts';
import { TaskStore } from './tasks/task-store.ts';

let database: Database & AsyncDisposable;
let agentId: number;
beforeAll(async () => {
  // A server's: the embedded one has one connection.
  database = await openTestDatabase('server');
  const { read } = readAgentCard({ name: 'Maps', url: 'https://agent.example' });
  if (read === undefined) throw new Error('no card');
  ({ id: agentId } = await insertAgent(database, { name: 'Maps', ...cardColumns(read, new Date()) }));
});
afterAll(async () => database[Symbol.asyncDispose]());

async function arrive(): Promise<void> {
  const save = createSaveRecords(database);
  await save(
    linesOf([
      {
        kind: 'agent_invocation',
        event_id: randomUUIDv7(),
        timestamp: new Date().toISOString(),
        request_id: 'r',
        agent_id: agentId,
        agent_name: 'Maps',
        user_type: 'apikey',
        invocation_type: 'send_message',
        surface: 'rest',
        response_status: 200,
        duration_ms: 1,
        request_size: 1,
        response_size: 1,
        blocked: false,
        risk_score: 0,
        rate_limit_exceeded: false,
        rate_limit_applied: 0,
        source_ip: '203.0.113.9',
      },
    ]),
  );
  const status = { state: 'TASK_STATE_COMPLETED' } as const;
  await saveTasks(database, [
    {
      stored: {
        agentId,
        owner: 'group:1',
        task: { id: randomUUID(), contextId: 'c', status },
        upstreamId: undefined,
        upstreamContextId: undefined,
        changedAt: new Date(),
      },
    },
  ]);
}

const call = { caller: undefined, bearer: undefined, clientIp: '127.0.0.1', userAgent: undefined, requestId: 'r' };
const page = { limit: 50, offset: 0 };

const asks: readonly [string, (database: Database) => Promise<unknown>][] = [
  [
    'the log of an agent and its total',
    async (given) =>
      createLogs({ database: given })
        .bound?.find(({ route }) => route === listAgentLogs)
        ?.handler({ ...call, params: { id: agentId }, query: page, body: undefined } as never),
  ],
  [
    'the tasks of an agent and their number',
    async (given) => {
      await using store = new TaskStore({ database: given, keep: () => undefined });
      return store.list(agentId, undefined, {}, { limit: 50 });
    },
  ],
];

test.each(asks)('%s tell one moment, also while records arrive', async (_what, ask) => {
  let interrupted = true;
  for (let answers = 1; interrupted; answers += 1) {
    interrupted = false;
    const before = await ask(database);
    const during = await ask(
      interruptAfter(database, answers, () => {
        interrupted = true;
        return arrive();
      }),
    );
    expect([before, await ask(database)]).toContainEqual(during);
  }
});
