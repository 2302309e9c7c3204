import { parentPort } from 'node:worker_threads';
import { countTokens, setMergeCacheSize } from 'gpt-tokenizer/encoding/o200k_base';
import type { TokenAnswer, TokenQuestion } from './token-counter.ts';

/**
 * Text is counted in pieces of this many characters: the time for one long word grows with the square of its
 * length, and anybody can send one. A cut costs a token at most.
 */
const pieceLength = 512;

/** Words whose tokens are remembered; each is a piece at most. */
setMergeCacheSize(10_000);

/** What controls a model is an ordinary text where a person writes it. */
const asText = { disallowedSpecial: new Set<string>() };

const countText = (text: string): number => {
  let tokens = 0;
  for (let from = 0; from < text.length; from += pieceLength) {
    tokens += countTokens(text.slice(from, from + pieceLength), asText);
  }
  return tokens;
};

parentPort?.on('message', ({ id, texts }: TokenQuestion) => {
  const answer: TokenAnswer = { id, tokens: texts.map(countText) };
  parentPort?.postMessage(answer);
});
