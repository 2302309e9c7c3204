import { Type, type Static } from 'typebox';
import { ById, Count, EvidenceId, Exact, Id, Nullable, Timestamp, optional, page } from '../fields.ts';
import { filtersOf } from '../list-filters.ts';
import { createRouteList } from '../route.ts';
import { Reason } from './alerts.ts';

export const routes = createRouteList('Policies');

export const exceptionStates = ['active', 'ended', 'expired'] as const;
export type ExceptionState = (typeof exceptionStates)[number];

const Text = Type.String({ minLength: 1, maxLength: 200 });

/** What an exception is narrowed to beside its rule; null narrows nothing. */
const narrowing = {
  policy_name: Nullable({ ...Text, description: 'Null: in every policy that has the rule' }),
  proxy_id: Nullable({ ...Id, description: 'Null: on every proxy' }),
  agent_id: Nullable({ ...Id, description: 'An A2A agent, in place of a proxy' }),
  user_group_id: Nullable({ ...Id, description: 'A team; null: for all callers' }),
  tool: Nullable({ ...Text, description: 'To the letter: the tool that the text is about; null: any text' }),
};

const ExceptionScope = Exact({ rule_id: Text, ...narrowing }, { title: 'PolicyExceptionScope' });
export type ExceptionScope = Static<typeof ExceptionScope>;

export const missingParts = ['rule', 'proxy', 'agent', 'user_group'] as const;

export const PolicyException = Exact(
  {
    id: Id,
    ...ExceptionScope.properties,
    reason: Type.String(),
    alert_id: Nullable({ ...EvidenceId, description: 'The alert it was made from' }),
    state: Type.Enum(exceptionStates, { description: 'ended: by an admin; expired: by the clock' }),
    missing: Type.Array(Type.Enum(missingParts), {
      description: 'What it is about and is gone: with anything in here it has no effect',
    }),
    created_at: Timestamp,
    created_by: Type.String(),
    ends_at: Timestamp,
    ended_at: Nullable(Timestamp),
    ended_by: Nullable(Type.String()),
    end_reason: Nullable(Type.String()),
    use_count: { ...Count, description: 'Requests in which it was used' },
    last_used_at: Nullable(Timestamp),
  },
  { title: 'PolicyException' },
);
export type PolicyException = Static<typeof PolicyException>;

const ExceptionQuery = Exact({
  ...page(50),
  ...optional({
    state: Type.Enum(exceptionStates),
    rule_id: Text,
    policy_name: Text,
    agent_id: Id,
    tool: Text,
    alert_id: EvidenceId,
  }),
  ...filtersOf('proxy', 'team'),
});
export type ExceptionQuery = Static<typeof ExceptionQuery>;

const ExceptionPage = Exact({ exceptions: Type.Array(PolicyException), total: Count, limit: Count, offset: Count });
export type ExceptionPage = Static<typeof ExceptionPage>;

export const listPolicyExceptions = routes.define({
  method: 'GET',
  path: '/security/exceptions',
  role: 'operator',
  summary: 'List the exceptions from rules of policies, newest first',
  parts: { query: ExceptionQuery, response: ExceptionPage },
});

export const getPolicyException = routes.define({
  method: 'GET',
  path: '/security/exceptions/:id',
  role: 'operator',
  summary: 'Show an exception with how often it was used',
  parts: { params: ById, response: PolicyException },
  errors: ['not_found'],
});

const ExceptionBody = Exact({
  reason: Reason,
  ends_at: { ...Timestamp, maxLength: 40, description: 'In the future, 90 days at most' },
  ...optional({
    alert_id: { ...EvidenceId, description: 'Whose scope takes the place of the fields that are absent' },
    rule_id: { ...Text, description: 'May be absent beside alert_id only' },
    ...narrowing,
  }),
});
export type ExceptionBody = Static<typeof ExceptionBody>;

export const createPolicyException = routes.define({
  method: 'POST',
  path: '/security/exceptions',
  role: 'admin',
  summary: 'Except findings of a rule until a time: they are recorded, and not enforced',
  status: 201,
  parts: { body: ExceptionBody, response: PolicyException },
  errors: ['not_found', 'conflict'],
  audit: 'policy.exception.created',
});

export const endPolicyException = routes.define({
  method: 'POST',
  path: '/security/exceptions/:id/end',
  role: 'admin',
  summary: 'End an exception now: it holds for no further text',
  bodyOptional: true,
  parts: { params: ById, body: Exact({ reason: Type.Optional(Reason) }), response: PolicyException },
  errors: ['not_found', 'conflict'],
  audit: 'policy.exception.ended',
});

const ExceptionOffer = Exact(
  {
    alert_id: EvidenceId,
    scope: {
      ...ExceptionScope,
      description: 'The narrowest that covers the alert’s first rule; a tool where one was called',
    },
    untold: Type.Array(Type.Enum(['proxy_id', 'agent_id', 'user_group_id', 'tool']), {
      description: 'What the alert does not tell, or is gone: it must be given, if only as null',
    }),
    rules: Type.Array(Exact({ rule_id: Type.String(), policies: Type.Array(Type.String()) }), {
      description: 'All rules that matched, 20 at most: each one takes an exception of its own',
    }),
  },
  { title: 'PolicyExceptionOffer' },
);
export type ExceptionOffer = Static<typeof ExceptionOffer>;

export const offerPolicyException = routes.define({
  method: 'GET',
  path: '/system/alerts/:id/exception-scope',
  role: 'operator',
  summary: 'Propose the scope of an exception from what an alert is about; nothing is made',
  parts: { params: Exact({ id: EvidenceId }), response: ExceptionOffer },
  errors: ['not_found', 'conflict'],
});
