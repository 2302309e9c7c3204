import type { ToolFinding } from '@portcullis/contracts/routes/mcp-tools';
import { hashDefinition, hashInstructions } from '@portcullis/core/mcp/tool-definition';
import type { ScanDefinition } from '@portcullis/platform/policies/definition-scanner';

/** A tool as a target offers it, read and scanned. */
export interface OfferedTool {
  readonly name: string;
  readonly description: string;
  readonly definition: unknown;
  readonly hash: string;
  readonly findings: readonly ToolFinding[];
}

export interface OfferedInstructions {
  /** Empty when there are none. */
  readonly text: string;
  readonly hash: string;
  readonly findings: readonly ToolFinding[];
}

/**
 * @param hash of the definition as it came, where that is not what was stored
 * @throws {NestedTooDeep}
 */
export function readOfferedTool(
  name: string,
  definition: unknown,
  scan: ScanDefinition,
  hash = hashDefinition(definition),
): OfferedTool {
  const { description } = Object(definition) as { description?: unknown };
  const text = typeof description === 'string' ? description.toWellFormed().replaceAll('\0', '\uFFFD') : '';
  return { name, description: text, definition, hash, findings: scan(name, definition) };
}

export const readInstructions = (
  text: string,
  scan: ScanDefinition,
  hash = hashInstructions(text),
): OfferedInstructions => ({ text, hash, findings: text === '' ? [] : scan('instructions', { instructions: text }) });
