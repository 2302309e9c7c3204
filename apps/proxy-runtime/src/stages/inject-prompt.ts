import { DuplicateKey } from '@portcullis/core/json/visit-json-source';
import { NestedTooDeep } from '@portcullis/core/json/visit-strings';
import { deny, next, type RequestStage, type Verdict } from '@portcullis/core/pipeline/stage';
import { decideInjection, type CompiledPrompt, type Conversation } from '@portcullis/core/prompts/decide-injection';
import type { Exchange } from '../exchange/exchange.ts';
import { property } from '@portcullis/core/json/json-value';
import type { RequestBatch } from '../dialects/shared/dialect.ts';
import { injectBatch, withoutPlace } from './inject-batch.ts';

export interface InjectPromptParts {
  /** Told of every request that goes without a prompt because its template is wrong. */
  readonly brokenPrompt: (prompt: CompiledPrompt, exchange: Exchange) => void;
}

const decide = (exchange: Exchange, conversation: Conversation) => {
  const { access, group, key, user, proxy, receivedAt } = exchange;
  return decideInjection({ team: access?.prompt, proxy: proxy.prompt }, conversation, proxy.promptLimits, {
    proxy: { id: proxy.id, name: proxy.name },
    now: new Date(receivedAt),
    ...(key !== undefined && { user: key.name }),
    ...(user !== undefined && { user: user.username, email: user.email }),
    ...(group !== undefined && { userGroup: group.name }),
  });
};

/** Puts the text in the dialect's place; false when this body has none. */
const inject = (exchange: Exchange, text: string): boolean => {
  const changed = exchange.dialect.addSystemText(exchange.body.text, exchange.json, text, 'start');
  if (changed === undefined) return false;
  replaceBody(exchange, changed, text);
  return true;
};

const replaceBody = (exchange: Exchange, source: string, prompts: string): void => {
  const own = exchange.dialect.readInstructions?.(exchange.json) ?? null;
  exchange.added = { prompts, canary: '', own };
  exchange.body.rewrite(source);
};

/** What went into the body, and what did not and why; undefined when it is no conversation. */
const injectAny = (exchange: Exchange): Exchange['prompting'] => {
  const { body, json, dialect } = exchange;
  if (dialect.batch !== undefined) return injectEach(exchange, dialect.batch);
  const roles = dialect.readRoles(json);
  if (roles === undefined) return undefined;
  const { text, injected, skipped } = decide(exchange, { bodyBytes: body.bytes.length, roles });
  const done = text === undefined || inject(exchange, text);
  return { injected: done ? injected : [], skipped: done ? skipped : [...skipped, ...withoutPlace(injected)] };
};

const injectEach = (exchange: Exchange, batch: RequestBatch): Exchange['prompting'] => {
  const { body, json } = exchange;
  if (json === undefined) return undefined;
  const done = injectBatch(body.text, json, batch, (conversation) => decide(exchange, conversation));
  if (done.source !== undefined) replaceBody(exchange, done.source, done.text);
  return { injected: done.injected, skipped: done.skipped };
};

const withoutPlaceDenied = deny('prompt_without_place');

/** A body that is no conversation where it should be one, or need not be one where that is not allowed. */
const lacksPlace = (exchange: Exchange): boolean => {
  const { body, dialect, proxy } = exchange;
  const mode = proxy.promptWithoutPlace;
  if (body.bytes.length === 0 || mode === 'pass') return false;
  if (dialect.bodies !== 'conversation' && mode !== 'deny_all') return false;
  return decide(exchange, { bodyBytes: 0, roles: [] }).text !== undefined;
};

/** A field by which the client wants to read back what it must not read. */
const findPromptField = ({ added, dialect, json }: Exchange): string | undefined => {
  if (added === undefined) return undefined;
  return dialect.promptFields?.find((field) => ![undefined, null, false].includes(property(json, field) as null));
};

/**
 * Puts the assigned system prompts in front of a conversation: before inspection, so that policies see
 * what the target will see. A body that readers understand differently is refused, since the target's
 * reading might be the one without the prompt.
 */
export const createInjectPrompt = (brokenPrompt: InjectPromptParts['brokenPrompt']): RequestStage<Exchange> => ({
  name: 'inject-prompt',
  maySkip: {
    where: '`system_prompt_without_place` is `pass`',
    holds: ({ proxy }) => proxy.promptWithoutPlace === 'pass',
  },
  run(exchange): Verdict {
    if (exchange.proxy.prompt === undefined && exchange.access?.prompt === undefined) return next;
    try {
      const prompting = injectAny(exchange);
      if (prompting === undefined) return lacksPlace(exchange) ? withoutPlaceDenied : next;
      for (const { prompt, reason } of prompting.skipped) {
        if (reason === 'template_error') brokenPrompt(prompt, exchange);
      }
      const field = findPromptField(exchange);
      if (field !== undefined) {
        return deny('bad_request', { message: `${field} cannot be used where a system prompt is assigned` });
      }
      exchange.prompting = prompting;
      const isLost = prompting.skipped.some(({ reason }) => reason === 'no_place');
      return isLost && exchange.proxy.promptWithoutPlace !== 'pass' ? withoutPlaceDenied : next;
    } catch (error) {
      if (error instanceof DuplicateKey || error instanceof NestedTooDeep) {
        return deny('bad_request', { message: error.message });
      }
      throw error;
    }
  },
});
