import { answer, parseJsonBody, startLoopbackPeer, type Peer } from '../loopback-peer.ts';
import { azureContentSafetyDialect } from './azure-content-safety-dialect.ts';
import { bedrockDialect } from './bedrock-dialect.ts';
import { dynamoaiDialect } from './dynamoai-dialect.ts';
import { enkryptaiDialect } from './enkryptai-dialect.ts';
import { fiddlerDialect } from './fiddler-dialect.ts';
import { guardrailsaiDialect } from './guardrailsai-dialect.ts';
import type { GuardrailDialect, GuardrailVendor } from './guardrail-dialect.ts';
import { httpDialect } from './http-dialect.ts';
import { lakeraDialect } from './lakera-dialect.ts';
import { llamaGuardDialect } from './llama-guard-dialect.ts';
import { openaiModerationDialect } from './openai-moderation-dialect.ts';

/** A guardrail vendor's endpoint. It flags every text with the word `forbidden` in it. */
export interface GuardrailPeer extends Peer {
  readonly type: GuardrailVendor;
  /** Body fields with which a provider that asks this peer is created. */
  readonly provider: {
    readonly provider_type: GuardrailVendor;
    readonly config: object;
    readonly credentials: Readonly<Record<string, string>>;
  };
  /** Texts it was asked about, oldest first. */
  readonly texts: readonly string[];
  /** What it refused about requests: a real vendor would have, too. */
  readonly problems: readonly string[];
  /** Answers the next `count` questions with this status, or with a body of its own. */
  answerNext(count: number, as: { readonly status: number; readonly body?: unknown }): void;
  /** Leaves questions unanswered from now on, or answers them again; those that wait, too. */
  hang(hanging: boolean): void;
}

const dialects: { readonly [Of in GuardrailVendor]: GuardrailDialect } = {
  openai_moderation: openaiModerationDialect,
  llama_guard: llamaGuardDialect,
  bedrock: bedrockDialect,
  azure_content_safety: azureContentSafetyDialect,
  lakera: lakeraDialect,
  dynamoai: dynamoaiDialect,
  enkryptai: enkryptaiDialect,
  fiddler: fiddlerDialect,
  guardrailsai: guardrailsaiDialect,
  http: httpDialect,
};

export async function startGuardrailPeer(type: GuardrailVendor): Promise<GuardrailPeer> {
  const dialect = dialects[type];
  const texts: string[] = [];
  const problems: string[] = [];
  let scripted: { readonly status: number; readonly body?: unknown }[] = [];
  let waiting: (() => void)[] = [];
  let hanging = false;

  const peer = await startLoopbackPeer((request, response) => {
    const body = parseJsonBody(request);
    const problem = dialect.check(request, body);
    if (problem !== undefined) {
      problems.push(problem);
      return answer(response, 400, { error: { message: problem } });
    }
    const text = dialect.readText(body);
    texts.push(text);
    const next = scripted.shift();
    if (next !== undefined) return answer(response, next.status, next.body ?? { error: 'as told' });
    const reply = () => answer(response, 200, dialect.answer(text.includes('forbidden'), request));
    if (hanging) waiting.push(reply);
    else reply();
  });

  return {
    ...peer,
    type,
    provider: { provider_type: type, ...dialect.access(peer.url) },
    texts,
    problems,
    forget() {
      peer.forget();
      texts.length = 0;
    },
    answerNext(count, as) {
      scripted = Array.from({ length: count }, () => as);
    },
    hang(value) {
      hanging = value;
      if (hanging) return;
      for (const reply of waiting) reply();
      waiting = [];
    },
  };
}
