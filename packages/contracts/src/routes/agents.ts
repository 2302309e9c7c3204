import { Type, type Static, type TProperties } from 'typebox';
import { ById, Count, Exact, Id, Name, Nullable, Timestamp, optional } from '../fields.ts';
import { historyOf } from '../history.ts';
import { createRouteList } from '../route.ts';
import { ToolFinding } from './mcp-tools.ts';
import { TargetAuth } from './proxies.ts';

export const routes = createRouteList('Agents');

export const agentStatuses = ['active', 'inactive', 'maintenance'] as const;
export type AgentStatus = (typeof agentStatuses)[number];

/** Query fields of a page of agents or of what belongs to them. */
export const agentPage = {
  limit: Type.Integer({ minimum: 1, maximum: 100, default: 50 }),
  offset: Type.Integer({ minimum: 0, maximum: 1_000_000, default: 0 }),
};

/** A part of a card; the agent may say more than this. */
const Open = <Properties extends TProperties>(properties: Properties, title?: string) =>
  Type.Object(properties, title === undefined ? {} : { title });

const Text = Type.String();
const Texts = Type.Array(Text);

/** A card in the names of the REST API. Names and data of the agent's own stay as the agent writes them. */
export const AgentCard = Open(
  {
    protocol_version: Type.String({ description: 'Newest generation of A2A that the agent speaks' }),
    name: Text,
    description: Text,
    version: Type.String({ description: 'Of the agent, in its own counting' }),
    supported_interfaces: Type.Array(
      Open({ url: Text, protocol_binding: Text, protocol_version: Text, ...optional({ tenant: Text }) }),
    ),
    capabilities: Open(
      optional({
        streaming: Type.Boolean(),
        push_notifications: Type.Boolean(),
        extended_agent_card: Type.Boolean(),
        extensions: Type.Array(Open({ uri: Text })),
      }),
    ),
    default_input_modes: Texts,
    default_output_modes: Texts,
    skills: Type.Array(Open({ id: Text, name: Text, description: Text, tags: Texts })),
    ...optional({
      provider: Open({ organization: Text, url: Text }),
      documentation_url: Text,
      icon_url: Text,
      security_schemes: Type.Record(Text, Type.Unknown()),
      security_requirements: Type.Array(Type.Unknown()),
      signatures: Type.Array(Open({ protected: Text, signature: Text })),
    }),
  },
  'AgentCard',
);

export const cardSignatureStatuses = ['unsigned', 'untrusted', 'verified', 'invalid'] as const;

/** What the signatures of a card came to. */
export const CardSignatureCheck = Exact(
  {
    status: Type.Enum(cardSignatureStatuses, {
      description:
        '`untrusted`: signed, and there is no trusted key to hold it against; `invalid`: no trusted key has signed it',
    }),
    ...optional({
      key_id: Text,
      algorithm: Text,
      form: Type.String({ description: 'In which of the known ways the card was written down to be signed' }),
    }),
  },
  { title: 'CardSignatureCheck' },
);
export type CardSignatureCheck = Static<typeof CardSignatureCheck>;

const keyText = (maxLength: number) => Type.String({ maxLength });

/** A public key, as JSON Web Keys write it. What belongs to a private one is refused. */
export const TrustedKey = Exact(
  {
    kty: Type.Enum(['EC', 'OKP', 'RSA']),
    ...optional({
      crv: Type.Enum(['P-256', 'P-384', 'Ed25519']),
      x: keyText(200),
      y: keyText(200),
      n: keyText(2_000),
      e: keyText(20),
      kid: keyText(200),
      alg: keyText(20),
      use: keyText(20),
      key_ops: Type.Array(keyText(20), { maxItems: 8 }),
    }),
  },
  { title: 'TrustedKey' },
);
export type TrustedKey = Static<typeof TrustedKey>;

export const Agent = Exact(
  {
    id: Id,
    name: Text,
    status: Type.Enum(agentStatuses),
    agent_card: AgentCard,
    url: Nullable(Type.String({ description: 'Base URL of the agent; null for one whose card was sent' })),
    card_url: Nullable(
      Type.String({ description: 'Where the card is read; null for the well-known path below the base URL' }),
    ),
    target_url: Nullable(
      Type.String({ description: 'Where the agent is called; null for the addresses that its card names' }),
    ),
    accepts_other_origins: Type.Boolean(),
    has_target_auth: Type.Boolean(),
    card_hash: Type.String({ description: 'SHA-256 of the card as it came' }),
    card_read_at: Timestamp,
    signature: CardSignatureCheck,
    trusted_keys: Type.Array(TrustedKey),
    checked_at: Nullable(
      Type.String({ format: 'date-time', description: 'When the card was last looked for by itself' }),
    ),
    check_problem: Nullable(Type.String({ description: 'Why it could not be read then' })),
    findings: Type.Array(ToolFinding, { description: 'What policies found in the texts of the card' }),
    created_at: Timestamp,
    updated_at: Timestamp,
  },
  { title: 'Agent' },
);
export type Agent = Static<typeof Agent>;

