import type { Problem } from '@portcullis/contracts/envelope';
import {
  activateOAuthRule,
  createOAuthRule,
  createOAuthRules,
  deactivateOAuthRule,
  deleteOAuthRule,
  getOAuthRule,
  getOAuthRuleStats,
  listOAuthRules,
  setOAuthRulePriority,
  updateOAuthRule,
  type OAuthRule,
  type OAuthRuleChange,
} from '@portcullis/contracts/routes/oauth-rules';
import { needsProvider, ruleValueProblem } from '@portcullis/core/identity/assignment-rules';
import { audited, auditEntry, type AuditedCall } from '@portcullis/platform/audit/audited';
import { recordAudit } from '@portcullis/platform/audit/record-audit';
import type { Database, Queryable } from '@portcullis/platform/database/database';
import { readConsistent } from '@portcullis/platform/database/read-consistent';
import { violatedConstraint } from '@portcullis/platform/database/violated-constraint';
import { bind, type BoundRoute } from '@portcullis/platform/routes/bound-route';
import { GatewayError } from '@portcullis/platform/http/gateway-error';
import {
  countRules,
  deleteRule,
  findRule,
  insertRule,
  loadRulePage,
  updateRule,
  type RuleFields,
} from './rule-queries.ts';

export const oauthRuleRoutes = (database: Database): BoundRoute[] => [
  ...[bindList, bindCreate, bindGet, bindUpdate, bindDelete, bindCreateSeveral].map((bindRoute) => bindRoute(database)),
  bind(setOAuthRulePriority, async (call) => changeRule(database, call, call.body)),
  bind(activateOAuthRule, async (call) => changeRule(database, call, { active: true })),
  bind(deactivateOAuthRule, async (call) => changeRule(database, call, { active: false })),
  bind(getOAuthRuleStats, async () => ({ data: await countRules(database) })),
];

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
    ).catch((error: unknown) => refuseUnknown(error));
    return { data, message: 'Rule created' };
  });

const bindCreateSeveral = (database: Database): BoundRoute =>
  bind(createOAuthRules, async (call) => {
    const wanted = call.body.rules.map((rule) => ({ ...defaults, ...rule }));
    const problems = wanted.flatMap((fields, index) => ruleProblems(fields, `/body/rules/${index}`));
    if (problems.length > 0) throw new GatewayError('bad_request', { problems });
    const rules = await audited(
      database,
      call,
      async (transaction) => {
        const made: OAuthRule[] = [];
        for (const [index, fields] of wanted.entries()) {
          const id = await insertRule(transaction, fields).catch((error: unknown) =>
            refuseUnknown(error, `/body/rules/${index}`),
          );
          const after = await loadOrThrow(transaction, id);
          const entry = auditEntry(call, { event: 'oauth.rule.created', resource: resourceOf(after), after });
          await recordAudit(transaction.kysely, entry);
          made.push(after);
        }
        return made;
      },
      () => undefined,
    );
    return { data: { rules, created_count: rules.length }, message: 'Rules created' };
  });

const bindUpdate = (database: Database): BoundRoute =>
  bind(updateOAuthRule, async (call) => changeRule(database, call, call.body));

async function changeRule(
  database: Database,
  call: AuditedCall & { readonly params: { readonly id: number } },
  change: OAuthRuleChange,
) {
  const { id } = call.params;
  const { after } = await audited(
    database,
    call,
    async (transaction) => {
      const before = await loadOrThrow(transaction, id);
      const { id: _id, user_group: _group, created_at: _created, updated_at: _updated, ...stored } = before;
      const fields = { ...stored, ...change };
      checkRuleOrThrow(fields);
      await updateRule(transaction, id, fields);
      return { before, after: await loadOrThrow(transaction, id) };
    },
    (changed) => ({ event: 'oauth.rule.updated', resource: resourceOf(changed.after), ...changed }),
  ).catch((error: unknown) => refuseUnknown(error));
  return { data: after, message: 'Rule updated' };
}

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
  const problems = ruleProblems(fields, '/body');
  if (problems.length > 0) throw new GatewayError('bad_request', { problems });
}

function ruleProblems(fields: RuleFields, at: string): Problem[] {
  const value = ruleValueProblem(fields.rule_type, fields.rule_value);
  return [
    ...(value === undefined ? [] : [{ path: `${at}/rule_value`, rule: value }]),
    ...(needsProvider(fields)
      ? [{ path: `${at}/provider_id`, rule: `must be given for the role ${fields.user_role}` }]
      : []),
  ];
}

function refuseUnknown(error: unknown, at = '/body'): never {
  const constraint = violatedConstraint(error, 'foreign key');
  if (constraint === undefined) throw error;
  const field = constraint.includes('provider') ? 'provider_id' : 'user_group_id';
  throw new GatewayError('bad_request', { problems: [{ path: `${at}/${field}`, rule: 'must be one that there is' }] });
}
