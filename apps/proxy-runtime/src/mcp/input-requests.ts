import { property, textProperty } from '@portcullis/core/json/json-value';

/** What servers may answer with questions instead of a result. */
const inputMethods: ReadonlySet<string> = new Set(['tools/call', 'prompts/get', 'resources/read']);

/** A request of the stateless revision, which says in itself which it speaks, that may be answered with questions. */
export function mayRequestInput(message: unknown): boolean {
  if (!inputMethods.has(textProperty(message, 'method') ?? '')) return false;
  const meta = property(property(message, 'params'), '_meta');
  return property(meta, 'io.modelcontextprotocol/protocolVersion') !== undefined;
}
