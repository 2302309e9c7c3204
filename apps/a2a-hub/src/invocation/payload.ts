import type { Message, Part, Task } from '@portcullis/core/a2a/task';
import { renderJsonHead } from '@portcullis/core/json/render-json-head';
import type { LocatedFinding } from '@portcullis/platform/traffic/located-finding';

const maxTextLength = 2_000;
const maxParts = 20;
const maxMessages = 10;

/** What is read of a text beyond what is kept: a credential on the edge is still known as one. */
const margin = 500;

/** Credentials as people paste them into messages. Nothing is asked behind a long part: what matched is never read again. */
const secrets = /\b(?:gw_\w{8,}|sk-[\w-]{8,}|(?:Bearer|Basic)\s+[\w.~+/=-]{8,}|eyJ[\w-]{8,}(?:\.[\w-]*){0,2})/g;

/**
 * A message or a task as the log keeps it: cut to size, files by their length, and without what looks like a
 * credential. Where policies found something it is left out: their evidence is masked, this would not be.
 */
export function payloadOf(
  value: Message | Task,
  findings: readonly LocatedFinding[],
  direction: LocatedFinding['direction'],
): unknown {
  const isClean = !findings.some((finding) => finding.direction === direction);
  const text = (written: string): string => (isClean ? withoutSecrets(written) : `(${written.length} characters)`);
  const part = (one: Part): object => {
    const { filename, mediaType } = one;
    const about = {
      ...(filename !== undefined && { filename: cut(filename) }),
      ...(mediaType !== undefined && { mediaType }),
    };
    if ('text' in one) return { text: text(one.text), ...about };
    if ('raw' in one) return { raw: `(${one.raw.length} characters of base64)`, ...about };
    if ('url' in one) return { url: text(one.url), ...about };
    return { data: isClean ? withoutSecrets(renderJsonHead(one.data, maxTextLength + margin)) : '(data)', ...about };
  };
  const message = ({ messageId, role, parts }: Message): object => ({
    messageId,
    role,
    parts: parts.slice(0, maxParts).map(part),
  });
  if ('parts' in value) return message(value);
  const { id, contextId, status, artifacts = [], history = [] } = value;
  return {
    id,
    contextId,
    status: { state: status.state, ...(status.message && { message: message(status.message) }) },
    artifacts: artifacts
      .slice(0, maxMessages)
      .map(({ artifactId, parts }) => ({ artifactId, parts: parts.slice(0, maxParts).map(part) })),
    history: history.slice(-maxMessages).map(message),
  };
}

const withoutSecrets = (text: string): string =>
  cut(text.slice(0, maxTextLength + margin).replaceAll(secrets, '[secret]'));

const cut = (text: string): string =>
  (text.length > maxTextLength ? `${text.slice(0, maxTextLength)}…` : text).toWellFormed().replaceAll('\0', '\uFFFD');
