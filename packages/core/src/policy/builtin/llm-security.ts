import type { Policy } from '../policy.ts';

/** Prompt injection: texts that try to take the place of the instructions the operator gave. */
export const llmSecurity: Policy = {
  name: 'llm-security',
  version: '1.0',
  description: 'Prompt injection: instruction override, prompt extraction, persona jailbreaks, forged roles.',
  severity: 'High',
  policy_type: 'both',
  rules: [
    {
      id: 'override-previous-instructions',
      name: 'Override of earlier instructions',
      severity: 'High',
      enabled: true,
      patterns: [
        {
          regex:
            '\\b(?:ignore|disregard|forget|override|bypass)\\b[^.!?\\n]{0,40}\\b(?:previous|prior|above|earlier|preceding|all|any|your)\\b[^.!?\\n]{0,30}\\b(?:instructions?|directives?|guidelines|prompts?|rules)\\b',
          flags: 'i',
        },
      ],
      action: 'block',
    },
  ],
};
