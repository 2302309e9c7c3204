import type { Label } from '../../packages/detector-training/src/sample.ts';

/** What a policy looks for. Recall and false positives of a concern are those of its policies together. */
export interface Concern {
  readonly name: string;
  readonly label: Label;
  readonly policies: readonly string[];
}

export const concerns: readonly Concern[] = [
  { name: 'injection', label: 'attack', policies: ['llm-security', 'mcp-critical-security'] },
  { name: 'secrets', label: 'secret', policies: ['llm-secrets'] },
  { name: 'personal data', label: 'pii', policies: ['llm-data-redaction', 'llm-compliance-gdpr'] },
  { name: 'content', label: 'content', policies: ['llm-content-moderation'] },
];
