import { objectOf, type JsonObject } from '../../json/json-object.ts';
import type { ChatMessage } from '../suite/render-case.ts';
import { findPromptPlace, placeholder, replaceAt, valueAtPlace, type Place } from './prompt-place.ts';

export type FilledTemplate = { readonly payload: unknown; readonly problem?: undefined } | { readonly problem: string };

/** The prompt as it stands between the quotes of a JSON string. */
const escapeForJson = (text: string): string => JSON.stringify(text).slice(1, -1);

/**
 * Puts a conversation into a template. Where the placeholder stands in a message of a list of messages, what was said before becomes
 * messages of its own before it; elsewhere the conversation is written down as one text.
 */
export function fillTemplate(template: string, messages: readonly ChatMessage[]): FilledTemplate {
  if (!template.includes(placeholder)) return { problem: `The payload template has no ${placeholder}` };
  const parsed = parsePayload(template.replaceAll(placeholder, () => escapeForJson(placeholder)));
  if (parsed.problem !== undefined) return parsed;
  const place = findPromptPlace(parsed.payload);
  const holder = place === undefined ? undefined : valueAtPlace(parsed.payload, place);
  if (typeof holder !== 'string' || !holder.includes(placeholder))
    return { problem: `The payload template has ${placeholder} outside of a string value` };
  const list = place === undefined ? undefined : findMessage(parsed.payload, place);
  if (list === undefined) return fillText(template, renderTranscript(messages));
  return { payload: insertMessages(parsed.payload, list, messages) };
}

const fillText = (template: string, text: string): FilledTemplate =>
  parsePayload(template.replaceAll(placeholder, () => escapeForJson(text)));

function parsePayload(text: string): FilledTemplate {
  try {
    return { payload: JSON.parse(text) as unknown };
  } catch (error) {
    const reason = error instanceof Error ? error.message : 'it cannot be read';
    return {
      problem: `The payload template is no JSON after the prompt was put in: ${reason}. ${placeholder} belongs inside a string value, between quotes`,
    };
  }
}

interface MessageList {
  /** Where the list stands. */
  readonly at: Place;
  readonly index: number;
  /** Where the text stands in a message. */
  readonly inner: Place;
  readonly message: JsonObject;
}

/** The message around the placeholder, when it is an object with a role in a list. */
function findMessage(payload: unknown, place: Place): MessageList | undefined {
  for (let at = place.length - 1; at > 0; at -= 1) {
    const index = place[at];
    if (typeof index !== 'number') continue;
    const message = objectOf(valueAtPlace(payload, place.slice(0, at + 1)));
    if (typeof message?.['role'] !== 'string') continue;
    return { at: place.slice(0, at), index, inner: place.slice(at + 1), message };
  }
  return undefined;
}

function insertMessages(
  payload: unknown,
  { at, index, inner, message }: MessageList,
  said: readonly ChatMessage[],
): unknown {
  const { system, turns } = foldSystem(said);
  const list = valueAtPlace(payload, at) as readonly unknown[];
  const text = valueAtPlace(message, inner) as string;
  const isGemini = Array.isArray(message['parts']);
  const rendered = turns.map(({ role, content }, turn) => {
    const isPrompt = turn === turns.length - 1;
    const words = turn === 0 && system !== '' ? `${system}\n\n${content}` : content;
    const filled = replaceAt(
      message,
      inner,
      isPrompt ? text.replaceAll(placeholder, () => words) : words,
    ) as JsonObject;
    return role === 'assistant' ? { ...filled, role: isGemini ? 'model' : 'assistant' } : filled;
  });
  const others = fillOthers(payload, at, turns.at(-1)?.content ?? '');
  return replaceAt(others, at, [...list.slice(0, index), ...rendered, ...list.slice(index + 1)]);
}

/** Where the placeholder stands in other places too, it is the prompt. */
function fillOthers(value: unknown, except: Place | undefined, prompt: string): unknown {
  if (except?.length === 0) return value;
  if (typeof value === 'string') return value.replaceAll(placeholder, () => prompt);
  if (Array.isArray(value)) return value.map((one, index) => fillOthers(one, restOf(except, index), prompt));
  const fields = objectOf(value);
  if (fields === undefined) return value;
  return Object.fromEntries(
    Object.entries(fields).map(([key, one]) => [key, fillOthers(one, restOf(except, key), prompt)]),
  );
}

const restOf = (place: Place | undefined, key: string | number): Place | undefined =>
  place !== undefined && place[0] === key ? place.slice(1) : undefined;

/** Dialects differ in where instructions go, and applications have their own; so these stand before the first message. */
function foldSystem(messages: readonly ChatMessage[]) {
  const system = messages
    .filter(({ role }) => role === 'system')
    .map(({ content }) => content)
    .join('\n\n');
  return { system, turns: messages.filter(({ role }) => role !== 'system') };
}

/** A conversation as one text; a single message stays as it is. */
export function renderTranscript(messages: readonly ChatMessage[]): string {
  const { system, turns } = foldSystem(messages);
  const talk =
    turns.length === 1
      ? (turns[0]?.content ?? '')
      : `${turns.map(({ role, content }) => `${role === 'user' ? 'User' : 'Assistant'}: ${content}`).join('\n\n')}\n\nAssistant:`;
  return system === '' ? talk : `${system}\n\n${talk}`;
}
