import { RepeatedKey } from '@portcullis/core/json/visit-json-source';
import { NestedTooDeep } from '@portcullis/core/json/visit-strings';
import { deny, next, type RequestStage, type Verdict } from '@portcullis/core/pipeline/stage';
import { decideInjection, type CompiledPrompt } from '@portcullis/core/prompts/decide-injection';
import type { Exchange } from '../exchange.ts';
import { property } from '../protocols/json-value.ts';

export interface InjectPromptParts {
  /** Told of every request that goes without a prompt because its template is wrong. */
  readonly brokenPrompt: (prompt: CompiledPrompt, exchange: Exchange) => void;
}

const decide = (exchange: Exchange, roles: readonly string[]) => {
  const { access, group, key, proxy, body, receivedAt } = exchange;
  return decideInjection(
    { team: access?.prompt, proxy: proxy.prompt },
    { bodyBytes: body.length, roles },
    proxy.promptLimits,
    {
      proxy: { id: proxy.id, name: proxy.name },
      now: new Date(receivedAt),
      ...(key !== undefined && { user: key.name }),
      ...(group !== undefined && { userGroup: group.name }),
    },
  );
};

/** Puts the text in the dialect's place; false when this body has none. */
const inject = (exchange: Exchange, text: string): boolean => {
  const source = exchange.body.toString('utf8');
  const changed = exchange.protocol.addSystemText(source, exchange.json, text, 'start');
  if (changed === undefined) return false;
  const own = exchange.protocol.readInstructions?.(exchange.json) ?? null;
  exchange.added = { prompts: text, canary: '', own };
  exchange.body = Buffer.from(changed);
  exchange.json = JSON.parse(changed);
  return true;
};

/** A field by which the client wants to read back what it must not read. */
const findPromptField = ({ added, protocol, json }: Exchange): string | undefined => {
  if (added === undefined) return undefined;
  return protocol.promptFields?.find((field) => ![undefined, null, false].includes(property(json, field) as null));
};

/**
 * Puts the assigned system prompts in front of a conversation: before inspection, so that policies see
 * what the target will see. A body that readers understand differently is refused, since the target's
 * reading might be the one without the prompt.
 */
export const createInjectPrompt = (brokenPrompt: InjectPromptParts['brokenPrompt']): RequestStage<Exchange> => ({
  name: 'inject-prompt',
  on: ['llm'],
  onFault: 'degrade',
  run(exchange): Verdict {
    if (exchange.proxy.prompt === undefined && exchange.access?.prompt === undefined) return next;
    const roles = exchange.protocol.readRoles(exchange.json);
    if (roles === undefined) return next;
    const { text, injected, skipped } = decide(exchange, roles);
    for (const { prompt, reason } of skipped) if (reason === 'template_error') brokenPrompt(prompt, exchange);
    try {
      const done = text === undefined || inject(exchange, text);
      const left = done ? [] : injected.map((prompt) => ({ prompt, reason: 'no_place' as const }));
      const field = findPromptField(exchange);
      if (field !== undefined) {
        return deny('bad_request', { message: `${field} cannot be used where a system prompt is assigned` });
      }
      exchange.prompting = { injected: done ? injected : [], skipped: [...skipped, ...left] };
      return next;
    } catch (error) {
      if (error instanceof RepeatedKey || error instanceof NestedTooDeep) {
        return deny('bad_request', { message: error.message });
      }
      throw error;
    }
  },
});
