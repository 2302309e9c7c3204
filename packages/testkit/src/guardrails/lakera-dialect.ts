import { at, firstBroken, hasBearer, listOf, peerKey, type GuardrailDialect } from './guardrail-dialect.ts';

const roles = new Set(['system', 'user', 'assistant', 'tool']);

export const lakeraDialect: GuardrailDialect = {
  type: 'lakera',
  access: (url) => ({ config: { base_url: `${url}/v2` }, credentials: { api_key: peerKey } }),
  check(request, body) {
    const messages = listOf(at(body, 'messages'));
    return firstBroken([
      [request.method === 'POST' && request.path === '/v2/guard', 'no such endpoint'],
      [hasBearer(request), 'Unauthorized'],
      [messages.length > 0, 'messages must not be empty'],
      [messages.every((message) => roles.has(String(at(message, 'role')))), 'unknown role'],
      [messages.every((message) => typeof at(message, 'content') === 'string'), 'content must be a string'],
    ]);
  },
  readText: (body) =>
    listOf(at(body, 'messages'))
      .map((message) => String(at(message, 'content')))
      .join('\n\n'),
  answer(flagged) {
    const detector = (type: string, detected: boolean) => ({
      project_id: 'project-1',
      policy_id: 'policy-1',
      detector_id: `detector-${type}`,
      detector_type: type,
      detected,
      message_id: 0,
    });
    return {
      flagged,
      breakdown: [detector('prompt_attack', flagged), detector('moderated_content/crime', false)],
      metadata: { request_uuid: '00000000-0000-4000-8000-000000000000' },
    };
  },
};
