import type { Logger } from '@portcullis/platform/log/logger';
import type { InjectPromptParts } from './inject-prompt.ts';

const quietMs = 60_000;
/** Prompts that are told apart; there are never many. */
const maxPrompts = 1_000;

/** Warns of a prompt whose template is wrong, once a minute however many requests go without it. */
export function createBrokenPromptWarning(log: Logger): InjectPromptParts['brokenPrompt'] {
  const warnedAt = new Map<number, number>();
  return (prompt, { proxy, startedAt }) => {
    if (startedAt - (warnedAt.get(prompt.id) ?? Number.NEGATIVE_INFINITY) < quietMs) return;
    if (warnedAt.size >= maxPrompts) warnedAt.clear();
    warnedAt.set(prompt.id, startedAt);
    log.warn(`SECURITY: system prompt ${prompt.name} is left out of requests: its template is wrong`, {
      system_prompt_id: prompt.id,
      proxy_id: proxy.id,
      problems: prompt.parsed.problems.slice(0, 5),
    });
  };
}
