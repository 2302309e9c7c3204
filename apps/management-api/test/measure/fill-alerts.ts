import type { AlertRecord } from '@portcullis/contracts/records';
import type { Database } from '@portcullis/platform/database/database';
import { sql } from 'kysely';
import { alertRecord } from '../records.ts';

const batch = 50_000;

/** Ninety days in which a few rules and sources cause most; older alerts are mostly resolved. */
const fill = (kysely: Database['kysely'], count: number, from: number, to: number) =>
  sql`
  insert into alerts (event_id, request_id, severity, title, description, status, action, category, proxy_id, proxy_type,
    source, target, rule_id, policy_name, user_identity, user_type, user_group, raw_data,
    assignee_id, created_at)
  select gen_random_uuid(), 'request-' || n, (array['Critical', 'High', 'Medium', 'Low'])[1 + rule * 7 % 4],
    'Security Rule Triggered: rule ' || rule, 'Rule ' || rule || ' matched a request on proxy ' || proxy,
    case when random() < least(0.9, n::float / ${count} + 0.1) then (array['resolved', 'false_positive', 'acknowledged',
      'in_progress'])[1 + floor(random() ^ 3 * 4)::int] else 'new' end,
    (array['Block', 'Monitor', 'Redact'])[1 + rule % 3],
    (array['Policy Violations', 'Content Security', 'Tool Security', 'Guardrails', 'Other', 'Traffic Analysis'])[1 + rule % 6],
    proxy, case when proxy % 3 = 0 then 'mcp' else 'llm' end, '10.0.' || source / 250 || '.' || source % 250,
    '/v1/chat/completions', 'RULE_' || rule, 'policy-' || rule % 15, 'key-' || source % 60, 'apikey', 'team-' || source % 12,
    ('{"findings": [{"evidence": "ig***ore", "direction": "request"}]' || case when rule % 9 = 4 then ', "shadow": true}' else '}' end)::jsonb,
    case when n % 40 = 0 then (select min(id) from users) end, now() - n * interval '90 days' / ${count}
  from (select n, floor(random() ^ 2 * 250)::int as rule, 1 + floor(random() * 20)::int as proxy,
    floor(random() ^ 2 * 2000)::int as source from generate_series(${from}::int, ${to}::int) as n) as rows`.execute(
    kysely,
  );

export async function fillAlerts({ kysely }: Database, count: number): Promise<void> {
  await sql`alter table alerts disable trigger user`.execute(kysely);
  await sql`insert into users (username, email, role, password_hash)
    values ('admin', 'admin@example.org', 'admin', '') on conflict do nothing`.execute(kysely);
  for (let from = 1; from <= count; from += batch) {
    await fill(kysely, count, from, Math.min(count, from + batch - 1));
  }
  await sql`select recount_alerts()`.execute(kysely);
  await sql`alter table alerts enable trigger user`.execute(kysely);
  await sql`vacuum analyze`.execute(kysely);
}

const severities = ['Critical', 'High', 'Medium', 'Low'] as const;

/** Records as a busy gateway writes them: many rules, sources and keys within a second. */
export const makeAlertRecords = (count: number): AlertRecord[] =>
  Array.from({ length: count }, (_, n) => {
    const [rule, source] = [Math.floor(250 * Math.random() ** 2), Math.floor(2_000 * Math.random() ** 2)];
    return alertRecord({
      severity: severities[rule % 4] ?? 'Low',
      proxy_id: 1 + (n % 20),
      source: `10.0.${Math.floor(source / 250)}.${source % 250}`,
      rule_id: `RULE_${rule}`,
      policy_name: `policy-${rule % 15}`,
      user_identity: `key-${source % 60}`,
      user_type: 'apikey',
      user_group: `team-${source % 12}`,
    });
  });
