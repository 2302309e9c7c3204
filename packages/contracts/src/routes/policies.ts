import { Type, type Static } from 'typebox';
import { Problem } from '../envelope.ts';
import { Count, Exact, Id, Nullable, PolicyReference, Timestamp, optional } from '../fields.ts';
import { policyTypes } from '../policy-file.ts';
import { severities } from '../records.ts';
import { createRouteList } from '../route.ts';
import { SampleRun } from './policy-samples.ts';

export const routes = createRouteList('Policies');

/** Routes take the id of a policy or its name. */
const ByPolicy = Exact({ id: PolicyReference });

/** A policy file. What it may hold is told by `policy-file.ts`; older spellings are read too. */
export const Document = Type.Record(Type.String(), Type.Unknown(), { description: 'A policy file' });
export type Document = Static<typeof Document>;

const storedPolicy = {
  id: Id,
  name: Type.String(),
  version: Type.String(),
  description: Type.String(),
  severity: Type.Enum(severities),
  policy_type: Type.Enum(policyTypes),
  builtin: Type.Boolean({ description: 'Comes with the gateway: can be switched off, not changed or deleted' }),
  active: Type.Boolean(),
  inactive_reason: Nullable(
    Type.String({ description: 'Why the gateway switched it off: this version cannot run what was stored' }),
  ),
  revision: Type.Integer({ minimum: 1, description: 'Grows with every document that is saved' }),
  saved_by: Nullable(Type.String({ description: 'Who saved the document; null for one that came with the gateway' })),
  document: Document,
  created_at: Timestamp,
  updated_at: Timestamp,
};

export const StoredPolicy = Exact(storedPolicy, { title: 'Policy' });
export type StoredPolicy = Static<typeof StoredPolicy>;

/** What saving a document answers. */
export const SavedPolicy = Exact({ ...storedPolicy, sample_run: Nullable(SampleRun) }, { title: 'SavedPolicy' });

const Notes = Type.Array(
  Exact({
    ruleId: Type.String(),
    place: Type.String({ description: 'JSON pointer of the pattern in its rule' }),
  }),
);

/** What compiling made of a policy. */
export const PolicyReport = Exact(
  {
    rules: Count,
    patterns: Count,
    literals: Count,
    unanchored: Notes,
    unbounded: Notes,
    linear: Notes,
  },
  { title: 'PolicyReport' },
);
export type PolicyReport = Static<typeof PolicyReport>;

export const PolicyValidation = Exact(
  { valid: Type.Boolean(), problems: Type.Array(Problem), ...optional({ report: PolicyReport }) },
  { title: 'PolicyValidation' },
);
export type PolicyValidation = Static<typeof PolicyValidation>;

export const listPolicies = routes.define({
  method: 'GET',
  path: '/policies',
  role: 'viewer',
  summary: 'List the policies',
  parts: { response: Type.Array(StoredPolicy) },
});

export const createPolicy = routes.define({
  method: 'POST',
  path: '/policies',
  role: 'admin',
  summary: 'Add a policy; the body is the policy file, or {document: file, active}',
  status: 201,
  parts: {
    body: Document,
    response: StoredPolicy,
  },
  errors: ['conflict'],
  audit: 'policy.created',
});

export const validatePolicy = routes.define({
  method: 'POST',
  path: '/policies/validate',
  role: 'operator',
  summary: 'Check a policy file without storing it; the body is the file, or {document: file}',
  parts: { body: Document, response: PolicyValidation },
  audit: { none: 'it changes nothing' },
});

export const getPolicy = routes.define({
  method: 'GET',
  path: '/policies/:id',
  role: 'viewer',
  summary: 'Show a policy; the header ETag names this state of it',
  parts: { params: ByPolicy, response: StoredPolicy },
  errors: ['not_found'],
});

export const updatePolicy = routes.define({
  method: 'PUT',
  path: '/policies/:id',
  role: 'admin',
  summary:
    'Replace the file of a policy, or switch it on or off; a file that does not parse changes nothing, nor does an If-Match that is not its ETag by now',
  parts: {
    params: ByPolicy,
    body: Exact(
      optional({
        document: Document,
        active: Type.Boolean(),
        allow_failing_samples: Type.Boolean({
          default: false,
          description: 'Saves a document with which samples of the policy fail; without it the answer is 409',
        }),
        revision: Type.Integer({
          minimum: 1,
          maximum: 2_147_483_647,
          description:
            'The revision that was read: when another has been saved since, nothing changes and the answer is 409',
        }),
      }),
    ),
    response: SavedPolicy,
  },
  errors: ['not_found', 'conflict', 'precondition_failed'],
  audit: 'policy.updated',
});

export const deletePolicy = routes.define({
  method: 'DELETE',
  path: '/policies/:id',
  role: 'admin',
  summary: 'Delete a policy and take it from every proxy',
  parts: { params: ByPolicy },
  errors: ['not_found', 'conflict'],
  audit: 'policy.deleted',
});
