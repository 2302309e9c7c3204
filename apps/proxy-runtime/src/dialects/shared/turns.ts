import type { MessageRole } from '@portcullis/contracts/policy-file';
import { listProperty, property, textProperty } from '@portcullis/core/json/json-value';

/** Where dialects have the turns of a conversation. */
export const turnLists: ReadonlySet<string> = new Set(['messages', 'input', 'contents']);

/** The roles in one of those lists, undefined without it. */
export const readTurnRoles = (body: unknown, list: string): readonly MessageRole[] | undefined => {
  const turns = property(body, list);
  return Array.isArray(turns) ? turns.map(roleOfTurn) : undefined;
};

/** Who speaks in a turn of any dialect: a turn that brings a result of a tool is the tool's, for any sender. */
export function roleOfTurn(turn: unknown): MessageRole {
  if (isToolResult(turn) || partsOf(turn).some(isToolResult)) return 'tool';
  return statedRole(turn) ?? 'user';
}

/** Who a turn itself says it is by; undefined when it does not say. */
export function statedRole(turn: unknown): MessageRole | undefined {
  const role = roles[textProperty(turn, 'role') ?? ''];
  if (role !== undefined) return role;
  return modelItems.test(textProperty(turn, 'type') ?? '') ? 'assistant' : undefined;
}

/** What a turn consists of, where it is a list. */
export const partsOf = (turn: unknown): readonly unknown[] => {
  const content = listProperty(turn, 'content');
  return content.length > 0 ? content : listProperty(turn, 'parts');
};

/** A turn, or a part of one, that brings what a tool answered. */
export const isToolResult = (part: unknown): boolean =>
  toolResults.test(textProperty(part, 'type') ?? '') ||
  property(part, 'functionResponse') !== undefined ||
  property(part, 'toolResult') !== undefined ||
  property(part, 'function_response') !== undefined;

const toolResults =
  /^(?:\w+_)?tool_result$|(?<!^model)_output$|^(?:function|code_execution|google_search|google_maps|file_search|url_context|retrieval|processing)_result$/;

/** Items of OpenAI's responses, and steps of Google's interactions, that the model made and that name no role. */
const modelItems = /_call$|^(?:reasoning|compaction|mcp_list_tools|mcp_approval_request|model_output|thought)$/;

const roles: Readonly<Record<string, MessageRole>> = {
  system: 'system',
  developer: 'developer',
  user: 'user',
  assistant: 'assistant',
  model: 'assistant',
  tool: 'tool',
  function: 'tool',
};
