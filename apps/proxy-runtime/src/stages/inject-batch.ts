import { visitJsonSource } from '@portcullis/core/json/visit-json-source';
import type { JsonPath } from '@portcullis/core/json/visit-strings';
import type { CompiledPrompt, Conversation, InjectionDecision } from '@portcullis/core/prompts/decide-injection';
import { property } from '@portcullis/core/json/json-value';
import type { RequestBatch } from '../dialects/shared/dialect.ts';

type Decide = (conversation: Conversation) => InjectionDecision;
type Outcome = Pick<InjectionDecision, 'injected' | 'skipped'>;

export interface InjectedBatch extends Outcome {
  /** The body with the prompts, all else byte for byte; undefined when none went into it. */
  readonly source: string | undefined;
  /** What was put in front of conversations. */
  readonly text: string;
}

/**
 * Puts the prompts in front of each conversation of a batch, as if it had come alone: its own size, its own
 * messages and its own roles decide. Each prompt is told once as injected, and once for each reason as skipped.
 * @throws {DuplicateKey} @throws {NestedTooDeep}
 */
export function injectBatch(source: string, body: unknown, batch: RequestBatch, decide: Decide): InjectedBatch {
  const outcomes: Outcome[] = [];
  const pieces: string[] = [];
  const texts: string[] = [];
  let copied = 0;
  for (const { path, start, end } of findPlaces(source, batch.places(body))) {
    const own = source.slice(start, end);
    const value = path.reduce<unknown>((node, step) => property(node, String(step)), body);
    const roles = batch.dialect.readRoles(value);
    const { text, injected, skipped } = decide({ bodyBytes: Buffer.byteLength(own), roles: roles ?? [] });
    const changed = text === undefined ? undefined : batch.dialect.addSystemText(own, value, text, 'start');
    const isLost = text !== undefined && changed === undefined;
    outcomes.push(isLost ? { injected: [], skipped: [...skipped, ...withoutPlace(injected)] } : { injected, skipped });
    if (text === undefined || changed === undefined) continue;
    texts.push(text);
    pieces.push(source.slice(copied, start), changed);
    copied = end;
  }
  if (outcomes.length === 0) {
    const { injected, skipped } = decide({ bodyBytes: 0, roles: [] });
    outcomes.push({ injected: [], skipped: [...skipped, ...withoutPlace(injected)] });
  }
  const changed = pieces.length === 0 ? undefined : pieces.join('') + source.slice(copied);
  return { source: changed, text: texts[0] ?? '', ...merge(outcomes) };
}

export const withoutPlace = (prompts: readonly CompiledPrompt[]): InjectionDecision['skipped'] =>
  prompts.map((prompt) => ({ prompt, reason: 'no_place' as const }));

const merge = (outcomes: readonly Outcome[]): Outcome => {
  const skipped = outcomes.flatMap((outcome) => outcome.skipped);
  return {
    injected: [...new Set(outcomes.flatMap(({ injected }) => injected))],
    skipped: [...new Map(skipped.map((each) => [`${each.prompt.id} ${each.reason}`, each])).values()],
  };
};

interface Place {
  readonly path: JsonPath;
  readonly start: number;
  readonly end: number;
}

/** Where the objects at these ways stand in the source, in its order. */
function findPlaces(source: string, paths: readonly JsonPath[]): readonly Place[] {
  const length = paths[0]?.length ?? 0;
  const byName = new Map(paths.map((path) => [JSON.stringify(path), path]));
  const places: Place[] = [];
  if (length === 0) return places;
  visitJsonSource(source, ({ kind, path, start, end }) => {
    if (kind !== 'container' || path.length !== length) return;
    const found = byName.get(JSON.stringify(path));
    if (found !== undefined) places.push({ path: found, start, end });
  });
  return places;
}