const cardInput = Type.Unsafe<string | object>({
  type: ['string', 'object'],
  maxLength: 262_144,
  description: "The agent's card as a JSON text or as an object, of A2A 0.2, 0.3 or 1.0",
});

const writable = {
  url: Type.String({
    minLength: 1,
    maxLength: 2_048,
    description: 'Base URL of the agent, below which the card stands at its well-known path',
  }),
  card_url: Nullable(
    Type.String({
      minLength: 1,
      maxLength: 2_048,
      description: 'Where the card is read, for an agent whose card has a path of its own; needs `url`',
    }),
  ),
  target_url: Nullable(
    Type.String({
      minLength: 1,
      maxLength: 2_048,
      description:
        'Where the agent is called, for one whose card names an address that leads nowhere from here (`0.0.0.0`, `localhost`, what is behind a load balancer): the whole URL of the interface that the gateway would choose of the card',
    }),
  ),
  agent_card: cardInput,
  status: Type.Enum(agentStatuses, { description: 'Only an active agent can be called; the others stay listed' }),
  accepts_other_origins: Type.Boolean({
    description: 'Whether interfaces of the card may be on other servers than the card',
  }),
  trusted_keys: Type.Array(TrustedKey, {
    maxItems: 8,
    description: 'Public keys (JWK): where there are any, one of them must have signed every card of the agent',
  }),
  target_auth: Type.Unsafe<TargetAuth | null>({
    ...Nullable(TargetAuth),
    description:
      'What the gateway sends to the agent, as a bearer token unless a header is named; null removes it. It goes to the addresses that are called and, where that asks for it, to that of the card; where what is called moves to another scheme, host or port it must be sent again.',
  }),
};

/** What an agent is shown with and no request sets: taken back and ignored, so that what was read can be written. */
const ignored = {
  id: Id,
  has_target_auth: Type.Boolean(),
  card_hash: Type.String({ maxLength: 64 }),
  card_read_at: Type.String({ maxLength: 40 }),
  signature: Type.Object({}),
  checked_at: Nullable(Type.String({ maxLength: 40 })),
  check_problem: Nullable(Type.String({ maxLength: 10_000 })),
  findings: Type.Array(Type.Unknown(), { maxItems: 100 }),
  created_at: Type.String({ maxLength: 40 }),
  updated_at: Type.String({ maxLength: 40 }),
};

export const AgentCreation = Exact({ name: Name, ...optional(writable) });
export type AgentCreation = Static<typeof AgentCreation>;

const changedUrl = Nullable({
  ...writable.url,
  description: 'Base URL of the agent. null: a card that is sent takes the place of the one there',
});

export const AgentChange = Exact(optional({ name: Name, ...writable, url: changedUrl, ...ignored }));
export type AgentChange = Static<typeof AgentChange>;

export const listAgents = routes.define({
  method: 'GET',
  path: '/agents',
  role: 'user',
  acceptsApiKey: true,
  summary: 'List the agents by name. Callers who are no admins see those that their user groups may use',
  parts: {
    query: Exact({
      ...agentPage,
      ...optional({
        status: Type.Enum(agentStatuses),
        search: Type.String({ maxLength: 200, description: 'Part of the name, or of the description in the card' }),
      }),
    }),
    response: Exact({ agents: Type.Array(Agent), total: Count, limit: Count, offset: Count }, { title: 'AgentPage' }),
  },
});

export const getAgent = routes.define({
  method: 'GET',
  path: '/agents/:id',
  role: 'user',
  acceptsApiKey: true,
  summary: 'Show an agent',
  parts: { params: ById, response: Agent },
  errors: ['not_found', 'agent_access_denied'],
});

const cardErrors = ['conflict', 'agent_unspoken', 'target_refused', 'target_unreachable', 'target_timeout'] as const;

export const createAgent = routes.define({
  method: 'POST',
  path: '/agents',
  role: 'admin',
  summary: 'Register an agent by its base URL, where the card is read, or by its card',
  status: 201,
  parts: { body: AgentCreation, response: Agent },
  errors: cardErrors,
  audit: 'agent.created',
});

export const updateAgent = routes.define({
  method: 'PUT',
  path: '/agents/:id',
  role: 'admin',
  summary:
    'Change the given fields of an agent. A card replaces a known one that was sent; one that was found at a URL is read anew from there, also with a body without fields',
  bodyOptional: true,
  parts: { params: ById, body: AgentChange, response: Agent },
  errors: ['not_found', ...cardErrors],
  audit: 'agent.updated',
});

export const deleteAgent = routes.define({
  method: 'DELETE',
  path: '/agents/:id',
  role: 'admin',
  summary: 'Delete an agent with its access entries, tasks and logs',
  parts: { params: ById },
  errors: ['not_found'],
  audit: 'agent.deleted',
});

export const getAgentHistory = routes.define(historyOf('/agents/:id', 'an agent', 'admin'));
