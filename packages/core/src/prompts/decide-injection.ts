import { fillVariables, type PromptContext } from './fill-variables.ts';
import { renderTemplate, type ParsedTemplate } from './parse-template.ts';

/** A prompt as a snapshot holds it: read once, when the configuration changed. */
export interface CompiledPrompt {
  readonly id: number;
  readonly name: string;
  readonly active: boolean;
  readonly parsed: ParsedTemplate;
}

export interface AssignedPrompts {
  /** That of the team's access to the proxy. */
  readonly team?: CompiledPrompt | undefined;
  /** That of the proxy itself. */
  readonly proxy?: CompiledPrompt | undefined;
}

/** A conversation, as far as it decides about prompts. */
export interface Conversation {
  readonly bodyBytes: number;
  /** Roles of the messages in their order, in OpenAI's words. */
  readonly roles: readonly string[];
}

export interface InjectionLimits {
  readonly maxBodyBytes: number;
  readonly maxMessages: number;
}

/** `no_place`: the body has nothing a system prompt could stand in. */
export type SkipReason = 'body_too_large' | 'too_many_messages' | 'continuation' | 'template_error' | 'no_place';

export interface SkippedPrompt {
  readonly prompt: CompiledPrompt;
  readonly reason: SkipReason;
}

export interface InjectionDecision {
  /** What to put in front of the conversation; undefined when nothing is injected. */
  readonly text: string | undefined;
  readonly injected: readonly CompiledPrompt[];
  readonly skipped: readonly SkippedPrompt[];
}

const separator = '\n\n---\n\n';

/** Messages by others than the user and the operator: the conversation had its prompt at its start. */
const continuationRoles: ReadonlySet<string> = new Set(['assistant', 'tool', 'function']);

/**
 * Decides which prompts a request gets: the team's before the proxy's, one that is both once, none
 * that is inactive. A conversation that goes on or is too large gets none; a template that cannot be
 * rendered costs only itself its place.
 */
export function decideInjection(
  assigned: AssignedPrompts,
  conversation: Conversation,
  limits: InjectionLimits,
  context: PromptContext,
): InjectionDecision {
  const prompts = candidates(assigned);
  if (prompts.length === 0) return { text: undefined, injected: [], skipped: [] };
  const obstacle = findObstacle(conversation, limits);
  if (obstacle !== undefined) {
    return { text: undefined, injected: [], skipped: prompts.map((prompt) => ({ prompt, reason: obstacle })) };
  }

  const values = fillVariables(context);
  const texts: string[] = [];
  const injected: CompiledPrompt[] = [];
  const skipped: SkippedPrompt[] = [];
  for (const prompt of prompts) {
    const { template } = prompt.parsed;
    if (template === undefined) {
      skipped.push({ prompt, reason: 'template_error' });
      continue;
    }
    texts.push(renderTemplate(template, values));
    injected.push(prompt);
  }
  return { text: texts.length === 0 ? undefined : texts.join(separator), injected, skipped };
}

function candidates({ team, proxy }: AssignedPrompts): readonly CompiledPrompt[] {
  const others = proxy?.id === team?.id ? [] : [proxy];
  return [team, ...others].filter((prompt) => prompt !== undefined).filter(({ active }) => active);
}

function findObstacle({ bodyBytes, roles }: Conversation, limits: InjectionLimits): SkipReason | undefined {
  if (bodyBytes > limits.maxBodyBytes) return 'body_too_large';
  if (roles.length > limits.maxMessages) return 'too_many_messages';
  return roles.some((role) => continuationRoles.has(role)) ? 'continuation' : undefined;
}
