import { PolicyFile } from './policy-file.ts';

/** What an author must write; for everything else there is a default. */
const required: Readonly<Record<string, readonly string[]>> = {
  policy: ['name', 'rules'],
  rule: ['id'],
  signal: ['name'],
};

type Schema = Record<string, unknown> & { properties?: Record<string, Schema>; items?: Schema };

/** The JSON Schema of a policy file as an author writes it: the normal form, with what has a default left out. */
export function renderPolicyFileSchema(): string {
  const schema = structuredClone(JSON.parse(JSON.stringify(PolicyFile))) as Schema;
  const rule = schema.properties?.['rules']?.items;
  const signal = rule?.properties?.['signals']?.items;
  Object.assign(schema, { required: required['policy'] });
  if (rule !== undefined) Object.assign(rule, { required: required['rule'] });
  if (signal !== undefined) Object.assign(signal, { required: required['signal'] });
  // Editors look up the schema that a file names.
  Object.assign(schema.properties ?? {}, { $schema: { type: 'string' } });
  return `${JSON.stringify({ $schema: 'https://json-schema.org/draft/2020-12/schema', ...schema }, null, 2)}\n`;
}
