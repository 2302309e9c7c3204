import { omitUndefined } from '../json/omit-undefined.ts';
import { a2aLimits } from './a2a-limits.ts';
import { MemberReader, type Parsed } from './member-reader.ts';
import type { Call, ListTasksCall, Operation, SendCall } from './call.ts';
import { readMessage } from './parse-message.ts';
import type { Message } from './task.ts';
import { findTaskState } from './task-state.ts';
import type { WireForm } from './wire-form.ts';

const { nameLength, urlLength, mediaTypeLength } = a2aLimits;

const maxHistoryLength = 1_000;
const maxPageSize = 100;

export interface ParamsOptions {
  readonly form: WireForm;
  /** For a message without one, where it may be without. */
  readonly messageId?: string | undefined;
}

/** Reads the parameters of an operation as a caller sent them, in any generation. */
export function parseParams(operation: Operation, params: unknown, options: ParamsOptions): Parsed<Call> {
  return MemberReader.parse(params ?? {}, (reader) => readCall(operation, reader, options));
}

function readCall(operation: Operation, reader: MemberReader, options: ParamsOptions): Call | undefined {
  const tenant = reader.text(nameLength, 'tenant');
  switch (operation) {
    case 'send':
    case 'stream':
      return readSend(operation, reader, options);
    case 'get':
      return omitUndefined({ operation, id: readId(reader), historyLength: readHistoryLength(reader), tenant });
    case 'list':
      return readList(reader);
    case 'cancel':
      return omitUndefined({ operation, id: readId(reader), metadata: reader.verbatim('metadata'), tenant });
    case 'subscribe':
      return omitUndefined({ operation, id: readId(reader), tenant });
    case 'extendedCard':
      return omitUndefined({ operation, tenant });
  }
}

const readId = (reader: MemberReader): string => reader.requiredId('id');

const readHistoryLength = (reader: MemberReader): number | undefined =>
  reader.integer(0, maxHistoryLength, 'historyLength');

/** What a caller says; an agent that says nothing is heard all the same. */
function readSaid(reader: MemberReader, form: WireForm, messageId: string | undefined): Message {
  const message = readMessage(reader, form, messageId);
  const given = reader.find('parts', 'content')?.value;
  if (Array.isArray(given) && given.length === 0) reader.report('parts', 'must have at least one part');
  return message;
}

function readSend(
  operation: SendCall['operation'],
  reader: MemberReader,
  { form, messageId }: ParamsOptions,
): SendCall | undefined {
  const message = reader.object('message', 'request');
  if (message === undefined) return reader.report('message', 'must be an object');
  const configuration = reader.object('configuration');
  if (configuration?.find('pushNotificationConfig', 'taskPushNotificationConfig', 'pushNotification') !== undefined) {
    configuration.report(undefined, 'must not ask for push notifications, which are not supported');
  }
  return omitUndefined({
    operation,
    message: readSaid(message, form, messageId),
    acceptedOutputModes: configuration?.texts(a2aLimits.modes, mediaTypeLength, 'acceptedOutputModes'),
    historyLength: configuration && readHistoryLength(configuration),
    returnImmediately: readReturnImmediately(configuration, form),
    metadata: reader.verbatim('metadata'),
    tenant: reader.text(nameLength, 'tenant'),
  });
}

/**
 * Until 1.0 it was asked the other way round, as `blocking`, and its absence was left to the agent; the clients of
 * these generations expect not to wait. The REST API waits, as 1.0 does.
 */
function readReturnImmediately(configuration: MemberReader | undefined, form: WireForm): boolean | undefined {
  const blocking = configuration?.flag('blocking');
  if (blocking !== undefined) return !blocking;
  const declared = configuration?.flag('returnImmediately');
  return declared ?? (form === 'kind' || form === 'draft' ? true : undefined);
}

function readList(reader: MemberReader): ListTasksCall {
  const written = reader.text(nameLength, 'status');
  const state = written === undefined ? undefined : findTaskState(written);
  if (written !== undefined && state === undefined) reader.report('status', 'must be a state of a task');
  return omitUndefined({
    operation: 'list' as const,
    contextId: reader.id('contextId'),
    state,
    pageSize: reader.integer(1, maxPageSize, 'pageSize'),
    pageToken: reader.text(urlLength, 'pageToken'),
    historyLength: readHistoryLength(reader),
    includeArtifacts: reader.flag('includeArtifacts'),
    statusTimestampAfter: reader.time('statusTimestampAfter'),
    tenant: reader.text(nameLength, 'tenant'),
  });
}

const numbers: ReadonlySet<string> = new Set(['historyLength', 'history_length', 'pageSize', 'page_size']);
const flags: ReadonlySet<string> = new Set(['includeArtifacts', 'include_artifacts']);

/** What a query says, where numbers and truth values are written as texts. A name that stands twice has no one value. */
export function paramsOfQuery(query: URLSearchParams): Readonly<Record<string, unknown>> {
  const read = (name: string, value: string): unknown => {
    if (numbers.has(name) && /^\d{1,9}$/.test(value)) return Number(value);
    return flags.has(name) && /^(?:true|false)$/.test(value) ? value === 'true' : value;
  };
  return Object.fromEntries(
    [...new Set(query.keys())].map((name) => {
      const values = query.getAll(name);
      return [name, values.length === 1 ? read(name, values[0] ?? '') : values];
    }),
  );
}
