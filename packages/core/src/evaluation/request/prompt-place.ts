import { objectOf } from '../../json/json-object.ts';

/** The way to a value: names and places in lists from the root. */
export type Place = readonly (string | number)[];

export const placeholder = '{prompt}';

/** Names of fields that hold what a user says, the likeliest first. */
const likely = [
  'prompt',
  'user_prompt',
  'userprompt',
  'user_message',
  'usermessage',
  'user_input',
  'userinput',
  'inputtext',
  'input_text',
  'text_input',
  'question',
  'query',
  'message',
  'input',
  'inputs',
  'text',
  'content',
  'utterance',
  'chatinput',
  'msg',
  'q',
];

const maxDepth = 32;

/** All strings of a value with their places, in document order. */
function* stringsOf(value: unknown, place: Place = []): Generator<readonly [Place, string], void> {
  if (typeof value === 'string') yield [place, value];
  if (typeof value !== 'object' || value === null || place.length >= maxDepth) return;
  for (const [key, child] of Object.entries(value))
    yield* stringsOf(child, [...place, Array.isArray(value) ? Number(key) : key]);
}

/** Where a placeholder stands already, or where the words of the user stand in a payload. */
export function findPromptPlace(payload: unknown): Place | undefined {
  const strings = [...stringsOf(payload)];
  const marked = strings.find(([, text]) => text.includes(placeholder));
  if (marked !== undefined) return marked[0];
  return lastUserText(payload) ?? likelyField(strings);
}

/** Lists of messages, of all dialects that have them. */
const messageLists: readonly Place[] = [
  ['messages'],
  ['contents'],
  ['input'],
  ['body', 'messages'],
  ['data', 'messages'],
];

function lastUserText(payload: unknown): Place | undefined {
  for (const at of messageLists) {
    const list = at.reduce<unknown>((value, key) => objectOf(value)?.[key], payload);
    if (!Array.isArray(list)) continue;
    const messages = list as readonly unknown[];
    const index = messages.findLastIndex((message) => isOfUser(message));
    const inner = index === -1 ? undefined : textPlace(messages[index]);
    if (inner !== undefined) return [...at, index, ...inner];
  }
  return undefined;
}

const isOfUser = (message: unknown): boolean => {
  const fields = objectOf(message);
  const role = fields?.['role'] ?? fields?.['sender'] ?? fields?.['type'];
  return fields !== undefined && (role === undefined || role === 'user' || role === 'human' || role === 'message');
};

/** The text of a message: its content, or the last text among its parts. */
function textPlace(message: unknown): Place | undefined {
  for (const name of ['content', 'parts', 'text', 'message']) {
    const value = objectOf(message)?.[name];
    if (typeof value === 'string') return [name];
    if (!Array.isArray(value)) continue;
    const index = value.findLastIndex(
      (part) => typeof objectOf(part)?.['text'] === 'string' || typeof part === 'string',
    );
    if (index !== -1) return typeof value[index] === 'string' ? [name, index] : [name, index, 'text'];
  }
  return undefined;
}

function likelyField(strings: readonly (readonly [Place, string])[]): Place | undefined {
  for (const name of likely) {
    const found = strings.find(
      ([place]) => String(place.findLast((key) => typeof key === 'string')).toLowerCase() === name,
    );
    if (found !== undefined) return found[0];
  }
  // Sentences have blanks in them; ids and settings have none.
  const sentences = strings.filter(([, text]) => text.trim().includes(' '));
  const longest = sentences.toSorted(([, one], [, other]) => other.length - one.length)[0];
  return longest?.[0] ?? onlyText(strings);
}

/** Names of fields that say how to answer, or to whom. */
const settings =
  /^(?:model(?:_?name|_?id)?|engine|deployment|version|id|uuid|\w*_id|role|type|kind|user|name|lang(?:uage)?|locale|format|encoding|api_?key|token)$/i;

/** The one text of a payload, whatever it is called. */
function onlyText(strings: readonly (readonly [Place, string])[]): Place | undefined {
  const texts = strings.filter(([place]) => !settings.test(String(place.findLast((key) => typeof key === 'string'))));
  return texts.length === 1 ? texts[0]?.[0] : undefined;
}

/** A copy of a payload with another value at a place. */
export function replaceAt(payload: unknown, [key, ...rest]: Place, value: unknown): unknown {
  if (key === undefined) return value;
  if (Array.isArray(payload)) {
    const members = payload as readonly unknown[];
    return members.map((member, index) => (index === key ? replaceAt(member, rest, value) : member));
  }
  const fields = objectOf(payload) ?? {};
  return { ...fields, [key]: replaceAt(fields[key], rest, value) };
}

/** The value at a place. */
export const valueAtPlace = (payload: unknown, place: Place): unknown =>
  place.reduce<unknown>(
    (value, key) =>
      typeof value === 'object' && value !== null
        ? (value as Readonly<Record<string | number, unknown>>)[key]
        : undefined,
    payload,
  );
