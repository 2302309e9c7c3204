import type { ResponseFormat } from '@portcullis/contracts/evaluation-endpoint';
import { objectOf } from '../../json/json-object.ts';
import { listProperty, property, textProperty } from '../../json/json-value.ts';

/** What an answer says and why it ended. */
export interface ReadText {
  readonly text: string;
  /** Each as name and arguments. */
  readonly toolCalls: readonly string[];
  readonly finishReason?: string | undefined;
  /** The text of a field that only a refusal has. */
  readonly refusal?: string | undefined;
  readonly outputTokens?: number | undefined;
}

type Reader = (json: unknown) => ReadText | undefined;

const openaiChat: Reader = (json) => {
  const choices = listProperty(json, 'choices');
  const messages = choices.map((choice) => property(choice, 'message') ?? property(choice, 'delta'));
  const texts = choices.map(
    (choice, index) => partsText(property(messages[index], 'content')) || (textProperty(choice, 'text') ?? ''),
  );
  if (choices.length === 0) return undefined;
  const calls = messages.flatMap((message) => [
    ...listProperty(message, 'tool_calls').map((call) => property(call, 'function')),
    property(message, 'function_call'),
  ]);
  return {
    text: texts.join('\n'),
    toolCalls: [...calls.flatMap((call) => renderCall(call, 'arguments')), ...readCallsInText(texts.join('\n'))],
    finishReason: choices.map((choice) => textProperty(choice, 'finish_reason')).find(Boolean),
    refusal: messages.map((message) => textProperty(message, 'refusal')).find(Boolean),
    outputTokens: numberAt(json, 'usage', 'completion_tokens'),
  };
};

const openaiResponses: Reader = (json) => {
  const output = listProperty(json, 'output');
  if (output.length === 0 && typeof property(json, 'output_text') !== 'string') return undefined;
  const parts = output.flatMap((item) => listProperty(item, 'content'));
  const text = partsText(parts) || (textProperty(json, 'output_text') ?? '');
  return {
    text,
    toolCalls: [
      ...output.flatMap((item) =>
        textProperty(item, 'type') === 'function_call' ? renderCall(item, 'arguments') : [],
      ),
      ...readCallsInText(text),
    ],
    finishReason: textProperty(property(json, 'incomplete_details'), 'reason') ?? textProperty(json, 'status'),
    refusal: parts.map((part) => textProperty(part, 'refusal')).find(Boolean),
    outputTokens: numberAt(json, 'usage', 'output_tokens'),
  };
};

const anthropic: Reader = (json) => {
  const content = property(json, 'content');
  if (textProperty(json, 'completion') !== undefined)
    return ofText(textProperty(json, 'completion'), textProperty(json, 'stop_reason'));
  if (
    !Array.isArray(content) ||
    (property(json, 'stop_reason') === undefined && textProperty(json, 'type') !== 'message')
  )
    return undefined;
  const text = partsText(content);
  const calls = content.filter((part) => textProperty(part, 'type') === 'tool_use');
  return {
    text,
    toolCalls: [...calls.flatMap((call) => renderCall(call, 'input')), ...readCallsInText(text)],
    finishReason: textProperty(json, 'stop_reason'),
    outputTokens: numberAt(json, 'usage', 'output_tokens'),
  };
};

const gemini: Reader = (json) => {
  const candidates = listProperty(json, 'candidates');
  const feedback = property(json, 'promptFeedback');
  if (candidates.length === 0 && feedback === undefined) return undefined;
  const parts = candidates.flatMap((candidate) => listProperty(property(candidate, 'content'), 'parts'));
  const text = partsText(parts);
  return {
    text,
    toolCalls: [
      ...parts.flatMap((part) => renderCall(property(part, 'functionCall'), 'args')),
      ...readCallsInText(text),
    ],
    finishReason:
      textProperty(feedback, 'blockReason') ??
      candidates.map((candidate) => textProperty(candidate, 'finishReason')).find(Boolean),
    outputTokens: numberAt(json, 'usageMetadata', 'candidatesTokenCount'),
  };
};

