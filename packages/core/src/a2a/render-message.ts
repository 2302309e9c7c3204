import { objectOf, type JsonObject } from '../json/json-object.ts';
import { omitUndefined } from '../json/omit-undefined.ts';
import type { Message, Part } from './task.ts';
import { wrappedDataFlag, type WireForm } from './wire-form.ts';

export function renderMessage(message: Message, form: WireForm): JsonObject {
  const { messageId, role, parts, contextId, taskId, referenceTaskIds, extensions, metadata } = message;
  const rendered = parts.map((part) => renderPart(part, form));
  switch (form) {
    case 'current':
      return { ...message, parts: rendered };
    case 'kind':
      return omitUndefined({ kind: 'message', ...message, role: legacyRole(role), parts: rendered });
    case 'draft': {
      const { parts: _, referenceTaskIds: __, ...rest } = message;
      return { ...rest, content: rendered };
    }
    case 'rest':
      return omitUndefined({
        messageId,
        role: legacyRole(role),
        parts: rendered,
        context_id: contextId,
        task_id: taskId,
        reference_task_ids: referenceTaskIds,
        extensions,
        metadata,
      });
  }
}

const legacyRole = (role: Message['role']): string => (role === 'ROLE_USER' ? 'user' : 'agent');

export function renderPart(part: Part, form: WireForm): JsonObject {
  switch (form) {
    case 'current':
      return { ...part };
    case 'kind':
      return renderKindPart(part, 'mimeType');
    case 'rest':
      return renderKindPart(part, 'mime_type');
    case 'draft':
      return renderDraftPart(part);
  }
}

/** A name and a media type of what is no file have no place before 1.0: they stay as metadata. */
const metadataOf = ({ filename, mediaType, metadata }: Part) => {
  const details = omitUndefined({ filename, mediaType });
  if (Object.keys(details).length === 0) return metadata;
  return { ...details, ...metadata };
};

function renderKindPart(part: Part, mediaTypeName: string): JsonObject {
  const { filename: name, mediaType, metadata } = part;
  if ('text' in part) return omitUndefined({ kind: 'text', text: part.text, metadata: metadataOf(part) });
  if ('data' in part) return omitUndefined({ kind: 'data', ...wrapData(part.data, metadataOf(part)) });
  const place = 'raw' in part ? { bytes: part.raw } : { uri: part.url };
  const file = omitUndefined({ ...place, name, [mediaTypeName]: mediaType });
  return omitUndefined({ kind: 'file', file, metadata });
}

function renderDraftPart(part: Part): JsonObject {
  const { filename: name, mediaType: mimeType, metadata } = part;
  if ('text' in part) return omitUndefined({ text: part.text, metadata: metadataOf(part) });
  if ('data' in part) {
    const { data, metadata: wrapped } = wrapData(part.data, metadataOf(part));
    return omitUndefined({ data: { data }, metadata: wrapped });
  }
  const place = 'raw' in part ? { fileWithBytes: part.raw } : { fileWithUri: part.url };
  return omitUndefined({ file: omitUndefined({ ...place, name, mimeType }), metadata });
}

const wrapData = (data: unknown, metadata: JsonObject | undefined) =>
  objectOf(data) === undefined
    ? { data: { value: data }, metadata: { ...metadata, [wrappedDataFlag]: true } }
    : { data, metadata };
