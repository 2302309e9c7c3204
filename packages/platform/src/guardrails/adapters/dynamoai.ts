import { listAt, textAt } from './answer-value.ts';
import { bearer, below, postJson, UnreadableAnswer, type GuardrailAdapter } from './guardrail-adapter.ts';

const actions = new Set(['NONE', 'WARN', 'REDACT', 'SANITIZE', 'BLOCK']);
/** It passes where Dynamo AI itself decides; `min_confidence` says whether it blocks here. */
const confidenceOfWarning = 0.5;

/** Dynamo AI's moderation: policies of the account, each with an action of its own. */
export const dynamoai: GuardrailAdapter<'dynamoai'> = {
  maxCharacters: 30_000,

  buildRequests: ({ config, credentials }, { direction, messages }) => [
    postJson(
      below(config.base_url, 'moderation/analyze/'),
      {
        messages: messages.map(({ role, text }) => ({ role, content: text })),
        // Without it the service judges an answer by the policies of prompts.
        textType: direction === 'request' ? 'MODEL_INPUT' : 'MODEL_RESPONSE',
        policyIds: config.policy_ids,
        ...(config.model_id !== '' && { modelId: config.model_id }),
        ...(config.client_id !== '' && { clientId: config.client_id }),
      },
      bearer(credentials.api_key),
    ),
  ],

  readAnswer(_access, answer) {
    const problem = textAt(answer, 'error') ?? '';
    if (problem !== '') throw new UnreadableAnswer(`The answer tells an error: ${problem.slice(0, 200)}`);
    const action = textAt(answer, 'finalAction')?.toUpperCase();
    if (action === undefined || !actions.has(action)) throw new UnreadableAnswer('The answer has no finalAction');
    const flagged = action !== 'NONE';
    const applied = listAt(answer, 'appliedPolicies').filter((policy) => actionOf(policy) !== 'NONE');
    const names = applied.map((policy) => textAt(policy, 'policy.name') ?? 'unknown');
    return {
      flagged,
      categories: flagged ? [...new Set(names)] : [],
      scores: Object.fromEntries(names.map((name) => [name, 1])),
      confidence: action === 'WARN' ? confidenceOfWarning : null,
      rationale: flagged ? (textAt(applied[0], 'outputs.message') ?? null) : null,
      tokens: null,
    };
  },
};

const actionOf = (policy: unknown): string =>
  (textAt(policy, 'outputs.action') ?? textAt(policy, 'action') ?? 'NONE').toUpperCase();
