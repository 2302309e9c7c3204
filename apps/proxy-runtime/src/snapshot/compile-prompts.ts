import type { CompiledPrompt } from '@portcullis/core/prompts/decide-injection';
import { parseTemplate } from '@portcullis/core/prompts/parse-template';
import type { PromptRow } from './snapshot-sources.ts';

/** By their ids. */
export type Prompts = ReadonlyMap<number, CompiledPrompt>;

/** A template that cannot be read is kept with its problems: each request that it was to go with tells of it. */
export const compilePrompts = (rows: readonly PromptRow[]): Prompts =>
  new Map(rows.map(({ id, name, active, content }) => [id, { id, name, active, parsed: parseTemplate(content) }]));
