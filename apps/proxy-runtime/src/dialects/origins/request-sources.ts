import type { JsonPath } from '@portcullis/core/json/visit-strings';
import { listProperty, property, textProperty } from '@portcullis/core/json/json-value';
import { isToolResult, statedRole } from '../shared/turns.ts';
import { findAgentTexts } from './find-agent-texts.ts';
import type { SourceReader, TextSource } from '@portcullis/platform/inspection/text-source';

/** Where a dialect has what an application writes. All other fields are read like a user's words. */
export interface RequestPlaces {
  /** Instructions for the whole conversation. */
  readonly system: readonly string[];
  /** Definitions of tools, and of the form that answers are to have. */
  readonly tools: readonly string[];
  /** What is to be looked up in beside the turns. */
  readonly documents?: readonly string[];
  /** The list of turns. */
  readonly turns: string;
}

/** Readers of the requests of a dialect: one for each body, which remembers where it was last. */
export function createRequestSources({
  system,
  tools,
  documents: files = [],
  turns: list,
}: RequestPlaces): (body: unknown) => SourceReader {
  const fields = new Map<string | number | undefined, TextSource>([
    ...system.map((field) => [field, 'system'] as const),
    ...tools.map((field) => [field, 'tools'] as const),
    ...files.map((field) => [field, 'document'] as const),
  ]);
  return (body) => {
    const turns = new TurnSources(listProperty(body, list), hasInstructions(body, system));
    return (place) =>
      place[0] === list && typeof place[1] === 'number'
        ? turns.find(place[1], place)
        : (fields.get(place[0]) ?? 'user');
  };
}

/** The same where such bodies stand deeper in another one: `*` on the way to them is any place in a list. */
export const sourcesWithin =
  (way: readonly string[], inner: (body: unknown) => SourceReader) =>
  (body: unknown): SourceReader => {
    let [known, reader]: [unknown, SourceReader] = [undefined, everythingUser];
    return (place) => {
      let node = body;
      for (const [at, step] of way.entries()) {
        const taken = place[at];
        if (taken === undefined || (step !== '*' && taken !== step)) return 'user';
        node = property(node, String(taken));
      }
      if (node !== known) [known, reader] = [node, inner(node)];
      return reader(place.slice(way.length));
    };
  };

/** Of bodies whose form is not known. */
export const everythingUser: SourceReader = () => 'user';

const hasInstructions = (body: unknown, fields: readonly string[]): boolean =>
  fields.some((field) => (property(body, field) ?? undefined) !== undefined);

/** Where a turn or a part of one brings what a document says. */
const documents = /^(?:document|search_result|input_file|file)$/;
const fileFields = ['fileData', 'file_data', 'inlineData', 'inline_data', 'document', 'searchResult'];

/** Fields of a call in which its result stands beside it. */
const resultFields: ReadonlySet<unknown> = new Set(['output', 'outputs', 'results', 'result', 'error']);

class TurnSources {
  readonly #turns: readonly unknown[];
  readonly #instructed: boolean;
  #isFramed: ((turn: number, part: number) => boolean) | undefined;
  #last: { readonly turn: number; readonly field: unknown; readonly part: unknown; source: TextSource } | undefined;

  /** @param instructed something stands in the dialect's own place for instructions */
  constructor(turns: readonly unknown[], instructed: boolean) {
    this.#turns = turns;
    this.#instructed = instructed;
  }

  find(turn: number, place: JsonPath): TextSource {
    const [, , field, part] = place;
    const last = this.#last;
    if (last !== undefined && last.turn === turn && last.field === field && last.part === part) return last.source;
    const source = this.#read(turn, field, part);
    this.#last = { turn, field, part, source };
    return source;
  }

  #read(index: number, field: unknown, part: unknown): TextSource {
    const turn = this.#turns[index];
    const isContent = field === 'content' || field === 'parts';
    const piece = isContent && typeof part === 'number' ? property(property(turn, field), String(part)) : undefined;
    const source = sourceOfPart(piece) ?? sourceOfTurn(turn, field);
    if (source !== 'user' || !isContent) return source;
    const isFramed = (this.#isFramed ??= this.#findAgentTexts());
    return isFramed(index, typeof part === 'number' ? part : 0) ? 'context' : 'user';
  }

  /** An agent has always told its model what it is for. */
  #findAgentTexts(): (turn: number, part: number) => boolean {
    const instructed = this.#instructed || this.#turns.some((turn) => instructing.has(statedRole(turn)));
    return instructed ? findAgentTexts(this.#turns) : () => false;
  }
}

const instructing: ReadonlySet<unknown> = new Set(['system', 'developer']);

function sourceOfTurn(turn: unknown, field: unknown): TextSource {
  if (isToolResult(turn)) return 'tool';
  const type = textProperty(turn, 'type') ?? '';
  // What the provider was told by an MCP server.
  if (type === 'mcp_list_tools') return 'server';
  if (type.endsWith('_call') && resultFields.has(field)) return 'tool';
  return statedRole(turn) ?? 'user';
}

/** Undefined where a part is its turn's. */
function sourceOfPart(part: unknown): TextSource | undefined {
  if (part === undefined) return undefined;
  if (isToolResult(part) || property(part, 'codeExecutionResult') !== undefined) return 'tool';
  const isDocument =
    documents.test(textProperty(part, 'type') ?? '') || fileFields.some((field) => property(part, field) !== undefined);
  return isDocument ? 'document' : undefined;
}
