import { createRequire } from 'node:module';
import { dirname } from 'node:path';
import * as tokenizers from '@huggingface/tokenizers';
import type * as Runtime from 'onnxruntime-node';
import type { Classification, ClassifierQuestion, ClassifierSource } from './classifier-question.ts';
import { findModelFile, findRuntime, readModelJson } from './model-folder.ts';
import { readLabels } from './read-labels.ts';
import { findFrame, splitTokens } from './token-windows.ts';

export interface Classifier {
  /** @param isGivenUp looked at between windows */
  classify(question: ClassifierQuestion, isGivenUp: () => boolean): Promise<Classification>;
  close(): Promise<void>;
}

/** Characters that a token stands for, at most: of longer texts the rest is not even cut into tokens. */
const charactersPerToken = 12;
const knownInputs = new Set(['input_ids', 'attention_mask', 'token_type_ids']);

/** Opens a text classifier in the form that transformers exports: ONNX, config.json, tokenizer.json. @throws saying what is wrong with it */
export async function openClassifier({ folder, file, maxBytes, threads }: ClassifierSource): Promise<Classifier> {
  const runtime = createRequire(import.meta.url)(findRuntime(dirname(folder))) as typeof Runtime;
  const config = await readModelJson(folder, 'config.json');
  const labels = readLabels(config);
  const tokenizer = await openTokenizer(folder);
  const mostTokens = Math.min(...[config['max_position_embeddings'], tokenizer.mostTokens].map(limitOf));
  const session = await runtime.InferenceSession.create(await findModelFile(folder, file, maxBytes), {
    intraOpNumThreads: threads,
    interOpNumThreads: 1,
    // Memory that a long text took is given back.
    enableCpuMemArena: false,
    logSeverityLevel: 3,
  });
  const unknown = session.inputNames.find((name) => !knownInputs.has(name));
  if (unknown !== undefined || !session.inputNames.includes('input_ids'))
    throw new Error(`The model is no text classifier: it wants ${session.inputNames.join(', ')}`);
  const output = session.outputNames.includes('logits') ? 'logits' : session.outputNames[0];
  const exclusive = labels.length > 1 && config['problem_type'] !== 'multi_label_classification';

  const judge = async (window: readonly number[]): Promise<readonly number[]> => {
    const shape = [1, window.length];
    const tensorOf = (values: bigint[]) => new runtime.Tensor('int64', BigInt64Array.from(values), shape);
    const inputs: Readonly<Record<string, () => bigint[]>> = {
      input_ids: () => window.map(BigInt),
      attention_mask: () => window.map(() => 1n),
      token_type_ids: () => window.map(() => 0n),
    };
    const feeds = Object.fromEntries(session.inputNames.map((name) => [name, tensorOf(inputs[name]?.() ?? [])]));
    const answer = await session.run(feeds, output === undefined ? [] : [output]);
    const figures = Array.from((answer[output ?? '']?.data ?? []) as ArrayLike<unknown>, Number);
    if (figures.length !== labels.length)
      throw new Error(`The model answers ${figures.length} figures for the ${labels.length} classes of config.json`);
    return exclusive ? softmax(figures) : figures.map((figure) => 1 / (1 + Math.exp(-figure)));
  };

  return {
    async classify({ texts, maxTokens, maxWindows }, isGivenUp) {
      const room = Math.max(
        1,
        Math.min(maxTokens, mostTokens) - tokenizer.frame.before.length - tokenizer.frame.after.length,
      );
      const windows: (readonly number[])[] = [];
      let [tokens, whole] = [0, true];
      for (const text of texts) {
        const left = (maxWindows - windows.length) * room;
        const shown = text.slice(0, left * charactersPerToken);
        const cut = splitTokens(shown === '' ? [] : tokenizer.tokensOf(shown), room);
        const taken = cut.slice(0, maxWindows - windows.length);
        whole &&= shown.length === text.length && taken.length === cut.length;
        windows.push(...taken);
      }
      const shares: (readonly number[])[] = [];
      for (const window of windows) {
        if (isGivenUp()) throw new Error('The question was given up');
        shares.push(await judge([...tokenizer.frame.before, ...window, ...tokenizer.frame.after]));
        tokens += window.length;
      }
      return { labels, windows: shares, exclusive, tokens, whole };
    },
    close: () => session.release(),
  };
}

/** What is used of the library, whose own types name files that TypeScript does not find. */
interface TokenizerLibrary {
  readonly Tokenizer: new (
    model: object,
    config: object,
  ) => {
    encode(text: string, options?: { readonly add_special_tokens: boolean }): { readonly ids: readonly number[] };
  };
}

async function openTokenizer(folder: string) {
  const [model, config] = await Promise.all([
    readModelJson(folder, 'tokenizer.json'),
    readModelJson(folder, 'tokenizer_config.json'),
  ]);
  const { Tokenizer } = tokenizers as unknown as TokenizerLibrary;
  const tokenizer = new Tokenizer(model, config);
  const tokensOf = (text: string): readonly number[] => tokenizer.encode(text, { add_special_tokens: false }).ids;
  const sample = 'hello';
  const frame = findFrame(tokenizer.encode(sample).ids, tokensOf(sample));
  if (frame === undefined) throw new Error('tokenizer.json of the model changes the tokens of a text by its frame');
  return { tokensOf, frame, mostTokens: config['model_max_length'] };
}

/** What the files of a model say that it can read at once; some say a number without meaning, or none. */
const limitOf = (given: unknown): number =>
  typeof given === 'number' && Number.isInteger(given) && given > 0 ? given : Infinity;

function softmax(figures: readonly number[]): readonly number[] {
  const highest = Math.max(...figures);
  const powers = figures.map((figure) => Math.exp(figure - highest));
  const sum = powers.reduce((total, power) => total + power, 0);
  return powers.map((power) => power / sum);
}
