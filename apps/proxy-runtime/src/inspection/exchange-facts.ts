import type { MessageRole } from '@portcullis/contracts/policy-file';
import type { JsonPath } from '@portcullis/core/json/visit-strings';
import { property, textProperty } from '@portcullis/core/json/json-value';
import type { FindingExceptions } from '@portcullis/core/policy/policy';
import { TextContext, workOfBody, type TextFacts } from '@portcullis/platform/inspection/text-context';
import type { SourceReader, TextSource } from '@portcullis/platform/inspection/text-source';
import { isToolResult, partsOf, roleOfTurn, statedRole, turnLists } from '../dialects/shared/turns.ts';
import { toolOfAnswer, toolOfChat, toolOfMessage } from './called-tool.ts';
import type { Exchange } from '../exchange/exchange.ts';

/** The texts of a request on a proxy port. */
export const requestContext = (exchange: Exchange): TextContext =>
  new TextContext(new ExchangeFacts(exchange, 'request', exchange.json), workOfBody());

/** The texts of a whole answer, or of an event that is complete in itself. */
export const answerContext = (exchange: Exchange, answer: unknown): TextContext =>
  new TextContext(new ExchangeFacts(exchange, 'response', answer), workOfBody());

/**
 * Pieces of an answer whose places do not tell who they are by.
 * @param source who they are by; undefined: the side that answers in this dialect
 */
export const pieceContext = (exchange: Exchange, source?: TextSource): TextContext => {
  const known = source ?? exchange.dialect.answerSources(undefined)([]);
  return new TextContext(new ExchangeFacts(exchange, 'response', undefined, () => known));
};

/** What is known of the texts of one JSON value, in the dialect of its exchange. */
class ExchangeFacts implements TextFacts {
  readonly direction: 'request' | 'response';
  readonly protocol: TextFacts['protocol'];
  readonly model: string | undefined;
  readonly path: string;
  readonly origins: TextFacts['origins'];
  readonly #exchange: Exchange;
  readonly #value: unknown;
  /** Who speaks, and about which tool, where the place does not tell. */
  readonly #otherwise: { readonly role: MessageRole | undefined; readonly tool: string | undefined };
  #readSource: SourceReader | undefined;

  constructor(exchange: Exchange, direction: 'request' | 'response', value: unknown, readSource?: SourceReader) {
    this.direction = direction;
    this.protocol = exchange.proxy.type;
    this.model = exchange.model;
    this.path = exchange.path;
    this.origins = exchange.proxy.origins;
    this.#exchange = exchange;
    this.#value = value;
    this.#readSource = readSource;
    this.#otherwise = direction === 'request' ? nothing : answering(exchange);
  }

  get exceptions(): FindingExceptions | undefined {
    const { snapshot, proxy, group } = this.#exchange;
    return snapshot.exceptions.within({ proxyId: proxy.id, userGroupId: group?.id });
  }

  sourceAt(place: JsonPath): TextSource {
    const { dialect } = this.#exchange;
    this.#readSource ??=
      this.direction === 'request' ? dialect.requestSources(this.#value) : dialect.answerSources(this.#value);
    return this.#readSource(place);
  }

  roleAt(place: JsonPath): MessageRole | undefined {
    const [first, index, , part] = place;
    if (typeof first !== 'string') return this.#otherwise.role;
    if (systemFields.has(first)) return 'system';
    if (userFields.has(first) && typeof index !== 'number') return 'user';
    const turn = turnLists.has(first) ? property(property(this.#value, first), String(index)) : undefined;
    if (turn === undefined) return this.#otherwise.role;
    const parts = partsOf(turn);
    if (parts.length === 0 || typeof part !== 'number') return roleOfTurn(turn);
    return isToolResult(parts[part]) ? 'tool' : (statedRole(turn) ?? this.#otherwise.role);
  }

  calledToolAt(place: JsonPath): string | undefined {
    const { dialect, json } = this.#exchange;
    if (this.protocol === 'llm') return this.direction === 'request' ? toolOfChat(this.#value, place) : undefined;
    if (this.direction === 'request') return toolOfMessage(this.#value, place);
    return toolOfAnswer(dialect.readCalls(json), this.#value, place);
  }

  /** The tool nearest around the text: its definition, its call or its result. */
  toolAt(place: JsonPath): string | undefined {
    let [node, found]: [unknown, string | undefined] = [this.#value, undefined];
    for (const [depth, step] of place.entries()) {
      const inside = property(node, String(step));
      const name =
        toolPlaces.has(String(place[depth - 1])) || toolFields.has(String(step)) ? nameOf(inside) : undefined;
      found = name ?? found;
      node = inside;
    }
    return found ?? this.#otherwise.tool;
  }
}

/** Where dialects have what the operator of a conversation says, and what its user says in one text. */
const systemFields = new Set(['system', 'instructions', 'systemInstruction', 'system_instruction']);
const userFields = new Set(['input', 'prompt']);

/** Lists of tools, of calls to them and of what they answered. */
const toolPlaces = new Set([
  'tools',
  'tool_calls',
  'functions',
  'content',
  'input',
  'output',
  'functionDeclarations',
  'function_declarations',
]);

/** Objects that name the tool they are about. */
const toolFields = new Set(['params', 'functionCall', 'functionResponse', 'function_call', 'function_response']);

const nameOf = (value: unknown): string | undefined =>
  textProperty(value, 'name') ?? textProperty(property(value, 'function'), 'name');

const nothing = { role: undefined, tool: undefined } as const;

/** A model answers as the assistant, an MCP server for the tool that was called. */
const answering = ({ proxy, dialect, json }: Exchange) =>
  proxy.type === 'llm'
    ? ({ role: 'assistant', tool: undefined } as const)
    : ({ role: 'tool', tool: dialect.readCalls(json).find(({ method }) => method === 'tools/call')?.name } as const);
