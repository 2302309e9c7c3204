import { property, textProperty } from '@portcullis/core/json/json-value';
import type { SourceReader } from '@portcullis/platform/inspection/text-source';
import { createRequestSources } from '../origins/request-sources.ts';

/** Turns and instructions by the names that known APIs have for them. */
const lists = ['messages', 'contents', 'input', 'additional_messages', 'chat_history'] as const;
const instructions = [
  'system',
  'instructions',
  'additional_instructions',
  'systemInstruction',
  'system_instruction',
  'preamble',
];
const tools = ['tools', 'functions', 'toolConfig', 'tool_choice', 'response_format'];

const readers = new Map<string, ReturnType<typeof createRequestSources>>(
  lists.map((list) => [list, createRequestSources({ system: instructions, tools, turns: list })]),
);
const beside: ReadonlySet<unknown> = new Set([...instructions, ...tools]);

/** A conversation stands no deeper than this in what wraps it. */
const deepest = 4;

/**
 * Who the texts of a body are by whose API is not known: it has turns with roles, or instructions, where any API would have
 * them, at its top or in what it wraps. All else is its user's.
 */
export const anyRequestSources = (body: unknown): SourceReader => {
  const known = new Map<unknown, SourceReader>();
  const readerOf = (node: unknown, list: string): SourceReader => {
    const found = known.get(node);
    if (found !== undefined) return found;
    const reader = (readers.get(list) as ReturnType<typeof createRequestSources>)(node);
    known.set(node, reader);
    return reader;
  };
  return (place) => {
    let node = body;
    for (const [depth, step] of place.entries()) {
      if (depth >= deepest) break;
      const list = findTurns(node);
      const isOfConversation = step === list || (beside.has(step) && (list !== undefined || isAtTop(depth, step)));
      if (isOfConversation) return readerOf(node, list ?? 'messages')(place.slice(depth));
      node = property(node, String(step));
    }
    return 'user';
  };
};

/** Some APIs have instructions beside a prompt, or alone. */
const isAtTop = (depth: number, step: unknown): boolean => depth === 0 && instructions.includes(step as string);

const findTurns = (node: unknown): string | undefined =>
  Array.isArray(node) ? undefined : lists.find((list) => hasRoles(property(node, list)));

const hasRoles = (turns: unknown): boolean =>
  Array.isArray(turns) && turns.some((turn) => textProperty(turn, 'role') !== undefined);