const bedrock: Reader = (json) => {
  const message = property(property(json, 'output'), 'message');
  const content = listProperty(message, 'content');
  const finishReason =
    textProperty(json, 'stopReason') ?? textProperty(json, 'completionReason') ?? textProperty(json, 'stop_reason');
  if (message !== undefined) {
    const text = partsText(content);
    return {
      text,
      toolCalls: [
        ...content.flatMap((part) => renderCall(property(part, 'toolUse'), 'input')),
        ...readCallsInText(text),
      ],
      finishReason,
      outputTokens: numberAt(json, 'usage', 'outputTokens'),
    };
  }
  const result =
    listProperty(json, 'results')[0] ?? listProperty(json, 'generations')[0] ?? listProperty(json, 'outputs')[0];
  return ofText(
    textProperty(result, 'outputText') ?? textProperty(result, 'text') ?? textProperty(json, 'generation'),
    textProperty(result, 'completionReason') ??
      textProperty(result, 'finish_reason') ??
      textProperty(result, 'stop_reason') ??
      finishReason,
  );
};

/** Fields in which applications of all kinds answer. */
const answerFields = [
  'response',
  'answer',
  'output',
  'reply',
  'result',
  'text',
  'message',
  'content',
  'generated_text',
  'output_text',
  'completion',
  'data',
];

const plain: Reader = (json) => {
  if (typeof json === 'string') return ofText(json);
  if (Array.isArray(json)) return json.length === 0 ? undefined : plain(json[0]);
  for (const name of answerFields) {
    const value = property(json, name);
    if (typeof value === 'string')
      return ofText(value, textProperty(json, 'finish_reason') ?? textProperty(json, 'done_reason'));
    const inner =
      objectOf(value) === undefined && !Array.isArray(value) ? undefined : partsText(value) || plain(value)?.text;
    if (inner !== undefined && inner !== '') return ofText(inner);
  }
  return undefined;
};

const readers: Readonly<Record<ResponseFormat, readonly Reader[]>> = {
  openai: [openaiChat, openaiResponses],
  bedrock: [bedrock, anthropic],
  auto: [openaiChat, gemini, anthropic, bedrock, openaiResponses, plain],
  custom: [],
};

export function readDialect(json: unknown, format: ResponseFormat): ReadText | undefined {
  for (const read of readers[format]) {
    const found = read(json);
    if (found !== undefined) return found;
  }
  return undefined;
}

const ofText = (text: string | undefined, finishReason?: string): ReadText | undefined =>
  text === undefined ? undefined : { text, toolCalls: readCallsInText(text), finishReason };

/** The texts of a content that is a text, an object with one, or a list of parts. */
function partsText(content: unknown): string {
  if (typeof content === 'string') return content;
  if (Array.isArray(content))
    return content
      .map((part) => (typeof part === 'string' ? part : (textProperty(part, 'text') ?? '')))
      .filter((text) => text !== '')
      .join('\n');
  return textProperty(content, 'text') ?? textProperty(content, 'content') ?? '';
}

function numberAt(json: unknown, outer: string, inner: string): number | undefined {
  const found = property(property(json, outer), inner);
  return typeof found === 'number' && Number.isFinite(found) && found >= 0 ? found : undefined;
}

function renderCall(call: unknown, field: string): readonly string[] {
  const name = textProperty(call, 'name');
  const given = property(call, field);
  if (name === undefined) return [];
  return [`${name} ${typeof given === 'string' ? given : JSON.stringify(given ?? {})}`];
}

const mostCalls = 2_000;

/** Calls as the cases of the suite ask for them: a line `CALL name {…}`. */
export const readCallsInText = (text: string): readonly string[] =>
  Array.from(text.matchAll(/^[ \t>*`-]{0,8}CALL[ \t]+([\w.-]{1,64}[^\n]{0,2000})/gm), ([, call = '']) => call).slice(
    0,
    mostCalls,
  );
