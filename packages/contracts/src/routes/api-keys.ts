import { Type, type Static } from 'typebox';
import { ById, Count, Description, Exact, Id, Nullable, Timestamp, optional, page } from '../fields.ts';
import { createRouteList } from '../route.ts';

export const routes = createRouteList('API keys');

const scopeOf = (what: string) =>
  Nullable(
    Type.Array(Type.String({ minLength: 1, maxLength: 200 }), {
      maxItems: 200,
      description: `The ${what} that the key may use of what its user group may, by name; a last * stands for any ending. Null: all`,
    }),
  );

const scopes = {
  allowed_models: scopeOf('models'),
  allowed_tools: scopeOf('tools of MCP servers'),
  allowed_agents: scopeOf('agents'),
};

const KeyName = Type.String({ maxLength: 200 });

export const ApiKey = Exact(
  {
    id: Id,
    name: KeyName,
    key_prefix: Type.String({
      description: 'The first characters of the key, to tell keys apart; none of a key of 12 or fewer',
    }),
    user_group_id: Id,
    user_group_name: Type.String(),
    description: Description,
    active: Type.Boolean({ description: 'False once revoked' }),
    owner_id: Nullable(Type.Integer({ ...Id, description: 'The user who answers for the key' })),
    owner: Nullable(Type.String({ description: 'The name of that user' })),
    rotated_from: Nullable(Type.Integer({ ...Id, description: 'The key that this one took the place of' })),
    rotated_to: Nullable(
      Type.Integer({ ...Id, description: 'The key that took its place; this one counts until its `expires_at`' }),
    ),
    ...scopes,
    expires_at: Nullable(Timestamp),
    is_expired: Type.Boolean(),
    last_used_at: Nullable(Timestamp),
    request_count: Count,
    created_at: Timestamp,
    updated_at: Timestamp,
  },
  { title: 'ApiKey' },
);
export type ApiKey = Static<typeof ApiKey>;

const CustomKey = Type.String({
  pattern: '^[\\x21-\\x7e]{8,512}$',
  'x-allowed': '8 to 512 printable ASCII characters without blanks',
  description: 'A token that clients have already; absent: a new key is made. Only its hash is kept either way.',
});

export const ApiKeyCreation = Exact({
  user_group_id: Id,
  ...optional({
    name: KeyName,
    description: Description,
    owner_id: Type.Integer({ ...Id, description: 'The user who answers for the key' }),
    expires_in_days: Type.Integer({ minimum: 1, maximum: 3_650, description: 'Absent: never' }),
    expires_in_minutes: Type.Integer({ minimum: 1, maximum: 5_256_000, description: 'Instead of days' }),
    custom_key: CustomKey,
    ...scopes,
  }),
});
export type ApiKeyCreation = Static<typeof ApiKeyCreation>;

export const listApiKeys = routes.define({
  method: 'GET',
  path: '/api-keys',
  role: 'viewer',
  summary: 'List the API keys; the keys themselves are never shown again. X-Total-Count has their number',
  parts: {
    query: Exact({
      ...optional({
        user_group_id: Id,
        active: Type.Boolean({ description: 'false: the revoked ones' }),
        owner_id: Id,
        unused_days: Type.Integer({ minimum: 1, maximum: 3_650, description: 'Only those not used for so many days' }),
        search: Type.String({
          maxLength: 200,
          description: 'Part of the name, the description or the first characters',
        }),
      }),
      ...page(1_000),
    }),
    response: Type.Array(ApiKey),
  },
});

export const createApiKey = routes.define({
  method: 'POST',
  path: '/api-keys',
  role: 'admin',
  summary: 'Create an API key; this answer is the only one that shows it',
  status: 201,
  parts: {
    body: ApiKeyCreation,
    response: Exact({ api_key: ApiKey, key: Type.String(), message: Type.String() }),
  },
  errors: ['not_found', 'conflict'],
  audit: 'apikey.created',
});

export const getApiKey = routes.define({
  method: 'GET',
  path: '/api-keys/:id',
  role: 'viewer',
  summary: 'Show an API key, without the key itself',
  parts: { params: ById, response: ApiKey },
  errors: ['not_found'],
});

export const ApiKeyChange = Exact(
  optional({ name: KeyName, description: Description, owner_id: Nullable(Id), ...scopes }),
);
export type ApiKeyChange = Static<typeof ApiKeyChange>;

export const updateApiKey = routes.define({
  method: 'PUT',
  path: '/api-keys/:id',
  role: 'admin',
  summary: 'Change the name, the description, the owner or the scopes of an API key',
  parts: { params: ById, body: ApiKeyChange, response: ApiKey },
  errors: ['not_found'],
  audit: 'apikey.updated',
});

export const ApiKeyRotation = Exact(
  optional({
    overlap_minutes: Type.Integer({
      minimum: 0,
      maximum: 525_600,
      default: 1_440,
      description: 'How long the old key still counts; 0: it is revoked at once. A day unless given',
    }),
    expires_in_days: Type.Integer({
      minimum: 1,
      maximum: 3_650,
      description: 'Of the new key. Absent: it lives as long as the old one was to live, without end if that had none',
    }),
    expires_in_minutes: Type.Integer({ minimum: 1, maximum: 5_256_000, description: 'Instead of days' }),
    custom_key: CustomKey,
  }),
);
export type ApiKeyRotation = Static<typeof ApiKeyRotation>;

export const rotateApiKey = routes.define({
  method: 'POST',
  path: '/api-keys/:id/rotate',
  role: 'admin',
  summary:
    'Create a key that takes the place of another, which counts a while longer and apart; this answer is the only one that shows it',
  status: 201,
  parts: {
    params: ById,
    body: ApiKeyRotation,
    response: Exact({ api_key: ApiKey, replaced: ApiKey, key: Type.String(), message: Type.String() }),
  },
  errors: ['not_found', 'conflict'],
  audit: 'apikey.rotated',
});

const KeyCaller = Exact({
  client_ip: Type.String(),
  user_agent: Nullable(Type.String()),
  proxy_id: Id,
  requests: Count,
  last_seen: Timestamp,
});

const KeyCallers = Exact({
  callers: Type.Array(KeyCaller),
  searched_from: Nullable({
    ...Timestamp,
    description: 'Null when the whole time was looked through; else requests before it are not told of',
  }),
});
export type KeyCallers = Static<typeof KeyCallers>;

export const listKeyCallers = routes.define({
  method: 'GET',
  path: '/api-keys/:id/callers',
  role: 'viewer',
  summary: 'Show who still uses an API key: addresses and programs, the latest first, of its latest 500 requests',
  parts: {
    params: ById,
    query: Exact({ hours: Type.Integer({ minimum: 1, maximum: 720, default: 24 }) }),
    response: KeyCallers,
  },
  errors: ['not_found'],
});

export const revokeApiKey = routes.define({
  method: 'POST',
  path: '/api-keys/:id/revoke',
  role: 'admin',
  summary: 'Revoke an API key for good',
  parts: { params: ById },
  errors: ['not_found'],
  audit: 'apikey.revoked',
});

export const deleteApiKey = routes.define({
  method: 'DELETE',
  path: '/api-keys/:id',
  role: 'admin',
  summary: 'Delete an API key',
  parts: { params: ById },
  errors: ['not_found'],
  audit: 'apikey.deleted',
});
