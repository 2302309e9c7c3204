import { canonicalJson } from '@portcullis/core/json/canonical-json';
import type { JsonPath } from '@portcullis/core/json/visit-strings';
import { callsOf } from '@portcullis/core/mcp/rpc-message';
import { hashDefinition, hashInstructions } from '@portcullis/core/mcp/tool-definition';
import {
  fixedListsIn,
  instructionsIn,
  toolListsIn,
  toolName,
  type ToolList,
  type ToolListEdit,
} from '@portcullis/core/mcp/tool-list';
import type { Exchange } from '../exchange/exchange.ts';
import { findBarrier, isEnforced } from './tool-barrier.ts';
import type { ToolObservation, ToolWatch } from './tool-watch.ts';

/** What is to be different in an answer that holds tools or instructions. */
export interface AnswerReview extends ToolListEdit {
  readonly isAsItCame: boolean;
}

/** Longer definitions are told by their name and hash only. */
const maxDefinitionLength = 262_144;

/**
 * Compares the tools and instructions of an answer with what is known, tells what differs, and answers
 * what this caller must not see. Undefined when the answer holds neither.
 * @throws {NestedTooDeep}
 */
export function reviewAnswer(exchange: Exchange, value: object, watch: ToolWatch): AnswerReview | undefined {
  const lists = toolListsIn(value).filter(({ id }) => !answersAnother(exchange, id));
  const introductions = instructionsIn(value);
  const changing = fixedListsIn(value);
  if (lists.length === 0 && introductions.length === 0 && changing.length === 0) return undefined;
  const texts: { readonly path: JsonPath; readonly text: string }[] = [];
  const hidden = new Map<ToolList, ReadonlySet<number>>();
  for (const list of lists) {
    hidden.set(list, reviewList(exchange, list, watch));
    // Who may see which tool differs from caller to caller.
    if (list.isPublic) texts.push({ path: [...list.path, 'cacheScope'], text: 'private' });
  }
  for (const { path, text } of introductions) {
    const approved = reviewInstructions(exchange, text, watch);
    if (approved !== undefined) texts.push({ path: [...path, 'instructions'], text: approved });
  }
  const hidesNothing = [...hidden.values()].every(({ size }) => size === 0);
  return { hidden, texts, changing, isAsItCame: texts.length + changing.length === 0 && hidesNothing };
}

/**
 * It answers a question of this exchange that was not for tools, so a list in it is something else. A client
 * may ask two questions under one id.
 */
const answersAnother = (exchange: Exchange, id: ToolList['id']): boolean => {
  const asked = id === undefined ? [] : callsOf(exchange.json).filter((one) => one.id === id);
  return asked.length > 0 && asked.every(({ method }) => method !== 'tools/list');
};

function reviewList(exchange: Exchange, list: ToolList, watch: ToolWatch): ReadonlySet<number> {
  const hidden = new Set<number>();
  for (const [index, tool] of list.tools.entries()) {
    const name = toolName(tool);
    if (name !== undefined) noteTool(exchange, name, tool, watch);
    if (isEnforced(findBarrier(exchange, name, watch), exchange.proxy.tools?.filtering)) hidden.add(index);
  }
  if (isWhole(exchange, list)) noteMissing(exchange, list, watch);
  return hidden;
}

function noteTool(exchange: Exchange, name: string, tool: unknown, watch: ToolWatch): void {
  const { proxy, id } = exchange;
  const known = proxy.tools?.byName.get(name);
  const hash = hashDefinition(tool);
  if (known !== undefined) watch.remember(proxy.id, name, hash, known.hash);
  if (known?.hash === hash && !known.held && !known.missing) {
    watch.forget('tool', proxy.id, name);
    return;
  }
  const definition = cutDefinition(name, tool);
  watch.report({ proxy_id: proxy.id, request_id: id, subject: 'tool', name, hash, definition });
}

const cutDefinition = (name: string, tool: unknown): unknown =>
  canonicalJson(tool).length > maxDefinitionLength ? { name, truncated: true } : tool;

/** The list that was asked for, from its first tool to its last. */
const isWhole = (exchange: Exchange, { id, isLastPage }: ToolList): boolean => {
  const call = id === undefined ? undefined : callsOf(exchange.json).find((one) => one.id === id);
  return call !== undefined && isLastPage && call.params?.['cursor'] === undefined;
};

/** Told as a question only: a target may offer another caller more. */
function noteMissing({ proxy, id }: Exchange, { tools }: ToolList, watch: ToolWatch): void {
  const offered = new Set(tools.map(toolName));
  const gone = [...(proxy.tools?.byName ?? [])].filter(([name, { missing }]) => !missing && !offered.has(name));
  if (gone.length === 0) return watch.forget('missing', proxy.id, '');
  const names = gone.map(([name]) => name).slice(0, 100);
  const observation: ToolObservation = {
    proxy_id: proxy.id,
    request_id: id,
    subject: 'missing',
    name: '',
    hash: hashDefinition(names),
    definition: { names },
  };
  watch.report(observation);
}

/** The instructions to show instead; undefined when they may be read as they came. */
function reviewInstructions({ proxy, id }: Exchange, text: string, watch: ToolWatch): string | undefined {
  const { tools } = proxy;
  const hash = hashInstructions(text);
  const known = tools?.instructions;
  if (known?.hash === hash) {
    watch.forget('instructions', proxy.id, '');
    return undefined;
  }
  const definition = { instructions: text.slice(0, maxDefinitionLength) };
  watch.report({ proxy_id: proxy.id, request_id: id, subject: 'instructions', name: '', hash, definition });
  return known !== undefined && tools?.filtering === 'enforce' && tools.holdsChanges ? known.text : undefined;
}
