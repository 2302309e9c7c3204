import { hash } from 'node:crypto';
import { canonicalJson } from '../json/canonical-json.ts';

/**
 * SHA-256 (hex) of a tool with all its fields, known or not: what a server may change behind anybody's
 * back includes annotations, the schema of the output and what only its own clients read.
 * @throws {NestedTooDeep}
 */
export const hashDefinition = (tool: unknown): string => hash('sha256', canonicalJson(tool));

/** The same for a server's instructions; none are the empty text. */
export const hashInstructions = (text: string): string => hash('sha256', text);
