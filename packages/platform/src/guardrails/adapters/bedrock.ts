import aws4 from 'aws4';
import type { GuardrailConfig } from '@portcullis/contracts/guardrail-config';
import { highestScore, listAt, numberAt, propertyOf, shareOf, textAt } from './answer-value.ts';
import { below, jsonHeaders, UnreadableAnswer, type GuardrailAdapter } from './guardrail-adapter.ts';

/** AWS ApplyGuardrail, signed with Signature Version 4. */
export const bedrock: GuardrailAdapter<'bedrock'> = {
  // 25 text units of 1,000 characters are the default quota of one call.
  maxCharacters: 20_000,

  buildRequests({ config, credentials }, { direction, messages }, now) {
    const url = new URL(applyUrl(config));
    const body = JSON.stringify({
      source: direction === 'request' ? 'INPUT' : 'OUTPUT',
      content: messages.map(({ text }) => ({ text: { text } })),
    });
    const { headers } = aws4.sign(
      {
        host: url.host,
        path: url.pathname,
        method: 'POST',
        service: 'bedrock',
        region: config.region,
        headers: { ...jsonHeaders, host: url.host, 'X-Amz-Date': amzDate(now) },
        body,
      },
      {
        accessKeyId: credentials.access_key_id,
        secretAccessKey: credentials.secret_access_key,
        ...(credentials.session_token !== undefined && { sessionToken: credentials.session_token }),
      },
    );
    return [{ url: url.href, method: 'POST', headers: sentHeaders(headers), body }];
  },

  readAnswer(_access, answer) {
    const action = textAt(answer, 'action');
    if (action !== 'NONE' && action !== 'GUARDRAIL_INTERVENED') throw new UnreadableAnswer('The answer has no action');
    const matches = listAt(answer, 'assessments').flatMap(matchesIn);
    const flagged = action === 'GUARDRAIL_INTERVENED';
    const categories = flagged ? [...new Set(matches.filter(({ acted }) => acted).map(({ name }) => name))] : [];
    const scores: Record<string, number> = {};
    for (const { name, score } of matches) scores[name] = Math.max(score, scores[name] ?? 0);
    return {
      flagged,
      categories,
      scores,
      confidence: flagged ? highestScore(scores, categories) : null,
      rationale: textAt(answer, 'actionReason') ?? null,
      tokens: null,
    };
  },
};

function applyUrl({ region, guardrail_id: id, guardrail_version: version, base_url: baseUrl }: Config): string {
  const base = baseUrl === '' ? `https://bedrock-runtime.${region}.amazonaws.com` : baseUrl;
  return below(base, `guardrail/${encodeURIComponent(id)}/version/${version}/apply`);
}
type Config = GuardrailConfig<'bedrock'>;

const amzDate = (now: Date): string => now.toISOString().replace(/[-:]|\.\d{3}/g, '');

/** What the HTTP client sends of its own stays out of the list. */
const sentHeaders = (headers: unknown): Record<string, string> =>
  Object.fromEntries(
    Object.entries(headers as Record<string, string | number>)
      .map(([name, value]) => [name.toLowerCase(), String(value)] as const)
      .filter(([name]) => name !== 'host' && name !== 'content-length'),
  );

interface Match {
  readonly name: string;
  readonly score: number;
  /** The guardrail did something about it: it blocked or masked. */
  readonly acted: boolean;
}

/** Where each policy has its list, and which field names an item of it. */
const lists = [
  ['topicPolicy.topics', 'name', 'topic'],
  ['contentPolicy.filters', 'type', 'content'],
  ['wordPolicy.customWords', '', 'word'],
  ['wordPolicy.managedWordLists', 'type', 'word'],
  ['sensitiveInformationPolicy.piiEntities', 'type', 'pii'],
  ['sensitiveInformationPolicy.regexes', 'name', 'regex'],
  ['contextualGroundingPolicy.filters', 'type', 'grounding'],
] as const;

/** Items name what matched, not the text that did. */
const matchesIn = (assessment: unknown): Match[] =>
  lists.flatMap(([path, field, prefix]) =>
    listAt(assessment, path).map((item) => {
      const kind = textAt(item, field);
      const acted = textAt(item, 'action') ?? 'NONE';
      return {
        name: kind === undefined ? prefix : `${prefix}:${kind}`,
        score: scoreOf(item, prefix),
        acted: acted !== 'NONE',
      };
    }),
  );

const levels: Readonly<Record<string, number>> = { NONE: 0, LOW: 0.33, MEDIUM: 0.67, HIGH: 1 };

function scoreOf(item: unknown, prefix: string): number {
  // Of grounding, a low score is the bad one.
  const score = numberAt(item, 'score');
  if (prefix === 'grounding' && score !== undefined) return 1 - shareOf(score);
  return propertyOf(item, 'detected') === false ? 0 : (levels[textAt(item, 'confidence') ?? ''] ?? 1);
}
