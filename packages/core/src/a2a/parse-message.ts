import { omitUndefined } from '../json/omit-undefined.ts';
import { objectOf, type JsonObject } from '../json/json-object.ts';
import { a2aLimits } from './a2a-limits.ts';
import type { MemberReader } from './member-reader.ts';
import type { Message, Part, Role } from './task.ts';
import { wrappedDataFlag, type WireForm } from './wire-form.ts';

const { bodyBytes, urlLength, mediaTypeLength, nameLength } = a2aLimits;

const roles: Readonly<Record<string, Role>> = {
  user: 'ROLE_USER',
  agent: 'ROLE_AGENT',
  ROLE_USER: 'ROLE_USER',
  ROLE_AGENT: 'ROLE_AGENT',
};

/** @param messageId for a message without one: the REST API makes it up, everywhere else it is asked for */
export function readMessage(reader: MemberReader, form: WireForm, messageId?: string): Message {
  checkKind(reader, 'message');
  const own = messageId === undefined ? reader.requiredId('messageId') : reader.id('messageId');
  return omitUndefined({
    messageId: own ?? messageId ?? '',
    role: readRole(reader),
    parts: readParts(reader, form, 'parts', 'content'),
    contextId: reader.id('contextId'),
    taskId: reader.id('taskId'),
    referenceTaskIds: notEmpty(reader.ids(a2aLimits.referenceTasks, 'referenceTaskIds')),
    extensions: notEmpty(reader.listedUris(a2aLimits.extensions, 'extensions')),
    metadata: reader.verbatim('metadata'),
  });
}

export const notEmpty = <Item>(list: readonly Item[]): readonly Item[] | undefined =>
  list.length === 0 ? undefined : list;

/** An object that says of itself that it is something else is refused: readers of the other would take it for that. */
export function checkKind(reader: MemberReader, kind: string): void {
  const declared = reader.text(nameLength, 'kind');
  if (declared !== undefined && declared !== kind) reader.report('kind', `must be ${JSON.stringify(kind)}`);
}

function readRole(reader: MemberReader): Role {
  const written = reader.required(nameLength, 'role');
  const role = Object.hasOwn(roles, written) ? roles[written] : undefined;
  if (role === undefined && written !== '') reader.report('role', 'must be user or agent');
  return role ?? 'ROLE_USER';
}

export function readParts(reader: MemberReader, form: WireForm, ...names: readonly string[]): Part[] {
  const parts = reader.objects(a2aLimits.parts, (part) => readPart(part, form), ...names);
  if (reader.find(...names) === undefined) reader.report(names[0], 'must be a list of parts');
  return parts;
}

type Content = { text: string } | { raw: string } | { url: string } | { data: unknown };

/** In every generation the member with the content says what a part is, and `kind` may say it again. */
function readPart(reader: MemberReader, form: WireForm): Part | undefined {
  const [name, second] = (['text', 'raw', 'url', 'data', 'file'] as const).filter((one) => reader.find(one));
  if (name === undefined) return reader.report(undefined, 'must have a text, data, or a file as raw, url or file');
  if (second !== undefined) return reader.report(second, `must not stand beside ${JSON.stringify(name)}`);
  checkKind(reader, name === 'text' || name === 'data' ? name : 'file');

  const file = name === 'file' ? reader.object('file') : undefined;
  const content = file === undefined ? readContent(reader, name, form) : readFile(file);
  if (content === undefined) return undefined;
  const part = {
    ...content,
    filename: reader.text(nameLength, 'filename') ?? file?.text(nameLength, 'name'),
    mediaType: reader.text(mediaTypeLength, 'mediaType') ?? file?.text(mediaTypeLength, 'mimeType', 'mediaType'),
    metadata: reader.verbatim('metadata'),
  };
  return omitUndefined('data' in part ? unwrapData(part) : part);
}

function readContent(reader: MemberReader, name: string, form: WireForm): Content | undefined {
  switch (name) {
    case 'text':
      return { text: reader.anyText(bodyBytes, 'text') ?? '' };
    case 'raw':
      return { raw: readBase64(reader, 'raw') };
    case 'url':
      return { url: reader.required(urlLength, 'url') };
    case 'data':
      return readData(reader, form);
    default:
      return undefined;
  }
}

function readData(reader: MemberReader, form: WireForm): Content | undefined {
  const member = reader.find('data');
  if (member === undefined || !reader.checkDepth(member)) return undefined;
  if (form !== 'draft') return { data: member.value };
  const inner = objectOf(member.value)?.['data'];
  return inner === undefined ? reader.report('data', 'must hold its value as data') : { data: inner };
}

function readFile(file: MemberReader): Content | undefined {
  const bytes = file.find('bytes', 'fileWithBytes') !== undefined;
  const uri = file.find('uri', 'fileWithUri') !== undefined;
  if (bytes === uri) return file.report(undefined, 'must have either bytes or a uri');
  return bytes
    ? { raw: readBase64(file, 'bytes', 'fileWithBytes') }
    : { url: file.required(urlLength, 'uri', 'fileWithUri') };
}

const base64 = /^[\w+/-]*={0,2}$/;

function readBase64(reader: MemberReader, ...names: readonly [string, ...string[]]): string {
  const text = reader.anyText(bodyBytes * 2, ...names) ?? '';
  if (!base64.test(text)) reader.report(names[0], 'must be base64');
  return text;
}

interface DataPart {
  readonly data: unknown;
  readonly metadata: JsonObject | undefined;
}

function unwrapData<Given extends DataPart>(part: Given): Given {
  const { [wrappedDataFlag]: flag, ...rest } = part.metadata ?? {};
  const wrapped = objectOf(part.data);
  if (flag !== true || wrapped === undefined || !Object.hasOwn(wrapped, 'value')) return part;
  return { ...part, data: wrapped['value'], metadata: Object.keys(rest).length === 0 ? undefined : rest };
}
