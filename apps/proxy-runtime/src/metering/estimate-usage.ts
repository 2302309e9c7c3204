import { NestedTooDeep, visitStrings } from '@portcullis/core/json/visit-strings';
import type { Exchange } from '../exchange/exchange.ts';
import { TextSample } from '../usage/text-sample.ts';
import { countRoughly, type TokenCounter } from './token-counter.ts';
import { createUsage, type Usage } from '../usage/usage.ts';

/** Characters of a request that are counted; what goes beyond is taken to be like them. */
const maxInputCharacters = 65_536;

/** Pictures and sound, which providers count by their size in pixels or seconds: about a picture's worth. */
const tokensPerBinary = 1_000;
/** How much of a long text is looked at to see that it is none. */
const lookedAt = 1_000;
const binary = /^(?:data:[^,]{1,200},)?[A-Za-z0-9+/=_-]+$/;

/** A file, with what is said of it. */
const formType = /^multipart\/form-data\b/i;

/** What an exchange would have been told to cost in tokens. What the provider did tell stands, unless more was seen. */
export interface UsageEstimate {
  /** By the lengths of the texts. */
  readonly rough: Usage;
  /** By a tokenizer. Never rejects. */
  readonly counted: Promise<Usage>;
}

/** Estimates from the texts of the request, and what of the answer went to the client. */
export function estimateUsage(exchange: Exchange, counter: TokenCounter): UsageEstimate {
  const { usage: reported, json, body, answerWithoutUsage, streamed } = exchange;
  const input = new TextSample(maxInputCharacters);
  let binaries = 0;
  const isForm = formType.test(exchange.request.headers['content-type'] ?? '');
  if (reported === undefined && isForm) binaries = 1;
  else if (reported === undefined && json === undefined) input.add(body.bytes.toString('utf8', 0, maxInputCharacters));
  else if (reported === undefined) binaries = collectTexts(json, input);
  collectTexts(answerWithoutUsage, streamed);
  const samples = [input, streamed];
  const texts = samples.map(({ text }) => text);
  const render = (counts: readonly number[]): Usage => {
    const [inputTokens = 0, outputTokens = 0] = samples.map(({ share }, index) =>
      Math.ceil((counts[index] ?? 0) * share),
    );
    return createUsage({
      model: reported?.model,
      input: reported?.inputTokens ?? inputTokens + binaries * tokensPerBinary,
      cachedInput: reported?.cachedInputTokens ?? 0,
      cacheWrite: reported?.cacheWriteTokens ?? 0,
      longCacheWrite: reported?.longCacheWriteTokens ?? 0,
      output: Math.max(reported?.outputTokens ?? 0, outputTokens),
      reasoning: reported?.reasoningTokens ?? 0,
      audio: reported?.audio,
      image: reported?.image,
      citation: reported?.citationTokens ?? 0,
      webSearches: reported?.webSearches ?? 0,
      fileSearches: reported?.fileSearches ?? 0,
    });
  };
  return { rough: render(countRoughly(texts)), counted: counter.count(texts).then(render) };
}

/** Adds the texts of a value; answers how many of its strings were none. */
function collectTexts(value: unknown, into: TextSample): number {
  let binaries = 0;
  try {
    visitStrings(value, (text, _path, isKey) => {
      if (isKey) return;
      if (text.length > lookedAt && binary.test(text.slice(0, lookedAt))) binaries += 1;
      else into.add(text);
    });
  } catch (error) {
    // What was seen until then has to do.
    if (!(error instanceof NestedTooDeep)) throw error;
  }
  return binaries;
}
