import { examLabels, examLimits, type ExamLabel } from '@portcullis/contracts/policy-exam';
import { messageRoles, textOrigins } from '@portcullis/contracts/policy-file';
import { objectOf, type JsonObject } from '../../json/json-object.ts';
import { suggestNames } from '../../text/near-names.ts';
import { originOfRole, type ExamSample, type ExamText } from './exam-sample.ts';

export type ParsedSamples =
  | { readonly samples: readonly ExamSample[]; readonly problems?: undefined }
  /** Each begins with the number of its line. */
  | { readonly problems: readonly string[]; readonly samples?: undefined };

/** More would not help who wrote them. */
const maxProblems = 20;
const directions = ['request', 'response'] as const;
const fields = ['text', 'messages', 'label', 'id', 'category', 'direction', 'origin', 'role', 'tool'] as const;
const fieldsOfMessage = ['role', 'content', 'origin', 'tool'] as const;

/** A mistake in one line; the message says which. */
class BadLine extends Error {}

/** Reads labelled samples, one JSON object a line; empty lines are left out. Either all of them or none. */
export function parseSamples(lines: string): ParsedSamples {
  const samples: ExamSample[] = [];
  const problems: string[] = [];
  const lineOf = new Map<string, number>();
  for (const [index, line] of lines
    .replace(/^\uFEFF/, '')
    .split('\n')
    .entries()) {
    if (line.trim() === '') continue;
    const number = index + 1;
    try {
      const sample = parseLine(line, number);
      const earlier = lineOf.get(sample.id);
      if (earlier !== undefined) throw new BadLine(`the id ${quote(sample.id)} is that of line ${earlier} already`);
      lineOf.set(sample.id, number);
      samples.push(sample);
    } catch (error) {
      if (!(error instanceof BadLine)) throw error;
      problems.push(`line ${number}: ${error.message}`);
    }
    if (problems.length === maxProblems) return { problems: [...problems, 'and perhaps more'] };
    if (samples.length > examLimits.samples) return { problems: [`there are more than ${examLimits.samples} samples`] };
  }
  if (problems.length > 0) return { problems };
  return samples.length === 0 ? { problems: ['there is no sample'] } : { samples };
}

function parseLine(line: string, number: number): ExamSample {
  const given = objectOf(parseJson(line));
  if (given === undefined) throw new BadLine('must be a JSON object');
  checkNames(given, fields);
  return {
    source: 'samples',
    id: readText(given, 'id', 200) ?? `line ${number}`,
    label: readLabel(given['label']),
    category: readText(given, 'category', 200) ?? null,
    texts: readTexts(given),
  };
}

function readTexts(given: JsonObject): readonly ExamText[] {
  const text = readText(given, 'text', examLimits.characters);
  const { messages } = given;
  if ((text === undefined) === (messages === undefined)) throw new BadLine('needs either text or messages');
  if (text !== undefined) {
    const direction = readOne(given, 'direction', directions) ?? 'request';
    const role = readOne(given, 'role', messageRoles) ?? (direction === 'request' ? 'user' : 'assistant');
    const origin = readOne(given, 'origin', textOrigins) ?? originOfRole[role];
    return [{ text, direction, origin, role, tool: readText(given, 'tool', 200) }];
  }
  const misplaced = ['direction', 'origin', 'role', 'tool'].find((name) => given[name] !== undefined);
  if (misplaced !== undefined) throw new BadLine(`${misplaced} is for a sample with text; messages say it themselves`);
  if (!Array.isArray(messages) || messages.length === 0 || messages.length > examLimits.messages)
    throw new BadLine(`messages must be a list of 1 to ${examLimits.messages}`);
  return messages.map((message: unknown, index) => readMessage(message, `messages[${index}]`));
}

function readMessage(message: unknown, place: string): ExamText {
  const given = objectOf(message);
  if (given === undefined) throw new BadLine(`${place} must be a JSON object`);
  checkNames(given, fieldsOfMessage, `${place}.`);
  const role = readOne(given, 'role', messageRoles, `${place}.`);
  const text = readText(given, 'content', examLimits.characters, `${place}.`);
  if (role === undefined || text === undefined) throw new BadLine(`${place} needs role and content`);
  const origin = readOne(given, 'origin', textOrigins, `${place}.`) ?? originOfRole[role];
  return { text, direction: 'request', origin, role, tool: readText(given, 'tool', 200, `${place}.`) };
}

const labelSpellings: ReadonlyMap<unknown, ExamLabel> = new Map<unknown, ExamLabel>([
  ...examLabels.map((label) => [label, label] as const),
  [1, 'attack'],
  [0, 'benign'],
]);

function readLabel(given: unknown): ExamLabel {
  const label = labelSpellings.get(given);
  if (label === undefined)
    throw new BadLine(
      `label must be "attack" or "benign", or 1 or 0${given === undefined ? '' : `, not ${quote(given)}`}`,
    );
  return label;
}

function readText(given: JsonObject, name: string, most: number, place = ''): string | undefined {
  const value = given[name];
  if (value === undefined) return undefined;
  if (typeof value !== 'string' || value === '' || value.length > most)
    throw new BadLine(`${place}${name} must be a text of 1 to ${most} characters`);
  return value;
}

function readOne<Value extends string>(
  given: JsonObject,
  name: string,
  allowed: readonly Value[],
  place = '',
): Value | undefined {
  const value = given[name];
  if (value === undefined) return undefined;
  const found = allowed.find((one) => one === value);
  if (found === undefined)
    throw new BadLine(`${place}${name} must be one of ${allowed.join(', ')}, not ${quote(value)}`);
  return found;
}

function checkNames(given: JsonObject, known: readonly string[], place = ''): void {
  const unknown = Object.keys(given).find((name) => !known.includes(name));
  if (unknown !== undefined)
    throw new BadLine(`there is no field ${place}${unknown.slice(0, 60)}${suggestNames(unknown, known)}`);
}

function parseJson(line: string): unknown {
  try {
    return JSON.parse(line);
  } catch (error) {
    throw new BadLine(`is no JSON: ${error instanceof Error ? error.message.slice(0, 120) : 'not readable'}`);
  }
}

const quote = (value: unknown): string => (JSON.stringify(value) ?? 'nothing').slice(0, 60);
