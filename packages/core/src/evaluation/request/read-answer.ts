import type { ResponseFormat } from '@portcullis/contracts/evaluation-endpoint';
import { objectOf } from '../../json/json-object.ts';
import { parseDotPath, valuesAt } from './dot-path.ts';
import { readCallsInText, readDialect, type ReadText } from './read-dialects.ts';
import { readEventStream } from './read-event-stream.ts';

/** What came back from an endpoint. */
export interface RawAnswer {
  readonly status: number;
  /** Names in lower case. */
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

/** What an endpoint said, whichever its format is. */
export interface TargetAnswer extends ReadText {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  /** The parsed body; undefined where it is no JSON. */
  readonly json: unknown;
  readonly body: string;
  /** Why the text could not be read as the endpoint's settings say. */
  readonly problem?: string | undefined;
}

/** Longer bodies are read to here: runs cap answers at a thousand tokens, and judging a megabyte would hold up all else. */
const maxBody = 256_000;

/** Reads an answer in the format that the endpoint has; no answer makes it throw. */
export function readAnswer(
  { status, headers, body: whole }: RawAnswer,
  format: ResponseFormat,
  path = '',
): TargetAnswer {
  const body = whole.slice(0, maxBody);
  const json = parseJson(body) ?? readEventStream(body);
  const base = { status, headers, json, body };
  if (json === undefined) return { ...base, text: body, toolCalls: readCallsInText(body) };
  if (format === 'custom') return { ...base, ...readAtPath(json, path) };
  const read = readDialect(json, format);
  if (read === undefined && status < 300)
    return { ...base, text: '', toolCalls: [], problem: `The answer has no text in the format ${format}` };
  return { ...base, ...(read ?? { text: '', toolCalls: [] }) };
}

function readAtPath(json: unknown, path: string): ReadText & { readonly problem?: string } {
  const parsed = parseDotPath(path);
  if (parsed.problem !== undefined) return { text: '', toolCalls: [], problem: parsed.problem };
  const found = valuesAt(json, parsed.steps);
  const texts = found.flatMap((value) =>
    typeof value === 'string' ? [value] : value === null || value === undefined ? [] : [JSON.stringify(value)],
  );
  // Finish reasons and refusals of known dialects say what they say wherever the text is taken from.
  const known = readDialect(json, 'auto');
  const { finishReason, refusal, outputTokens } = known ?? {};
  const rest = { finishReason, refusal, outputTokens };
  if (texts.length === 0) return { ...rest, text: '', toolCalls: [], problem: `The answer has nothing at ${path}` };
  const text = texts.join('\n');
  return { ...rest, text, toolCalls: known?.toolCalls ?? readCallsInText(text) };
}

function parseJson(body: string): unknown {
  try {
    const value = JSON.parse(body) as unknown;
    return objectOf(value) !== undefined || Array.isArray(value) || typeof value === 'string' ? value : undefined;
  } catch {
    return undefined;
  }
}
