import { Type, type Static } from 'typebox';
import { ById, Exact, Nullable, Timestamp } from '../fields.ts';
import { defineRoute } from '../route.ts';

const tag = 'Agent cards';

/** Cards are written as A2A has them, without an envelope. */
const document = { method: 'GET', absolute: true, role: 'public', tag, contentType: 'application/json' } as const;

export const getGatewayCard = defineRoute({
  ...document,
  path: '/.well-known/agent-card.json',
  summary: "Show the gateway's own agent card; the header A2A-Version says in which generation",
  parts: {},
  errors: [],
});

export const getCardKeys = defineRoute({
  ...document,
  path: '/.well-known/jwks.json',
  summary: 'Show the public keys with which the gateway signs agent cards',
  parts: {},
  errors: [],
});

export const getServedCard = defineRoute({
  ...document,
  path: '/a2a/v1/agents/:id/.well-known/agent-card.json',
  summary:
    'Show the card of an agent as callers of the gateway need it; the header A2A-Version says in which generation',
  parts: { params: ById },
  errors: ['not_found'],
});

export const getServedLegacyCard = defineRoute({
  ...document,
  path: '/a2a/v1/agents/:id/.well-known/agent.json',
  summary: 'Show the card of an agent as clients of A2A 0.2 look for it',
  parts: { params: ById },
  errors: ['not_found'],
});

const SigningKey = Exact(
  {
    kid: Type.String(),
    algorithm: Type.String(),
    created_at: Timestamp,
    retired_at: Nullable(
      Type.String({ format: 'date-time', description: 'Signs nothing since then, and is published for 30 more days' }),
    ),
  },
  { title: 'CardSigningKey' },
);
export type SigningKey = Static<typeof SigningKey>;

export const listSigningKeys = defineRoute({
  method: 'GET',
  path: '/agents/signing-keys',
  role: 'admin',
  summary: 'List the keys with which the gateway signs agent cards, newest first',
  tag,
  parts: { response: Type.Array(SigningKey) },
  errors: [],
});

export const rotateSigningKey = defineRoute({
  method: 'POST',
  path: '/agents/signing-keys',
  role: 'admin',
  summary: 'Sign agent cards with a new key from now on; the one before stays published for 30 days',
  tag,
  status: 201,
  parts: { response: SigningKey },
  errors: [],
  audit: 'agent.signing_key.rotated',
});
