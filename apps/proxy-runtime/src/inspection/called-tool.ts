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
export function toolOfChat(body: unknown, [list, index, field, inner]: JsonPath): string | undefined {
  if (typeof list !== 'string' || typeof index !== 'number') return undefined;
  const turn = property(property(body, list), String(index));
  const part = property(property(turn, String(field)), String(inner));
  if (list === 'tools' || list === 'functions')
    return definitionLists.has(field) ? textProperty(part, 'name') : nameOf(turn);
  if (!turnLists.has(list)) return undefined;
  if (field === 'parts') return nameOfGooglePart(part);
  const own = field === 'tool_calls' || field === 'content' ? readCall(part) : undefined;
  const call = own ?? readCall(turn);
  return call === undefined ? undefined : (call.name ?? findCalled(property(body, list), call.id));
}

const definitionLists: ReadonlySet<unknown> = new Set(['functionDeclarations', 'function_declarations']);
const turnLists: ReadonlySet<unknown> = new Set(['messages', 'input', 'contents']);

const nameOf = (value: unknown): string | undefined =>
  textProperty(value, 'name') ?? textProperty(property(value, 'function'), 'name');

function nameOfGooglePart(part: unknown): string | undefined {
  for (const field of ['functionCall', 'functionResponse', 'function_call', 'function_response']) {
    const named = property(part, field);
    if (named !== undefined) return textProperty(named, 'name');
  }
  return undefined;
}

interface NamedCall {
  /** Undefined for a result, which names its call alone. */
  readonly name: string | undefined;
  readonly id: string | undefined;
}

/** A call of a tool, or what came of it: an item of a list of calls, a part of a turn, or a whole turn. */
function readCall(value: unknown): NamedCall | undefined {
  const type = property(value, 'type');
  if (type === 'tool_use') return { name: textProperty(value, 'name'), id: textProperty(value, 'id') };
  if (type === 'function') return { name: nameOf(value), id: textProperty(value, 'id') };
  if (type === 'function_call') return { name: textProperty(value, 'name'), id: textProperty(value, 'call_id') };
  if (type === 'tool_result') return { name: undefined, id: textProperty(value, 'tool_use_id') };
  if (type === 'function_call_output') return { name: undefined, id: textProperty(value, 'call_id') };
  if (property(value, 'role') === 'tool') return { name: undefined, id: textProperty(value, 'tool_call_id') };
  return undefined;
}

/** The tool that is called under an id, where all calls under it are of one. */
function findCalled(turns: unknown, id: string | undefined): string | undefined {
  if (id === undefined || !Array.isArray(turns)) return undefined;
  const calls = turns
    .flatMap((turn: unknown) => [turn, ...listProperty(turn, 'tool_calls'), ...listProperty(turn, 'content')])
    .map(readCall)
    .filter((call) => call?.id === id && call?.name !== undefined);
  const names = new Set(calls.map((call) => call?.name));
  const [name] = names;
  return names.size === 1 ? name : undefined;
}
