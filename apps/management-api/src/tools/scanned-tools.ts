import type { ToolFinding } from '@portcullis/contracts/routes/mcp-tools';
import { hashDefinition, hashInstructions } from '@portcullis/core/mcp/tool-definition';
import type { ScanDefinition } from '@portcullis/platform/policies/definition-scanner';

/** A tool as a target offers it, read and scanned. */
export interface ScannedTool {
  readonly name: string;
  readonly description: string;
  readonly definition: unknown;
  readonly hash: string;
  readonly findings: readonly ToolFinding[];
}

export interface ScannedInstructions {
  /** Empty when there are none. */
  readonly text: string;
  readonly hash: string;
  readonly findings: readonly ToolFinding[];
}

/**
 * @param hash of the definition as it came, where that is not what was stored
 * @throws {NestedTooDeep}
 */
export function scanTool(
  name: string,
  definition: unknown,
  scan: ScanDefinition,
  hash = hashDefinition(definition),
): ScannedTool {
  const { description } = Object(definition) as { description?: unknown };
  const text = typeof description === 'string' ? description.toWellFormed().replaceAll('\0', '\uFFFD') : '';
  return { name, description: text, definition, hash, findings: scan(name, definition) };
}

export const scanInstructions = (
  text: string,
  scan: ScanDefinition,
  hash = hashInstructions(text),
): ScannedInstructions => ({ text, hash, findings: text === '' ? [] : scan('instructions', { instructions: text }) });
