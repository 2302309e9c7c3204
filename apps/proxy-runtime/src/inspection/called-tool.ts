import { listProperty, property, textProperty } from '@portcullis/core/json/json-value';
import type { JsonPath } from '@portcullis/core/json/visit-strings';
import type { Call } from '../dialects/shared/dialect.ts';

// The tool that a text is about, where the protocol itself says so, for exceptions. Names that stand nearer to a text are
// written by callers, servers and tools, and would open an exception for one tool to the texts of another.

/** In a message to an MCP server, or in one of several. */
export function toolOfMessage(body: unknown, [index]: JsonPath): string | undefined {
  const message = Array.isArray(body) ? property(body, String(index)) : body;
  if (property(message, 'method') !== 'tools/call') return undefined;
  return textProperty(property(message, 'params'), 'name');
}

/** In what an MCP server answers. Of several messages it does not say which one it answers. */
export function toolOfAnswer(
  calls: readonly Call[],
  answer: unknown,
  [first, list, index]: JsonPath,
): string | undefined {
  const [call] = calls;
  if (call === undefined || calls.length > 1) return undefined;
  if (call.method === 'tools/call') return call.name;
  if (call.method !== 'tools/list' || first !== 'result' || list !== 'tools') return undefined;
  return textProperty(property(property(property(answer, 'result'), 'tools'), String(index)), 'name');
}

/** In a request to a model: definitions of tools, calls that its turns repeat, and what came of these. */
export function toolOfChat(body: unknown, [list, index, field, inner, kind]: JsonPath): string | undefined {
  if (typeof list !== 'string' || typeof index !== 'number') return undefined;
  const turn = property(property(body, list), String(index));
  const part = property(property(turn, String(field)), String(inner));
  if (list === 'tools' || list === 'functions')
    return definitionLists.has(field) ? textProperty(part, 'name') : nameOf(turn);
  if (!turnLists.has(list)) return undefined;
  if (field === 'parts') return googleKinds.has(kind) ? textProperty(property(part, String(kind)), 'name') : undefined;
  const call = list === 'messages' ? readMessage(turn, field, part) : readItem(turn);
  return call === undefined ? undefined : (call.name ?? findCalled(property(body, list), call.id));
}

const definitionLists: ReadonlySet<unknown> = new Set(['functionDeclarations', 'function_declarations']);
const turnLists: ReadonlySet<unknown> = new Set(['messages', 'input', 'contents']);

const nameOf = (value: unknown): string | undefined =>
  textProperty(value, 'name') ?? textProperty(property(value, 'function'), 'name');

const googleKinds: ReadonlySet<unknown> = new Set([
  'functionCall',
  'functionResponse',
  'function_call',
  'function_response',
]);

interface NamedCall {
  /** Undefined for a result, which names its call alone. */
  readonly name: string | undefined;
  readonly id: string | undefined;
}

// Each kind counts only where its API has it: chat APIs do not look at the type of a turn, so that one with the words of a
// user could have that of a call.

/** In a turn of a chat. What stands within the result of a tool was written by the tool. */
function readMessage(turn: unknown, field: unknown, part: unknown): NamedCall | undefined {
  if (property(turn, 'role') === 'tool') return { name: undefined, id: textProperty(turn, 'tool_call_id') };
  if (field === 'tool_calls') return readFunction(part);
  return field === 'content' ? readPart(part) : undefined;
}

function readPart(part: unknown): NamedCall | undefined {
  const type = property(part, 'type');
  if (type === 'tool_use') return { name: textProperty(part, 'name'), id: textProperty(part, 'id') };
  return type === 'tool_result' ? { name: undefined, id: textProperty(part, 'tool_use_id') } : undefined;
}

/** In what goes into a response of OpenAI. */
function readItem(item: unknown): NamedCall | undefined {
  const [type, id] = [property(item, 'type'), textProperty(item, 'call_id')];
  if (type === 'function_call') return { name: textProperty(item, 'name'), id };
  return type === 'function_call_output' ? { name: undefined, id } : undefined;
}

const readFunction = (call: unknown): NamedCall | undefined =>
  property(call, 'type') === 'function' ? { name: nameOf(call), id: textProperty(call, 'id') } : undefined;

/** The tool that is called under an id, where all calls under it are of one. */
function findCalled(turns: unknown, id: string | undefined): string | undefined {
  if (id === undefined || !Array.isArray(turns)) return undefined;
  const calls = turns
    .flatMap((turn: unknown) => [
      readItem(turn),
      ...listProperty(turn, 'tool_calls').map(readFunction),
      ...listProperty(turn, 'content').map(readPart),
    ])
    .filter((call) => call?.id === id && call?.name !== undefined);
  const names = new Set(calls.map((call) => call?.name));
  const [name] = names;
  return names.size === 1 ? name : undefined;
}
