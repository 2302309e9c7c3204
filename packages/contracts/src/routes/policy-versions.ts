import { Type } from 'typebox';
import { Count, Exact, Name, Nullable, Timestamp, optional, page } from '../fields.ts';
import { createRouteList } from '../route.ts';
import { Document, SavedPolicy, StoredPolicy } from './policies.ts';

export const routes = createRouteList('Policies');

const ByName = Exact({ name: { ...Name, description: 'Name or id' } });
const Revision = Type.Integer({ minimum: 1, maximum: 2_147_483_647 });

const version = {
  revision: Revision,
  version: Type.String({ description: 'As the document calls itself' }),
  saved_at: Timestamp,
  saved_by: Nullable(Type.String()),
};

export const listPolicyVersions = routes.define({
  method: 'GET',
  path: '/policies/:name/versions',
  role: 'viewer',
  summary: 'List the documents that a policy has had, the newest first; the last 50 are kept',
  parts: {
    params: ByName,
    query: Exact(optional(page(50))),
    response: Exact({ versions: Type.Array(Exact(version, { title: 'PolicyVersion' })), total: Count }),
  },
  errors: ['not_found'],
});

export const getPolicyVersion = routes.define({
  method: 'GET',
  path: '/policies/:name/versions/:revision',
  role: 'viewer',
  summary: 'Show a document that a policy has had',
  parts: {
    params: Exact({ name: Name, revision: Revision }),
    response: Exact({ ...version, document: Document }, { title: 'PolicyVersionDocument' }),
  },
  errors: ['not_found'],
});

export const rollBackPolicy = routes.define({
  method: 'POST',
  path: '/policies/:name/rollback',
  role: 'admin',
  summary: 'Save an earlier document of a policy again, as a new revision',
  parts: { params: ByName, body: Exact({ revision: Revision }), response: SavedPolicy },
  errors: ['not_found', 'conflict'],
  audit: 'policy.rolled_back',
});

export const togglePolicy = routes.define({
  method: 'POST',
  path: '/policies/:name/toggle',
  role: 'admin',
  summary: 'Switch a policy on or off, or to the other of both',
  bodyOptional: true,
  parts: { params: ByName, body: Exact(optional({ active: Type.Boolean() })), response: StoredPolicy },
  errors: ['not_found'],
  audit: 'policy.updated',
});

export const copyPolicy = routes.define({
  method: 'POST',
  path: '/policies/:name/copy',
  role: 'admin',
  summary: 'Store a copy of a policy under another name, to be changed',
  status: 201,
  parts: { params: ByName, body: Exact({ name: Name }), response: StoredPolicy },
  errors: ['not_found', 'conflict'],
  audit: 'policy.created',
});

export const exportPolicy = routes.define({
  method: 'GET',
  path: '/policies/:name/file',
  role: 'viewer',
  summary: 'Show the policy file in the form in which it can be stored again',
  contentType: 'application/json',
  parts: { params: ByName },
  errors: ['not_found'],
});
