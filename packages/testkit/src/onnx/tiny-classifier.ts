import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { elementTypeAttribute, integerAttribute, integersAttribute, writeModel, type Graph } from './onnx-model.ts';

export interface TinyClassifierOptions {
  readonly labels?: readonly string[];
  /** How much of an attack each word is, from 0 to 1; 0.5 gives a share of a half. */
  readonly words?: Readonly<Record<string, number>>;
  /** Size of the square matrices that each run multiplies, to take time. */
  readonly work?: number;
  /** What config.json says beside the labels. */
  readonly config?: object;
}

const specialTokens = ['[PAD]', '[UNK]', '[CLS]', '[SEP]'];
const harmlessWords = ['hello', 'a', 'the', 'weather', 'is', 'fine'];

/**
 * Writes a text classifier in the form in which transformers exports one: the word that is most of an attack decides.
 * It reads words by WordPiece; those that it does not know are harmless.
 */
export async function writeTinyClassifier(folder: string, options: TinyClassifierOptions = {}): Promise<void> {
  const { labels = ['SAFE', 'INJECTION'], words = { forbidden: 1, odd: 0.5 }, work, config = {} } = options;
  const vocabulary = [...specialTokens, ...harmlessWords, ...Object.keys(words)];
  await mkdir(folder, { recursive: true });
  const id2label = Object.fromEntries(labels.map((label, id) => [id, label]));
  const files: Readonly<Record<string, string | Uint8Array>> = {
    'model.onnx': writeModel(
      graphOf(
        vocabulary.map((word) => words[word] ?? 0),
        labels.length,
        work,
      ),
    ),
    'config.json': JSON.stringify({ model_type: 'bert', id2label, ...config }),
    'tokenizer.json': JSON.stringify(tokenizerOf(vocabulary)),
    'tokenizer_config.json': JSON.stringify({ tokenizer_class: 'BertTokenizer', do_lower_case: true }),
  };
  for (const [name, content] of Object.entries(files)) await writeFile(join(folder, name), content);
}

/** The figure of the highest word moves the last class up and the first one down; those between stay down. */
function graphOf(weights: readonly number[], classes: number, work: number | undefined): Graph {
  const slopes = Array.from({ length: classes }, (_, place) => (place === 0 ? -16 : place === classes - 1 ? 16 : 0));
  const heavy = work === undefined ? undefined : heavyWork(work);
  return {
    inputs: ['input_ids', 'attention_mask'].map((name) => ({ name, type: 'int64', shape: ['batch', 'length'] })),
    outputs: [{ name: 'logits', type: 'float', shape: ['batch', classes] }],
    initializers: [
      { name: 'embeddings', type: 'float', shape: [weights.length, 1], values: weights },
      { name: 'last', type: 'int64', shape: [1], values: [2] },
      { name: 'slopes', type: 'float', shape: [1, classes], values: slopes },
      {
        name: 'offsets',
        type: 'float',
        shape: [classes],
        values: slopes.map((slope) => (slope === 0 ? -8 : -slope / 2)),
      },
      ...(heavy?.initializers ?? []),
    ],
    nodes: [
      { operator: 'Gather', inputs: ['embeddings', 'input_ids'], outputs: ['words'] },
      { operator: 'Cast', inputs: ['attention_mask'], outputs: ['mask'], attributes: [elementTypeAttribute('float')] },
      { operator: 'Unsqueeze', inputs: ['mask', 'last'], outputs: ['wide'] },
      { operator: 'Mul', inputs: ['words', 'wide'], outputs: ['seen'] },
      {
        operator: 'ReduceMax',
        inputs: ['seen'],
        outputs: ['highest'],
        attributes: [integersAttribute('axes', [1]), integerAttribute('keepdims', 0)],
      },
      ...(heavy?.nodes ?? []),
      { operator: 'Gemm', inputs: [heavy?.output ?? 'highest', 'slopes', 'offsets'], outputs: ['logits'] },
    ],
  };
}

/** Multiplies a matrix by itself and adds none of it. Its values come from the input, so that no runtime does it before. */
const heavyWork = (size: number) => ({
  output: 'paid',
  initializers: [
    { name: 'size', type: 'int64', shape: [2], values: [size, size] },
    { name: 'nothing', type: 'float', shape: [], values: [0] },
  ] as const,
  nodes: [
    { operator: 'ReduceMax', inputs: ['highest'], outputs: ['any'], attributes: [integerAttribute('keepdims', 0)] },
    { operator: 'Expand', inputs: ['any', 'size'], outputs: ['matrix'] },
    { operator: 'MatMul', inputs: ['matrix', 'matrix'], outputs: ['product'] },
    { operator: 'ReduceMax', inputs: ['product'], outputs: ['most'], attributes: [integerAttribute('keepdims', 0)] },
    { operator: 'Mul', inputs: ['most', 'nothing'], outputs: ['none'] },
    { operator: 'Add', inputs: ['highest', 'none'], outputs: ['paid'] },
  ],
});

function tokenizerOf(vocabulary: readonly string[]): object {
  const id = (token: string) => vocabulary.indexOf(token);
  const special = (token: string) => [{ SpecialToken: { id: token, type_id: 0 } }];
  return {
    version: '1.0',
    truncation: null,
    padding: null,
    added_tokens: specialTokens.map((content) => ({
      id: id(content),
      content,
      single_word: false,
      lstrip: false,
      rstrip: false,
      normalized: false,
      special: true,
    })),
    normalizer: {
      type: 'BertNormalizer',
      clean_text: true,
      handle_chinese_chars: true,
      strip_accents: null,
      lowercase: true,
    },
    pre_tokenizer: { type: 'BertPreTokenizer' },
    post_processor: {
      type: 'TemplateProcessing',
      single: [...special('[CLS]'), { Sequence: { id: 'A', type_id: 0 } }, ...special('[SEP]')],
      pair: [
        ...special('[CLS]'),
        { Sequence: { id: 'A', type_id: 0 } },
        ...special('[SEP]'),
        { Sequence: { id: 'B', type_id: 1 } },
        ...special('[SEP]'),
      ],
      special_tokens: Object.fromEntries(
        ['[CLS]', '[SEP]'].map((token) => [token, { id: token, ids: [id(token)], tokens: [token] }]),
      ),
    },
    decoder: { type: 'WordPiece', prefix: '##', cleanup: true },
    model: {
      type: 'WordPiece',
      unk_token: '[UNK]',
      continuing_subword_prefix: '##',
      max_input_chars_per_word: 100,
      vocab: Object.fromEntries(vocabulary.map((token, place) => [token, place])),
    },
  };
}
