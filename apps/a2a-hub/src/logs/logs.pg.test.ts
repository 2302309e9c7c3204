import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import type { AgentInvocationRecord } from '@portcullis/contracts/records';
import type { Database } from '@portcullis/platform/database/database';
import { createSaveRecords } from '@portcullis/platform/spool/save-records';
import { linesOf } from '@portcullis/platform/test/spool/lines-of';
import { stores, openTestDatabase } from '@portcullis/platform/test/test-database';
import { randomUUIDv7 } from 'node:crypto';
import { deleteAgentRow, insertAgent } from '@portcullis/platform/agents/agent-queries';
import { cardColumns } from '@portcullis/platform/agents/card-columns';
import { readAgentCard } from '@portcullis/platform/agents/read-agent-card';
import { findLog, loadLogPage } from './log-queries.ts';
import { renderLog, renderLogDetail } from './render-log.ts';

describe.each(stores)('the log of invocations (%s)', (kind) => {
  let database: Database & AsyncDisposable;
  beforeAll(async () => {
    database = await openTestDatabase(kind);
  });
  afterAll(async () => database[Symbol.asyncDispose]());

  const addAgent = async (name: string): Promise<number> => {
    const { read } = readAgentCard({ name, url: 'https://agent.example' });
    if (read === undefined) throw new Error('no card');
    return (await insertAgent(database, { name, ...cardColumns(read, new Date()) })).id;
  };
  const record = (agentId: number, second: number, change: Partial<AgentInvocationRecord> = {}) =>
    ({
      kind: 'agent_invocation',
      event_id: randomUUIDv7(),
      timestamp: `2026-03-04T23:59:${second}.000Z`,
      request_id: `req_${second}`,
      agent_id: agentId,
      agent_name: 'Maps',
      user_type: 'apikey',
      invocation_type: 'send_message',
      surface: 'rest',
      response_status: 200,
      duration_ms: 12.5,
      request_size: 10,
      response_size: 20,
      blocked: false,
      risk_score: 0,
      rate_limit_exceeded: false,
      rate_limit_applied: 0,
      source_ip: '203.0.113.9',
      ...change,
    }) satisfies AgentInvocationRecord;
  const page = async (agentId: number, filter: Partial<Parameters<typeof loadLogPage>[2]> = {}) => {
    const { rows, total } = await loadLogPage(database, agentId, { limit: 50, offset: 0, ...filter });
    return [rows.map((row) => row.request_id), total];
  };

  test('shows what was recorded once, newest first, by agent and filter, and goes with the agent', async () => {
    const [maps, mail] = [await addAgent('Maps'), await addAgent('Mail')];
    const hit = {
      policy_name: 'p',
      rule_id: 'r',
      rule_name: 'R',
      severity: 'High',
      action: 'block',
      direction: 'request',
      location: '/parts/0/text',
      evidence: '***',
    };
    const blocked = record(maps, 12, {
      timestamp: '2026-03-05T00:00:12.000Z',
      blocked: true,
      user_id: 3,
      user_identity: 'key',
      user_group_id: 7,
      task_id: 'task',
      risk_score: 80,
      response_status: 403,
      error: 'policy_violation',
      policy_hits: [hit],
      block_reasons: ['r'],
      request_payload: { parts: [{ text: 'a\u0000b' }] },
    });
    const records = [record(maps, 10), record(maps, 11, { rate_limit_exceeded: true }), blocked, record(mail, 13)];
    const save = createSaveRecords(database);
    await save(linesOf(records));
    await save(linesOf(records));

    expect(await page(maps)).toEqual([['req_12', 'req_11', 'req_10'], 3]);
    expect(await page(maps, { limit: 1, offset: 1 })).toEqual([['req_11'], 3]);
    expect(await page(maps, { blocked: true })).toEqual([['req_12'], 1]);
    expect(await page(maps, { rate_limit_exceeded: true })).toEqual([['req_11'], 1]);
    expect(await page(maps, { user_group_id: 7, task_id: 'task' })).toEqual([['req_12'], 1]);
    expect(await page(maps, { user_group_id: 8 })).toEqual([[], 0]);

    const [newest] = (await loadLogPage(database, maps, { limit: 1, offset: 0 })).rows;
    if (newest === undefined) throw new Error('no log');
    expect(renderLog(newest)).toMatchObject({ user_id: 3, user_identity: 'key', created_at: blocked.timestamp });
    const found = await findLog(database, maps, newest.id);
    expect(found && renderLogDetail(found)).toMatchObject({
      policy_hits: [hit],
      block_reasons: ['r'],
      request_payload: { parts: [{ text: 'a\uFFFDb' }] },
      response_payload: null,
      caller_version: null,
    });
    expect(await findLog(database, mail, newest.id)).toBeUndefined();

    await deleteAgentRow(database, maps);
    expect(await page(maps)).toEqual([[], 0]);
    expect(await page(mail)).toEqual([['req_13'], 1]);
  });
});
