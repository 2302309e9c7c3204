import { omitUndefined } from '../json/omit-undefined.ts';
import { a2aLimits } from './a2a-limits.ts';
import { MemberReader, type Parsed } from './member-reader.ts';
import { checkKind, notEmpty, readMessage, readParts } from './parse-message.ts';
import type {
  Artifact,
  ArtifactUpdate,
  SendResult,
  StatusUpdate,
  StreamEvent,
  Task,
  TaskPage,
  TaskStatus,
} from './task.ts';
import { findTaskState } from './task-state.ts';
import type { WireForm } from './wire-form.ts';

const { nameLength, cardTextLength, urlLength } = a2aLimits;

/** What an agent of any generation sent as a task. */
export const parseTask = (value: unknown, form: WireForm): Parsed<Task> =>
  MemberReader.parse(value, (reader) => readTask(reader, form));

/** A task or a message: with `kind` as it is, in 1.0 and over HTTP as the member of that name. */
export const parseSendResult = (value: unknown, form: WireForm): Parsed<SendResult> =>
  MemberReader.parse(value, (reader) => readEvent(reader, form, ['task', 'message']) as SendResult | undefined);

export const parseStreamEvent = (value: unknown, form: WireForm): Parsed<StreamEvent> =>
  MemberReader.parse(value, (reader) => readEvent(reader, form, ['task', 'message', 'statusUpdate', 'artifactUpdate']));

export const parseTaskPage = (value: unknown, form: WireForm): Parsed<TaskPage> =>
  MemberReader.parse(value, (reader) => ({
    tasks: reader.objects(a2aLimits.history, (one) => readTask(one, form), 'tasks'),
    nextPageToken: reader.text(urlLength, 'nextPageToken') ?? '',
    pageSize: reader.integer(0, Number.MAX_SAFE_INTEGER, 'pageSize') ?? 0,
    totalSize: reader.integer(0, Number.MAX_SAFE_INTEGER, 'totalSize') ?? 0,
  }));

type EventName = 'task' | 'message' | 'statusUpdate' | 'artifactUpdate';

const kinds: Readonly<Record<string, EventName>> = {
  task: 'task',
  message: 'message',
  'status-update': 'statusUpdate',
  'artifact-update': 'artifactUpdate',
};

function readEvent(reader: MemberReader, form: WireForm, allowed: readonly EventName[]): StreamEvent | undefined {
  const kind = reader.text(nameLength, 'kind');
  if (kind !== undefined) {
    const name = Object.hasOwn(kinds, kind) ? kinds[kind] : undefined;
    if (name === undefined || !allowed.includes(name))
      return reader.report('kind', `must be one of ${kindsOf(allowed)}`);
    return eventOf(name, reader, form);
  }
  const [name, second] = allowed.filter((one) => reader.find(one) !== undefined);
  if (name === undefined) return reader.report(undefined, `must have one of ${allowed.join(', ')}`);
  if (second !== undefined) return reader.report(second, `must not stand beside ${JSON.stringify(name)}`);
  const inner = reader.object(name);
  return inner && eventOf(name, inner, form);
}

const kindsOf = (allowed: readonly EventName[]): string =>
  Object.keys(kinds)
    .filter((kind) => allowed.includes(kinds[kind] as EventName))
    .join(', ');

function eventOf(name: EventName, reader: MemberReader, form: WireForm): StreamEvent {
  switch (name) {
    case 'task':
      return { task: readTask(reader, form) };
    case 'message':
      return { message: readMessage(reader, form) };
    case 'statusUpdate':
      return { statusUpdate: readStatusUpdate(reader, form) };
    case 'artifactUpdate':
      return { artifactUpdate: readArtifactUpdate(reader, form) };
  }
}

function readTask(reader: MemberReader, form: WireForm): Task {
  checkKind(reader, 'task');
  return omitUndefined({
    id: reader.requiredId('id'),
    contextId: reader.id('contextId'),
    status: readStatus(reader, form),
    artifacts: notEmpty(reader.objects(a2aLimits.artifacts, (one) => readArtifact(one, form), 'artifacts')),
    history: notEmpty(reader.objects(a2aLimits.history, (one) => readMessage(one, form), 'history')),
    metadata: reader.verbatim('metadata'),
  });
}

function readStatus(reader: MemberReader, form: WireForm): TaskStatus {
  const status = reader.object('status');
  if (status === undefined) reader.report('status', 'must be an object');
  const written = status?.text(nameLength, 'state');
  // ProtoJSON leaves the default out.
  const state = written === undefined ? 'TASK_STATE_UNSPECIFIED' : findTaskState(written);
  if (state === undefined) status?.report('state', 'must be a state of a task');
  const message = status?.object('message', 'update');
  return omitUndefined({
    state: state ?? 'TASK_STATE_UNSPECIFIED',
    message: message && readMessage(message, form),
    timestamp: status?.time('timestamp'),
  });
}

const readArtifact = (reader: MemberReader, form: WireForm): Artifact =>
  omitUndefined({
    artifactId: reader.requiredId('artifactId'),
    name: reader.text(nameLength, 'name'),
    description: reader.text(cardTextLength, 'description'),
    parts: readParts(reader, form, 'parts'),
    extensions: notEmpty(reader.texts(a2aLimits.extensions, urlLength, 'extensions')),
    metadata: reader.verbatim('metadata'),
  });

function readStatusUpdate(reader: MemberReader, form: WireForm): StatusUpdate {
  checkKind(reader, 'status-update');
  return omitUndefined({
    taskId: reader.requiredId('taskId'),
    contextId: reader.id('contextId'),
    status: readStatus(reader, form),
    metadata: reader.verbatim('metadata'),
  });
}

function readArtifactUpdate(reader: MemberReader, form: WireForm): ArtifactUpdate {
  checkKind(reader, 'artifact-update');
  const artifact = reader.object('artifact');
  if (artifact === undefined) reader.report('artifact', 'must be an object');
  return omitUndefined({
    taskId: reader.requiredId('taskId'),
    contextId: reader.id('contextId'),
    artifact: artifact ? readArtifact(artifact, form) : { artifactId: '', parts: [] },
    append: reader.flag('append') || undefined,
    lastChunk: reader.flag('lastChunk') || undefined,
    metadata: reader.verbatim('metadata'),
  });
}
