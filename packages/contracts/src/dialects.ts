interface DialectFacts {
  /** What OpenTelemetry's conventions for generative AI (1.38) call what is done in it, and who does it. */
  readonly operation: 'chat' | 'text_completion' | 'embeddings' | 'generate_content' | 'execute_tool';
  /** Absent where any may answer. */
  readonly provider?: string;
}

/** The dialects of traffic, by the names that usage records carry as their `protocol`. */
export const dialects = {
  'openai-chat': { operation: 'chat', provider: 'openai' },
  'openai-responses': { operation: 'chat', provider: 'openai' },
  'openai-completions': { operation: 'text_completion', provider: 'openai' },
  'openai-embeddings': { operation: 'embeddings', provider: 'openai' },
  'anthropic-messages': { operation: 'chat', provider: 'anthropic' },
  'openai-threads': { operation: 'chat', provider: 'openai' },
  gemini: { operation: 'generate_content', provider: 'gcp.gemini' },
  'gemini-interactions': { operation: 'generate_content', provider: 'gcp.gemini' },
  'bedrock-converse': { operation: 'chat', provider: 'aws.bedrock' },
  'cohere-chat': { operation: 'chat', provider: 'cohere' },
  'ollama-chat': { operation: 'chat', provider: 'ollama' },
  'ollama-generate': { operation: 'text_completion', provider: 'ollama' },
  // Of no known dialect: what streams texts there is taken for a conversation.
  'any-json': { operation: 'chat' },
  mcp: { operation: 'execute_tool' },
} as const satisfies Readonly<Record<string, DialectFacts>>;
export type DialectName = keyof typeof dialects;

/** Of a stored name, which may be one of another version. */
export const findDialectFacts = (name: string): DialectFacts | undefined =>
  Object.hasOwn(dialects, name) ? dialects[name as DialectName] : undefined;
