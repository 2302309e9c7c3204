import { Type, type Static } from 'typebox';
import {
  ById,
  Count,
  Description,
  Exact,
  Id,
  Name,
  Nullable,
  PolicyReference,
  Timestamp,
  optional,
} from '../fields.ts';
import { CompleteProxySettings, ProxySettingsInput } from '../proxy-settings.ts';
import { listenerTypes, severities } from '../records.ts';
import { createRouteList } from '../route.ts';

export const routes = createRouteList('Proxies');

export const transports = ['http', 'websocket', 'sse'] as const;

export const PolicyNames = Type.Array(PolicyReference, {
  maxItems: 50,
  uniqueItems: true,
  description: 'Names of policies, or their ids',
});

const Tag = Type.String({ minLength: 1, maxLength: 50, pattern: '^[^,]*$', 'x-allowed': 'text without commas' });

/** Credentials of the gateway's own towards the target. Stored encrypted, never read back. */
export const TargetAuth = Exact({
  ...optional({
    header: Type.String({
      pattern: "^[A-Za-z0-9!#$%&'*+.^_`|~-]{1,64}$",
      'x-allowed': 'the name of an HTTP header',
      description:
        'Without one the value is a key, and goes where the API of each request has it: Authorization as a bearer token, x-api-key or x-goog-api-key.',
    }),
  }),
  value: Type.String({ pattern: '^[\\x20-\\x7e]{1,4096}$', 'x-allowed': 'up to 4096 printable ASCII characters' }),
});
export type TargetAuth = Static<typeof TargetAuth>;

const identity = {
  name: Name,
  type: Type.Enum(listenerTypes),
  target: Type.String({
    maxLength: 2_048,
    pattern: '^(?:https?|wss?)://',
    'x-allowed': 'a URL that begins with http:// or https://, or with ws:// or wss:// for a socket',
    description:
      'URL of the target server. ws:// and wss:// stand for http:// and https:// with the transport websocket',
  }),
  port: Type.Integer({ minimum: 1, maximum: 65_535, description: 'Port on which this proxy listens' }),
};

const options = {
  transport: Type.Enum(transports, { default: 'http' }),
  description: Description,
  enabled: Type.Boolean({ default: true, description: 'A disabled proxy cannot be started' }),
  auto_start: Type.Boolean({
    default: false,
    description:
      'Start with the gateway, also when it was stopped. What ran when the gateway ended runs again without it.',
  }),
  tags: Type.Array(Tag, { maxItems: 50, uniqueItems: true }),
};

const policyEntry = 'the name of a policy, its id, or an object with its name';

const inputOnly = {
  policy_names: Type.Unsafe<(string | number)[]>({
    ...PolicyNames,
    description:
      'Names of policies, or their ids. A new proxy for which neither this nor policies is given has the built-in ones that are quiet on any traffic, llm-security and llm-secrets; an empty list is none',
  }),
  policies: Type.Array(Type.Union([PolicyReference, Type.Object({ name: Name })], { 'x-allowed': policyEntry }), {
    maxItems: 50,
    description: 'Synonym of policy_names; also takes the objects that a proxy is shown with',
  }),
  settings: ProxySettingsInput,
  config: Type.Unsafe<ProxySettingsInput>({ ...ProxySettingsInput, description: 'Synonym of settings' }),
  target_auth: Nullable(TargetAuth),
};

/** What a proxy is shown with and no request sets: taken back and ignored, so that what was read can be written. */
const ignored = {
  id: Id,
  has_target_auth: Type.Boolean(),
  public_url: Type.String({ maxLength: 400 }),
  policy_count: Type.Integer({ minimum: 0, maximum: 1_000 }),
  active_policy_count: Type.Integer({ minimum: 0, maximum: 1_000 }),
  warnings: Type.Array(Type.String({ maxLength: 500 }), { maxItems: 50 }),
  created_at: Type.String({ maxLength: 40 }),
  updated_at: Type.String({ maxLength: 40 }),
};

