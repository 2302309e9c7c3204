/** Fields of all dialects whose short values name things and say nothing of a conversation. */
export const labelFields = [
  'type',
  'role',
  'id',
  'call_id',
  'tool_call_id',
  'tool_use_id',
  'object',
  'model',
  'status',
  'system_fingerprint',
  'service_tier',
  'media_type',
] as const;

/** What a provider says in a label is short; anything longer is a text. */
export const labelFormat = /^[\w./:-]{1,64}$/;
