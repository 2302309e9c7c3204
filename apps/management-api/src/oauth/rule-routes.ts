import type { Problem } from '@portcullis/contracts/envelope';
import {
  createOAuthRule,
  deleteOAuthRule,
  getOAuthRule,
  listOAuthRules,
  updateOAuthRule,
  type OAuthRule,
} from '@portcullis/contracts/routes/oauth-rules';
import { needsProvider, ruleValueProblem } from '@portcullis/core/identity/assignment-rules';
import { audited } from '@portcullis/platform/audit/audited';
import type { Database, Queryable } from '@portcullis/platform/database/database';
import { readConsistent } from '@portcullis/platform/database/read-consistent';
import { violatedConstraint } from '@portcullis/platform/database/violated-constraint';
import { bind, type BoundRoute } from '@portcullis/platform/http/bound-route';
import { GatewayError } from '@portcullis/platform/http/gateway-error';
import { deleteRule, findRule, insertRule, loadRulePage, updateRule, type RuleFields } from './rule-queries.ts';

export const oauthRuleRoutes = (database: Database): BoundRoute[] =>
  [bindList, bindCreate, bindGet, bindUpdate, bindDelete].map((bindRoute) => bindRoute(database));

const defaults = {
  provider_id: null,
  user_group_id: null,
  user_role: 'user',
  priority: 0,
  active: true,
  description: '',
} as const;

const bindList = (database: Database): BoundRoute =>
  bind(listOAuthRules, async ({ query }) => {
    const page = await readConsistent(database, (moment) => loadRulePage(moment, query));
    return { data: { ...page, limit: query.limit, offset: query.offset } };
  });

const bindGet = (database: Database): BoundRoute =>
  bind(getOAuthRule, async ({ params }) => ({ data: await loadOrThrow(database, params.id) }));

const bindCreate = (database: Database): BoundRoute =>
  bind(createOAuthRule, async (call) => {
    const fields = { ...defaults, ...call.body };
    checkRuleOrThrow(fields);
    const data = await audited(
      database,
      call,
      async (transaction) => loadOrThrow(transaction, await insertRule(transaction, fields)),
      (after) => ({ event: 'oauth.rule.created', resource: resourceOf(after), after }),
    ).catch(refuseUnknown);
    return { data, message: 'Rule created' };
  });

const bindUpdate = (database: Database): BoundRoute =>
  bind(updateOAuthRule, async (call) => {
    const { id } = call.params;
    const { after } = await audited(
      database,
      call,
      async (transaction) => {
        const before = await loadOrThrow(transaction, id);
        const { id: _id, user_group: _group, created_at: _created, updated_at: _updated, ...stored } = before;
        const fields = { ...stored, ...call.body };
        checkRuleOrThrow(fields);
        await updateRule(transaction, id, fields);
        return { before, after: await loadOrThrow(transaction, id) };
      },
      (change) => ({ event: 'oauth.rule.updated', resource: resourceOf(change.after), ...change }),
    ).catch(refuseUnknown);
    return { data: after, message: 'Rule updated' };
  });

const bindDelete = (database: Database): BoundRoute =>
  bind(deleteOAuthRule, async (call) => {
    await audited(
      database,
      call,
      async (transaction) => {
        const before = await loadOrThrow(transaction, call.params.id);
        await deleteRule(transaction, before.id);
        return before;
      },
      (before) => ({ event: 'oauth.rule.deleted', resource: resourceOf(before), before }),
    );
    return { message: 'Rule deleted' };
  });

const resourceOf = ({ id, rule_type: type, rule_value: value }: OAuthRule) => ({
  type: 'oauth_rule',
  id,
  name: `${type} ${value}`,
});

async function loadOrThrow(database: Queryable, id: number): Promise<OAuthRule> {
  const rule = await findRule(database, id);
  if (rule === undefined) throw new GatewayError('not_found', { message: `There is no OAuth rule ${id}` });
  return rule;
}

function checkRuleOrThrow(fields: RuleFields): void {
  const value = ruleValueProblem(fields.rule_type, fields.rule_value);
  const problems: Problem[] = [
    ...(value === undefined ? [] : [{ path: '/body/rule_value', rule: value }]),
    ...(needsProvider(fields)
      ? [{ path: '/body/provider_id', rule: `must be given for the role ${fields.user_role}` }]
      : []),
  ];
  if (problems.length > 0) throw new GatewayError('bad_request', { problems });
}

function refuseUnknown(error: unknown): never {
  const constraint = violatedConstraint(error, 'foreign key');
  if (constraint === undefined) throw error;
  const field = constraint.includes('provider') ? 'provider_id' : 'user_group_id';
  throw new GatewayError('bad_request', { problems: [{ path: `/body/${field}`, rule: 'must be one that there is' }] });
}
