import { listProperty, property, textProperty } from '../../json/json-value.ts';

const mostEvents = 20_000;

/**
 * An event stream as the chat completion it adds up to, for endpoints that stream whether they are asked to or not. Undefined when
 * the body is none.
 */
export function readEventStream(body: string): unknown {
  if (!/^(?:data|event|id|:)/.test(body.trimStart())) return undefined;
  const events = body
    .split('\n', mostEvents)
    .flatMap((line) => (line.startsWith('data:') ? [parse(line.slice(5).trim())] : []))
    .filter((event) => event !== undefined);
  if (events.length === 0) return undefined;
  const last = (read: (event: unknown) => string | undefined): string | undefined =>
    events.map(read).findLast((found) => found !== undefined);
  return {
    choices: [
      {
        message: {
          content: events.map(textOf).join(''),
          refusal: joinOrNull(events.map((event) => deltaText(event, 'refusal'))),
        },
        finish_reason: last(finishOf) ?? null,
      },
    ],
  };
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return undefined;
  }
}

const joinOrNull = (texts: readonly string[]): string | null => texts.join('') || null;

const firstChoice = (event: unknown): unknown => listProperty(event, 'choices')[0];
const deltaText = (event: unknown, name: string): string =>
  textProperty(property(firstChoice(event), 'delta'), name) ?? '';

/** Of chat completions, responses, messages and contents, whichever the event is of. */
function textOf(event: unknown): string {
  const candidate = listProperty(event, 'candidates')[0];
  const parts = listProperty(property(candidate, 'content'), 'parts').map((part) => textProperty(part, 'text') ?? '');
  const delta = property(event, 'delta');
  return (
    deltaText(event, 'content') ||
    textProperty(firstChoice(event), 'text') ||
    (typeof delta === 'string' && textProperty(event, 'type') === 'response.output_text.delta' ? delta : '') ||
    textProperty(delta, 'text') ||
    parts.join('')
  );
}

const finishOf = (event: unknown): string | undefined =>
  textProperty(firstChoice(event), 'finish_reason') ??
  textProperty(property(event, 'delta'), 'stop_reason') ??
  textProperty(listProperty(event, 'candidates')[0], 'finishReason');
