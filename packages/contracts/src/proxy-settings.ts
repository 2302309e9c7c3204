import { Type, type Static } from 'typebox';
import { Exact, Nullable, optional } from './fields.ts';

/** @param option the environment variable that holds for all proxies without a setting of their own */
const timeout = (what: string, option: string, maximum: number) =>
  Nullable(
    Type.Integer({ minimum: 10, maximum, default: null, description: `${what}, in milliseconds. null: ${option}.` }),
  );

/** Whose texts are taken for what the application itself wrote, and not for an attack on it. */
export const trustedRoles = ['system', 'developer', 'assistant', 'tools', 'context', 'user'] as const;
export type TrustedRole = (typeof trustedRoles)[number];
/** Pages that a program on the user's own machine serves, and those of editors, whose schemes no site can have. */
const ownOrigins = [
  ...['localhost', '127.0.0.1', '[::1]'].flatMap((host) => [`http://${host}:*`, `https://${host}:*`]),
  ...['vscode-webview', 'vscode-file', 'cursor', 'windsurf', 'tauri'].map((scheme) => `${scheme}://*`),
];

const settings = {
  trusted_roles: Nullable(
    Type.Array(Type.Enum(trustedRoles), {
      uniqueItems: true,
      maxItems: trustedRoles.length,
      default: null,
      description:
        'Roles whose texts policies do not read like those of an attacker; tools are definitions of tools, context is what an agent puts beside the words of its user. MCP: only tools, of a server that you trust. null: for LLM all but user, for MCP none. []: no role is trusted.',
    }),
  ),
  error_style: Type.Enum(['envelope', 'native'], {
    default: 'envelope',
    description:
      "Refusals in the gateway's envelope, or in the dialect of the client's API, which agents and client libraries read best.",
  }),
  block_response: Type.Enum(['http', 'jsonrpc', 'tool_error'], {
    default: 'http',
    description:
      'MCP only: a message that a policy blocks is answered with HTTP 403, with a JSON-RPC error, or as the failed result of a tool, which agents go on after.',
  }),
  tool_filtering: Type.Enum(['enforce', 'monitor', 'off'], {
    default: 'enforce',
    description:
      'MCP only: tools that are not enabled are hidden and cannot be called, their calls are only reported, or all are open.',
  }),
  tool_change_action: Type.Enum(['hold', 'alert'], {
    default: 'hold',
    description:
      'MCP only: a tool whose definition changed is hidden until an admin approves it, or the change is only reported.',
  }),
  allowed_methods: Nullable(
    Type.Array(Type.String({ pattern: '^[\\x21-\\x7e]{1,200}$', 'x-allowed': 'the name of a method' }), {
      maxItems: 200,
      uniqueItems: true,
      default: null,
      description:
        'MCP only: methods that clients may use; all others are answered with the JSON-RPC error -32601. null: those of the specification where a policy enforces something, else all.',
    }),
  ),
  allowed_origins: Type.Array(
    Type.String({
      minLength: 1,
      maxLength: 300,
      pattern:
        '^(?:\\*|null|[A-Za-z][A-Za-z0-9+.-]*://(?:\\*|(?:\\[[0-9A-Fa-f:.]+\\]|[^/?#@:*\\[\\]\\s]+)(?::(?:\\d{1,5}|\\*))?))$',
      'x-allowed':
        'an origin such as https://app.example.com or http://localhost:*, a scheme such as editor://*, null or *',
    }),
    {
      maxItems: 100,
      uniqueItems: true,
      default: ownOrigins,
      description:
        'MCP only: origins whose pages may use the proxy from a browser, as in https://app.example. https://app.example:* is every port, scheme://* everything of a scheme, * everything. What sends no Origin passes.',
    },
  ),
  canary_injection_rate: Type.Number({
    minimum: 0,
    maximum: 1,
    default: 0,
    description: 'LLM only: share of the conversations that have a canary token in their system prompt; 0 is none.',
  }),
  explain: Type.Boolean({
    default: false,
    description:
      'Admins who send a login token in X-Portcullis-Explain see in a header of that name how the policies decided.',
  }),
  usage_from_stream: Type.Enum(['auto', 'always', 'never'], {
    default: 'auto',
    description:
      'LLM only: streams of OpenAI chat and completions are asked for their usage with stream_options. auto: not where the target refuses that; never: their usage is estimated.',
  }),
  unreadable_content: Type.Enum(['deny', 'pass'], {
    default: 'deny',
    description:
      'What policies cannot read (text in another encoding than UTF-8, bytes of no known type) is refused where a policy enforces something, or passes unread. Files of a known type pass.',
  }),
  forward_gateway_key: Type.Boolean({
    default: false,
    description: 'Forwards the header that carried the gateway key too. It hands the key to the target.',
  }),
  rate_limit_refill: Type.Enum(['literal', 'proportional'], {
    default: 'literal',
    description: 'Buckets refill one token per second, or the whole limit within a minute.',
  }),
  on_store_failure: Type.Enum(['degrade', 'deny'], {
    default: 'degrade',
    description:
      'While the store of rate limits and budgets is away each process goes on by itself, or refuses what has one of them.',
  }),
  max_concurrent_requests: Type.Integer({
    minimum: 0,
    maximum: 1_000_000,
    default: 0,
    description: 'Requests that one runtime serves at once; those beyond are answered 503. 0 is no limit.',
  }),
  target_connect_timeout_ms: timeout('How long a connection to the target may take', 'TARGET_CONNECT_TIMEOUT', 300_000),
  target_headers_timeout_ms: timeout(
    'How long the target may take until its response headers',
    'TARGET_HEADERS_TIMEOUT',
    3_600_000,
  ),
  target_idle_timeout_ms: timeout(
    'How long the target may pause within a response body',
    'TARGET_IDLE_TIMEOUT',
    86_400_000,
  ),
  target_total_timeout_ms: Nullable(
    Type.Integer({
      minimum: 10,
      maximum: 86_400_000,
      default: null,
      description:
        'How long the whole answer of the target may take, streams included, in milliseconds. null: no bound.',
    }),
  ),
  target_ca: Nullable(
    Type.String({
      minLength: 1,
      maxLength: 65_536,
      default: null,
      description: 'Certificates (PEM) of the authorities that verify the target, instead of those the system trusts.',
    }),
  ),
  public_url: Nullable(
    Type.String({
      maxLength: 300,
      pattern: '^https?://[^?#@\\s\\\\]+$',
      'x-allowed': 'scheme, host, and a port or a path where there is one, such as https://llm.example.com',
      default: null,
      description:
        'Where clients reach this proxy, for one behind a name or a path of its own. null: its port on the host of PUBLIC_URL, or under which the gateway was called.',
    }),
  ),
  tls_pair: Nullable(
    Type.String({
      pattern: '^[a-z0-9][a-z0-9_-]{0,62}$',
      default: null,
      description:
        "Name of a certificate and key in the operator's folder TLS_PAIRS_DIR that the proxy port uses instead of the gateway's own. Where they cannot be used the port stays closed.",
    }),
  ),
  system_prompt_max_body_size: Type.Integer({
    minimum: 0,
    maximum: 1_073_741_824,
    default: 102_400,
    description: 'Bytes; larger request bodies get no system prompt.',
  }),
  system_prompt_max_messages: Type.Integer({
    minimum: 0,
    maximum: 100_000,
    default: 10,
    description: 'Conversations with more messages get no system prompt.',
  }),
  system_prompt_without_place: Type.Enum(['deny', 'deny_all', 'pass'], {
    default: 'deny',
    description:
      'Where a system prompt is assigned: refuse conversations and batches that have no place for it, everything with a body that is no conversation, too (embeddings, files, unknown APIs), or nothing.',
  }),
  oauth_proxy_enabled: Type.Boolean({
    default: false,
    description:
      'MCP only: clients sign their users in with OAuth, at an authorization server that the gateway has for this proxy. API keys go on working.',
  }),
  oauth_proxy_mode: Type.Enum(['upstream', 'gateway'], {
    default: 'upstream',
    description: "Forward the provider's tokens as they are, or issue the gateway's own.",
  }),
  oauth_proxy_authorization_server: Type.Enum(['gateway', 'provider'], {
    default: 'gateway',
    description:
      'Upstream mode: where clients sign users in. gateway: at the authorization server that the gateway has for this proxy. provider: at the provider itself, which must know the clients, or let them register.',
  }),
  oauth_proxy_audiences: Type.Array(Type.String({ minLength: 1, maxLength: 500 }), {
    maxItems: 20,
    uniqueItems: true,
    default: [],
    description:
      "Upstream mode: for whom the provider's tokens must be issued, as their audience says it. []: oauth_proxy_resource; without one oauth_proxy_url, or what is below it.",
  }),
  oauth_proxy_resource: Nullable(
    Type.String({
      minLength: 1,
      maxLength: 500,
      default: null,
      description:
        'Upstream mode: what the provider calls the target, sent to it as resource, or as audience where it is of Auth0. null: nothing is sent, and the scopes say it.',
    }),
  ),
  oauth_proxy_token_check: Type.Enum(['auto', 'introspection', 'userinfo'], {
    default: 'auto',
    description:
      'Upstream mode: how tokens are checked. auto: signed ones by the keys of the provider, others by introspection. userinfo: by asking for the user; that says nothing of the audience, so that a token for any client of the provider is good.',
  }),
  oauth_proxy_provider_id: Nullable(
    Type.Integer({
      minimum: 1,
      maximum: 2_147_483_647,
      default: null,
      description: 'The OAuth provider with which users sign in. It must know the callback that the guide names.',
    }),
  ),
  oauth_proxy_url: Nullable(
    Type.String({
      maxLength: 300,
      pattern: '^https?://[^/?#@\\s\\\\]+$',
      'x-allowed': 'scheme, host and port, such as https://mcp.example.com:9001',
      default: null,
      description:
        'Where clients reach the port of this proxy. It is the issuer of the tokens and what they are good for. null: its port on the host of PUBLIC_URL.',
    }),
  ),
  oauth_proxy_scopes: Type.Array(
    Type.String({ pattern: '^[\\x21\\x23-\\x5b\\x5d-\\x7e]{1,200}$', 'x-allowed': 'a scope' }),
    {
      maxItems: 50,
      uniqueItems: true,
      default: [],
      description:
        'Scopes of the provider that clients may ask for, beside those that the sign-in itself needs. A client that names none gets all.',
    },
  ),
  oauth_proxy_token_lifetime: Nullable(
    Type.Integer({
      minimum: 60,
      maximum: 86_400,
      default: null,
      description:
        "How long an access token is good at most, in seconds. It never outlives the provider's. null: as long as that, an hour where the provider does not say.",
    }),
  ),
  oauth_proxy_require_consent: Type.Boolean({
    default: true,
    description:
      'Ask users each time whether a client may act for them. false: not for the clients of oauth_proxy_trusted_clients; others are asked about all the same.',
  }),
  oauth_proxy_trusted_clients: Type.Array(Type.String({ minLength: 1, maxLength: 2_048 }), {
    maxItems: 100,
    uniqueItems: true,
    default: [],
    description: 'Ids of clients that need no consent where oauth_proxy_require_consent is false.',
  }),
  oauth_proxy_allowed_redirect_uris: Type.Array(Type.String({ minLength: 1, maxLength: 2_048 }), {
    maxItems: 100,
    uniqueItems: true,
    default: [],
    description:
      "Patterns of the addresses that clients may register, as in http://localhost:*/callback or cursor://*. []: those of programs on the user's own machine. May also be written as oauth_proxy_allowed_redirects.",
  }),
};

