import { at, firstBroken, hasBearer, listOf, peerKey, type GuardrailDialect } from './guardrail-dialect.ts';

const policyId = '65f0c0ffee0123456789abcd';
const textTypes = new Set(['MODEL_INPUT', 'MODEL_RESPONSE']);

export const dynamoaiDialect: GuardrailDialect = {
  type: 'dynamoai',
  access: (url) => ({
    config: { base_url: `${url}/v1`, policy_ids: [policyId] },
    credentials: { api_key: peerKey },
  }),
  check(request, body) {
    const messages = listOf(at(body, 'messages'));
    return firstBroken([
      [request.method === 'POST' && request.path === '/v1/moderation/analyze/', 'no such endpoint'],
      [hasBearer(request), 'Unauthorized'],
      [messages.length > 0, 'messages must not be empty'],
      [messages.every((message) => typeof at(message, 'content') === 'string'), 'content must be a string'],
      [textTypes.has(String(at(body, 'textType'))), 'textType is missing'],
      [listOf(at(body, 'policyIds')).includes(policyId), 'unknown policy'],
    ]);
  },
  readText: (body) =>
    listOf(at(body, 'messages'))
      .map((message) => String(at(message, 'content')))
      .join('\n\n'),
  answer: (flagged) => ({
    finalAction: flagged ? 'BLOCK' : 'NONE',
    appliedPolicies: [
      {
        policy: { id: policyId, name: 'Weapons', method: 'PII', description: 'Questions about weapons' },
        outputs: { action: flagged ? 'BLOCK' : 'NONE', message: flagged ? 'It asks for a weapon' : null },
        action: 'BLOCK',
      },
    ],
    error: null,
  }),
};
