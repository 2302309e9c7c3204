import { parsePolicyFile, type ParsedPolicyFile } from '@portcullis/core/policy/file/parse-policy-file';
import { runTimeSliced } from '../event-loop/run-time-sliced.ts';

/** Reads a policy file while the event loop turns: one of hundreds of rules takes a second. */
export async function parsePolicyInSlices(document: unknown): Promise<ParsedPolicyFile> {
  await runTimeSliced(readRules(document));
  return parsePolicyFile(document);
}

/** Rule by rule: what is known of its patterns makes reading all of it short. */
function* readRules(document: unknown): Generator<undefined, void> {
  if (typeof document !== 'object' || document === null || !('rules' in document)) return;
  for (const rule of Array.isArray(document.rules) ? (document.rules as unknown[]) : []) {
    parsePolicyFile({ ...document, rules: [rule] });
    yield;
  }
}
