import type { MessageRole } from '@portcullis/contracts/policy-file';
import { renderPointer, type JsonPath } from '@portcullis/core/json/visit-strings';
import { workForBody, type ScanContext } from '@portcullis/core/policy/policy';
import type { TextOrigin } from '@portcullis/contracts/policy-file';
import type { OriginSet } from '@portcullis/core/policy/origins';
import type { Exchange } from '../exchange.ts';
import { originOf, type SourceReader, type TextSource } from '../origins/text-source.ts';
import { property, textProperty } from '../dialects/json-value.ts';
import { isToolResult, partsOf, roleOfTurn, toldRole, turnLists } from '../dialects/turns.ts';

/**
 * What conditions of rules ask about the texts of one JSON value. One object for all its texts, moved from
 * place to place: who wrote a text and which tool it is about is looked up only when a rule asks.
 */
export class TextContext implements ScanContext {
  readonly direction: 'request' | 'response';
  readonly protocol: ScanContext['protocol'];
  readonly model: string | undefined;
  readonly path: string;
  /** A stream may go on for days: what is read of it has a bound piece by piece. */
  readonly work: ScanContext['work'];
  readonly #value: unknown;
  /** Who speaks, and about which tool, where the place does not tell. */
  readonly #otherwise: { readonly role: MessageRole | undefined; readonly tool: string | undefined };
  readonly #exchange: Exchange;
  #readSource: SourceReader | undefined;
  /** Where the text stands in the value. */
  place: JsonPath = [];

  /** @param source who all the texts are by, where their places do not tell */
  constructor(exchange: Exchange, direction: 'request' | 'response', value: unknown, source?: TextSource) {
    this.#exchange = exchange;
    if (source !== undefined) this.#readSource = () => source;
    this.work = source === undefined ? { left: workForBody } : undefined;
    this.direction = direction;
    this.protocol = exchange.proxy.type;
    this.model = exchange.model;
    this.path = exchange.path;
    this.#value = value;
    this.#otherwise = direction === 'request' ? nothing : answering(exchange);
  }

  get #source(): TextSource {
    const { dialect } = this.#exchange;
    this.#readSource ??=
      this.direction === 'request' ? dialect.requestSources(this.#value) : dialect.answerSources(this.#value);
    return this.#readSource(this.place);
  }

  get origins(): OriginSet {
    return this.#exchange.proxy.origins[this.#source];
  }

  /** Where the text comes from, whoever reads it. */
  get origin(): TextOrigin {
    return originOf[this.#source];
  }

  get role(): MessageRole | undefined {
    const [first, index, , part] = this.place;
    if (typeof first !== 'string') return this.#otherwise.role;
    if (systemFields.has(first)) return 'system';
    if (userFields.has(first) && typeof index !== 'number') return 'user';
    const turn = turnLists.has(first) ? property(property(this.#value, first), String(index)) : undefined;
    if (turn === undefined) return this.#otherwise.role;
    const parts = partsOf(turn);
    if (parts.length === 0 || typeof part !== 'number') return roleOfTurn(turn);
    return isToolResult(parts[part]) ? 'tool' : (toldRole(turn) ?? this.#otherwise.role);
  }

  /** The tool nearest around the text: its definition, its call or its result. */
  get tool(): string | undefined {
    let [node, found]: [unknown, string | undefined] = [this.#value, undefined];
    for (const [depth, step] of this.place.entries()) {
      const inside = property(node, String(step));
      const name =
        toolPlaces.has(String(this.place[depth - 1])) || toolFields.has(String(step)) ? nameOf(inside) : undefined;
      found = name ?? found;
      node = inside;
    }
    return found ?? this.#otherwise.tool;
  }

  readonly pointer = (): string => renderPointer(this.place);
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
