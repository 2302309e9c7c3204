import { removeElements } from '../json/remove-elements.ts';
import { JsonChanges, spliceJson } from '../json/splice-json.ts';
import { visitJsonSource } from '../json/visit-json-source.ts';
import type { JsonPath } from '../json/visit-strings.ts';
import { objectOf, type JsonObject } from '../json/json-object.ts';
import { answerOf, messagesOf, type RpcAnswer, type RpcId } from './rpc-message.ts';

/** A list of tools in an answer, or in one of a batch of answers. */
export interface ToolList {
  readonly id: RpcId | undefined;
  /** The way to the result that holds it. */
  readonly path: JsonPath;
  readonly tools: readonly unknown[];
  /** Told by a server of the stateless revision: a client that gets the list may keep it for all. */
  readonly isPublic: boolean;
  /** It begins with the first page. Known only to the code that asked. */
  readonly isLastPage: boolean;
}

/** What a server tells a model about itself, in the answer to `initialize` or `server/discover`. */
export interface ServerInstructions {
  readonly id: RpcId | undefined;
  readonly path: JsonPath;
  readonly text: string;
}

const resultsOf = (body: unknown): readonly (readonly [JsonPath, RpcAnswer, JsonObject])[] =>
  messagesOf(body).flatMap((message, index) => {
    const answer = answerOf(message);
    const path = Array.isArray(body) ? [index, 'result'] : ['result'];
    return answer?.result === undefined ? [] : [[path, answer, answer.result] as const];
  });

/** The lists of tools in a body, regardless of what was asked for: an answer may come on another exchange than its question. */
export const toolListsIn = (body: unknown): readonly ToolList[] =>
  resultsOf(body).flatMap(([path, { id }, result]) => {
    const { tools, cacheScope, nextCursor } = result;
    if (!Array.isArray(tools)) return [];
    return [{ id, path, tools, isPublic: cacheScope === 'public', isLastPage: typeof nextCursor !== 'string' }];
  });

export const instructionsIn = (body: unknown): readonly ServerInstructions[] =>
  resultsOf(body).flatMap(([path, { id }, { instructions, serverInfo, supportedVersions }]) => {
    const introducesItself = serverInfo !== undefined || supportedVersions !== undefined;
    if (!introducesItself || typeof instructions !== 'string' || instructions === '') return [];
    return [{ id, path, text: instructions }];
  });

/**
 * Ways to what servers say about their lists of tools when they are asked to begin, where it is not that these change:
 * taking tools out changes the list for clients, even if the server changes nothing.
 */
export const fixedListsIn = (body: unknown): readonly JsonPath[] =>
  resultsOf(body).flatMap(([path, , { capabilities, serverInfo }]) => {
    const tools = objectOf(objectOf(capabilities)?.['tools']);
    if (serverInfo === undefined || tools === undefined || tools['listChanged'] === true) return [];
    return [[...path, 'capabilities', 'tools']];
  });

export const toolName = (tool: unknown): string | undefined => {
  const name = objectOf(tool)?.['name'];
  return typeof name === 'string' ? name : undefined;
};

/** What is to be different in a body. */
export interface ToolListEdit {
  /** Places of the tools that go, by the list they stand in. */
  readonly hidden: ReadonlyMap<ToolList, ReadonlySet<number>>;
  readonly texts: readonly { readonly path: JsonPath; readonly text: string }[];
  /** Capabilities that are to say that a list changes. */
  readonly changing: readonly JsonPath[];
}

/**
 * The JSON source with the hidden tools taken out and some texts replaced; all else stays byte for byte.
 * @throws {DuplicateKey} @throws {NestedTooDeep}
 */
export function editToolLists(source: string, { hidden, texts, changing }: ToolListEdit): string {
  const changes = new JsonChanges();
  for (const { path, text } of texts) changes.set(path, false, text);
  // Texts first: taking tools out moves the places of what follows, not the ways to it.
  let edited = changes.size === 0 ? source : spliceJson(source, changes);
  for (const path of changing) edited = sayThatItChanges(edited, path);
  for (const [{ path }, places] of hidden) {
    if (places.size === 0) continue;
    const list = findContainer(edited, [...path, 'tools']);
    if (list !== undefined) edited = removeElements(edited, list, (index) => !places.has(index));
  }
  return edited;
}

function sayThatItChanges(source: string, path: JsonPath): string {
  const found = findContainer(source, path);
  if (found === undefined) return source;
  const capability = JSON.parse(source.slice(found.start, found.end)) as JsonObject;
  const changing = JSON.stringify({ ...capability, listChanged: true });
  return source.slice(0, found.start) + changing + source.slice(found.end);
}

function findContainer(source: string, path: JsonPath): { readonly start: number; readonly end: number } | undefined {
  const name = JSON.stringify(path);
  let found: { readonly start: number; readonly end: number } | undefined;
  visitJsonSource(source, ({ kind, path: at, start, end }) => {
    if (kind === 'container' && at.length === path.length && JSON.stringify(at) === name) found = { start, end };
  });
  return found;
}