const AssignedPolicy = Exact({
  name: Type.String(),
  exists: Type.Boolean({ description: 'False when no policy has this name: the assignment has no effect yet' }),
  active: Type.Boolean({ description: "True when it is switched on and for this proxy's type of traffic" }),
  description: Type.String(),
  severity: Nullable(Type.Enum(severities)),
});

export const Proxy = Exact(
  {
    id: Id,
    ...identity,
    ...options,
    settings: CompleteProxySettings,
    public_url: Type.String({
      description:
        'The address that clients use: the setting public_url, else its port on the host of PUBLIC_URL or, without one, of this request',
    }),
    has_target_auth: Type.Boolean(),
    policies: Type.Array(AssignedPolicy),
    policy_count: Count,
    active_policy_count: Count,
    warnings: Type.Array(Type.String(), {
      description: 'What is open about it that may be meant to be closed, such as that no policy inspects its traffic',
    }),
    created_at: Timestamp,
    updated_at: Timestamp,
  },
  { title: 'Proxy' },
);
export type Proxy = Static<typeof Proxy>;

export const ProxyCreation = Exact({ ...identity, ...optional({ ...options, ...inputOnly }) });
export type ProxyCreation = Static<typeof ProxyCreation>;

export const ProxyChange = Exact(
  optional({
    ...identity,
    ...options,
    ...inputOnly,
    target_auth: Type.Unsafe<TargetAuth | null>({
      ...inputOnly.target_auth,
      description:
        'Null removes it. Where one is stored, a target of another scheme, host or port is refused with 400 unless this is sent again or removed with it.',
    }),
    ...ignored,
  }),
);
export type ProxyChange = Static<typeof ProxyChange>;

export const listProxies = routes.define({
  method: 'GET',
  path: '/proxies',
  role: 'viewer',
  acceptsApiKey: true,
  summary: 'List the proxies',
  parts: {
    query: Exact(
      optional({
        type: Type.Enum(listenerTypes),
        enabled: Type.Boolean(),
        search: Type.String({ maxLength: 200, description: 'Part of the name, the description or the target' }),
        tags: Type.String({ maxLength: 500, description: 'Comma-separated; a proxy must have all of them' }),
      }),
    ),
    response: Type.Array(Proxy),
  },
});

export const createProxy = routes.define({
  method: 'POST',
  path: '/proxies',
  role: 'admin',
  summary: 'Create a proxy',
  status: 201,
  parts: { body: ProxyCreation, response: Proxy },
  errors: ['conflict', 'target_refused'],
  audit: 'proxy.created',
});

export const suggestPort = routes.define({
  method: 'GET',
  path: '/proxies/suggest-port',
  role: 'viewer',
  summary: 'Suggest a port that no proxy uses',
  parts: {
    query: Exact({ from: Type.Integer({ minimum: 1, maximum: 65_535, default: 8_100, description: 'Lowest wanted' }) }),
    response: Exact({ port: Type.Integer() }, { title: 'SuggestedPort' }),
  },
  errors: ['conflict'],
});

export const getProxy = routes.define({
  method: 'GET',
  path: '/proxies/:id',
  role: 'viewer',
  acceptsApiKey: true,
  summary: 'Show a proxy',
  parts: { params: ById, response: Proxy },
  errors: ['not_found', 'access_denied'],
});

export const updateProxy = routes.define({
  method: 'PUT',
  path: '/proxies/:id',
  role: 'admin',
  summary: 'Change the given fields of a proxy; a running one takes the change without a restart',
  parts: { params: ById, body: ProxyChange, response: Proxy },
  errors: ['not_found', 'conflict', 'target_refused'],
  audit: 'proxy.updated',
});

export const deleteProxy = routes.define({
  method: 'DELETE',
  path: '/proxies/:id',
  role: 'admin',
  summary: 'Delete a stopped proxy with its access entries; its records stay',
  parts: { params: ById },
  errors: ['not_found', 'conflict'],
  audit: 'proxy.deleted',
});
