import { Type, type Static } from 'typebox';
import { ById, Description, Exact, Id, Name, Nullable, Timestamp, optional, page } from '../fields.ts';
import { createRouteList } from '../route.ts';

export const routes = createRouteList('User groups');

export const budgetOptions = {
  monthly_budget: Nullable(Type.Number({ minimum: 0, maximum: 1_000_000_000, description: 'USD; null: no budget' })),
  budget_warning_threshold: Type.Number({ minimum: 0, maximum: 1, default: 0.8, description: 'Share of the budget' }),
  block_at_threshold: Type.Boolean({ default: false }),
};

const options = {
  description: Description,
  active: Type.Boolean({ default: true, description: "An inactive group's keys are refused" }),
  client_certificate_subject: Nullable(
    Type.String({
      minLength: 1,
      maxLength: 1_000,
      default: null,
      description:
        'Subject of the client certificate that stands for the group in place of a key, as in CN=agent,O=Example (RFC 4514); null: none. Needs TLS_CLIENT_CA_FILE.',
    }),
  ),
  ...budgetOptions,
};

export const UserGroup = Exact(
  { id: Id, name: Name, ...options, created_at: Timestamp, updated_at: Timestamp },
  { title: 'UserGroup' },
);
export type UserGroup = Static<typeof UserGroup>;

/** Names of the budget status, understood in requests too. */
const synonyms = { warning_threshold: options.budget_warning_threshold };

export const UserGroupChange = Exact(optional({ name: Name, ...options, ...synonyms }));
export type UserGroupChange = Static<typeof UserGroupChange>;

export const listUserGroups = routes.define({
  method: 'GET',
  path: '/user-groups',
  role: 'viewer',
  summary: 'List the user groups; X-Total-Count has their number',
  parts: {
    query: Exact({
      ...optional({
        active: Type.Boolean(),
        search: Type.String({ maxLength: 200, description: 'Part of the name or the description' }),
      }),
      ...page(1_000),
    }),
    response: Type.Array(UserGroup),
  },
});

export const createUserGroup = routes.define({
  method: 'POST',
  path: '/user-groups',
  role: 'admin',
  summary: 'Create a user group',
  status: 201,
  parts: { body: Exact({ name: Name, ...optional({ ...options, ...synonyms }) }), response: UserGroup },
  errors: ['conflict'],
  audit: 'usergroup.created',
});

export const getUserGroup = routes.define({
  method: 'GET',
  path: '/user-groups/:id',
  role: 'viewer',
  summary: 'Show a user group',
  parts: { params: ById, response: UserGroup },
  errors: ['not_found'],
});

export const updateUserGroup = routes.define({
  method: 'PUT',
  path: '/user-groups/:id',
  role: 'admin',
  summary: 'Change the given fields of a user group',
  parts: { params: ById, body: UserGroupChange, response: UserGroup },
  errors: ['not_found', 'conflict'],
  audit: 'usergroup.updated',
});

export const deleteUserGroup = routes.define({
  method: 'DELETE',
  path: '/user-groups/:id',
  role: 'admin',
  summary: 'Delete a user group with its API keys and its access to proxies',
  parts: {
    params: ById,
    query: Exact({
      force: Type.Boolean({
        default: false,
        description: 'Also with keys that still work; clients that use them stop',
      }),
    }),
  },
  errors: ['not_found', 'conflict'],
  audit: 'usergroup.deleted',
});
