import { at, firstBroken, peerKey, type GuardrailDialect } from './guardrail-dialect.ts';

export const enkryptaiDialect: GuardrailDialect = {
  type: 'enkryptai',
  access: (url) => ({ config: { base_url: url }, credentials: { api_key: peerKey } }),
  check: (request, body) =>
    firstBroken([
      [request.method === 'POST' && request.path === '/guardrails/policy/detect', 'no such endpoint'],
      [request.headers['apikey'] === peerKey, 'Invalid API key'],
      [request.headers['x-enkrypt-policy'] === 'Security-Guardrail', 'Policy not found'],
      [typeof at(body, 'text') === 'string', 'text is missing'],
    ]),
  readText: (body) => String(at(body, 'text')),
  answer: (flagged) => ({
    summary: {
      nsfw: 0,
      toxicity: [],
      pii: 0,
      injection_attack: Number(flagged),
      keyword_detected: 0,
      policy_violation: 0,
      bias: 1,
      sponge_attack: 0,
      on_topic: 1,
    },
    details: {},
  }),
};
