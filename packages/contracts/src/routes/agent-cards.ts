import { Type, type Static } from 'typebox';
import { ById, Exact, Nullable, Timestamp } from '../fields.ts';
import { createRouteList } from '../route.ts';

export const routes = createRouteList('Agent cards');

/** Cards are written as A2A has them, without an envelope. */
const document = { method: 'GET', absolute: true, role: 'public', contentType: 'application/json' } as const;

export const getGatewayCard = routes.define({
  ...document,
  path: '/.well-known/agent-card.json',
  summary: "Show the gateway's own agent card; the header A2A-Version says in which generation",
  parts: {},
});

export const getCardKeys = routes.define({
  ...document,
  path: '/.well-known/jwks.json',
  summary: 'Show the public keys with which the gateway signs agent cards',
  parts: {},
});

export const getServedCard = routes.define({
  ...document,
  path: '/a2a/v1/agents/:id/.well-known/agent-card.json',
  summary:
    'Show the card of an agent as callers of the gateway need it; the header A2A-Version says in which generation',
  parts: { params: ById },
  errors: ['not_found'],
});

export const getServedLegacyCard = routes.define({
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

export const listSigningKeys = routes.define({
  method: 'GET',
  path: '/agents/signing-keys',
  role: 'admin',
  summary: 'List the keys with which the gateway signs agent cards, newest first',
  parts: { response: Type.Array(SigningKey) },
});

export const rotateSigningKey = routes.define({
  method: 'POST',
  path: '/agents/signing-keys',
  role: 'admin',
  summary: 'Sign agent cards with a new key from now on; the one before stays published for 30 days',
  status: 201,
  parts: { response: SigningKey },
  audit: 'agent.signing_key.rotated',
});
