import type { ExceptionBody, ExceptionOffer, ExceptionScope } from '@portcullis/contracts/routes/policy-exceptions';
import { property } from '@portcullis/core/json/json-value';
import type { AlertRow } from '@portcullis/platform/alerts/alert-rows';
import type { Database, Queryable } from '@portcullis/platform/database/database';
import { GatewayError } from '@portcullis/platform/http/gateway-error';
import { sql } from 'kysely';
import { findAlertOrThrow } from '../alerts/alert-queries.ts';
import { loadRequest } from '../requests/load-request.ts';

/** The narrowest scope that covers the first rule of an alert, and all its rules. @throws {GatewayError} */
export async function offerScope(database: Database, alertId: number): Promise<ExceptionOffer> {
  const alert = await findAlertOrThrow(database, alertId);
  const rules = rulesOf(alert);
  if (rules.length === 0)
    throw new GatewayError('conflict', { message: `Alert ${alertId} is not about a rule of a policy` });
  const request = alert.request_id === null ? undefined : await loadRequest(database, alert.request_id);
  const agents = alert.proxy_type === 'a2a' ? (request?.agent_calls ?? []) : [];
  const tools = alert.proxy_type === 'mcp' ? (request?.tool_calls ?? []) : [];
  const scope: ExceptionScope = {
    rule_id: alert.rule_id,
    policy_name: alert.policy_name,
    proxy_id: alert.proxy_id,
    agent_id: onlyOne(agents.map(({ agent_id: id }) => id)),
    user_group_id: await findGroupId(database, alert.user_group),
    tool: onlyOne(tools.map(({ tool_name: name }) => name)),
  };
  const untold: ExceptionOffer['untold'] = [];
  if (alert.proxy_type === 'a2a' ? scope.agent_id === null : scope.proxy_id === null)
    untold.push(alert.proxy_type === 'a2a' ? 'agent_id' : 'proxy_id');
  if (alert.user_group !== null && scope.user_group_id === null) untold.push('user_group_id');
  // One of several tools, or of a request that is not there any more: without a name the exception is for all of them.
  const calledNone = request !== undefined && tools.length === 0;
  if (alert.proxy_type === 'mcp' && scope.tool === null && !calledNone) untold.push('tool');
  return { alert_id: alertId, scope, untold, rules };
}

const targets: ReadonlySet<string> = new Set(['proxy_id', 'agent_id']);

/** The scope that is asked for; what is absent is as the alert has it. @throws {GatewayError} */
export async function readScope(database: Database, body: ExceptionBody): Promise<ExceptionScope> {
  const {
    rule_id = null,
    policy_name = null,
    proxy_id = null,
    agent_id = null,
    user_group_id = null,
    tool = null,
  } = body;
  if (body.alert_id === undefined) {
    if (rule_id === null) throw problem('rule_id', 'must be given, or alert_id');
    return { rule_id, policy_name, proxy_id, agent_id, user_group_id, tool };
  }
  const { scope, untold } = await offerScope(database, body.alert_id);
  // What is moved to a proxy is not also on the agent of the alert, nor the other way around.
  const isElsewhere = proxy_id !== null || agent_id !== null;
  const missing = untold.find((field) => body[field] === undefined && (!targets.has(field) || !isElsewhere));
  if (missing !== undefined)
    throw problem(missing, `must be given, if only as null: alert ${body.alert_id} does not tell`);
  const target = isElsewhere ? { proxy_id, agent_id } : scope;
  return {
    rule_id: rule_id ?? scope.rule_id,
    // Another rule may stand in another policy.
    policy_name:
      body.policy_name === undefined && (rule_id ?? scope.rule_id) === scope.rule_id ? scope.policy_name : policy_name,
    proxy_id: body.proxy_id === undefined ? target.proxy_id : proxy_id,
    agent_id: body.agent_id === undefined ? target.agent_id : agent_id,
    user_group_id: body.user_group_id === undefined ? scope.user_group_id : user_group_id,
    tool: body.tool === undefined ? scope.tool : tool,
  };
}

/** @throws {GatewayError} that names what is not there */
export async function checkScopeOrThrow({ kysely }: Queryable, scope: ExceptionScope): Promise<void> {
  if (scope.proxy_id !== null && scope.agent_id !== null)
    throw problem('agent_id', 'must be null beside a proxy_id: traffic goes to one of them');
  const { rows } = await sql<Record<'policy' | 'rule' | 'proxy' | 'agent' | 'group', boolean>>`
    select
      ${scope.policy_name}::text is null or exists (select from policies where name = ${scope.policy_name}) as policy,
      exists (select from policies, jsonb_array_elements(document -> 'rules') as rule
        where (${scope.policy_name}::text is null or name = ${scope.policy_name})
          and rule ->> 'id' = ${scope.rule_id}) as rule,
      ${scope.proxy_id}::integer is null or exists (select from proxies where id = ${scope.proxy_id}) as proxy,
      ${scope.agent_id}::integer is null or exists (select from agents where id = ${scope.agent_id}) as agent,
      ${scope.user_group_id}::integer is null
        or exists (select from user_groups where id = ${scope.user_group_id}) as group`.execute(kysely);
  const [known] = rows;
  if (known?.policy !== true) throw problem('policy_name', `must name a policy: there is no ${scope.policy_name}`);
  if (!known.rule) throw problem('rule_id', `must name a rule of ${scope.policy_name ?? 'a policy'}`);
  if (!known.proxy) throw problem('proxy_id', `must be the id of a proxy: there is no ${scope.proxy_id}`);
  if (!known.agent) throw problem('agent_id', `must be the id of an agent: there is no ${scope.agent_id}`);
  if (!known.group)
    throw problem('user_group_id', `must be the id of a user group: there is no ${scope.user_group_id}`);
}

/** What policies found has their rules with it; canaries, providers and limits raise alerts without. */
function rulesOf({ raw_data: data }: AlertRow): ExceptionOffer['rules'] {
  const rules = property(data, 'rules');
  if (!Array.isArray(rules)) return [];
  return rules.flatMap((rule: unknown) => {
    const [id, policies] = [property(rule, 'rule_id'), property(rule, 'policies')];
    if (typeof id !== 'string' || !Array.isArray(policies)) return [];
    return [{ rule_id: id, policies: policies.filter((name) => typeof name === 'string') }];
  });
}

/** Null for none, and for several. */
const onlyOne = <Value>(values: readonly Value[]): Value | null =>
  new Set(values).size === 1 ? (values[0] ?? null) : null;

async function findGroupId({ kysely }: Queryable, name: string | null): Promise<number | null> {
  if (name === null) return null;
  const group = await kysely.selectFrom('user_groups').select('id').where('name', '=', name).executeTakeFirst();
  return group?.id ?? null;
}

export const problem = (field: string, rule: string): GatewayError =>
  new GatewayError('bad_request', { problems: [{ path: `/body/${field}`, rule }] });