/** How one proxy departs from the defaults: the column `proxies.settings`. An absent key means the default. */
export const ProxySettings = Exact(optional(settings), { title: 'ProxySettings' });
export type ProxySettings = Static<typeof ProxySettings>;

/** All settings of a proxy as the API shows them, defaults filled in. */
export const CompleteProxySettings = Exact(settings, { title: 'CompleteProxySettings' });
export type CompleteProxySettings = Static<typeof CompleteProxySettings>;

/** As clients write them: one key has a second spelling. */
export const ProxySettingsInput = Exact(
  optional({ ...settings, oauth_proxy_allowed_redirects: settings.oauth_proxy_allowed_redirect_uris }),
  { title: 'ProxySettingsInput' },
);
export type ProxySettingsInput = Static<typeof ProxySettingsInput>;

/** What holds for a key that is not stored. */
export const defaultProxySettings = Object.fromEntries(
  Object.entries(settings).map(([name, schema]) => [name, (schema as { readonly default?: unknown }).default]),
) as CompleteProxySettings;

/** The settings under their own names, out of the two places where clients write them; `settings` wins. */
export function normalizeProxySettings(
  settings: ProxySettingsInput | undefined,
  config: ProxySettingsInput | undefined,
): ProxySettings | undefined {
  if (settings === undefined && config === undefined) return undefined;
  const { oauth_proxy_allowed_redirects: redirects, ...given } = { ...config, ...settings };
  if (redirects === undefined) return given;
  return { oauth_proxy_allowed_redirect_uris: redirects, ...given };
}
