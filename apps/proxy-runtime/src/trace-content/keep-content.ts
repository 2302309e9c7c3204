import { traceContentContext, type TraceContent, type TraceMessage } from '@portcullis/contracts/trace-content';
import type { SpoolRecord } from '@portcullis/contracts/records';
import { problemText } from '@portcullis/platform/errors/problem';
import type { Logger } from '@portcullis/platform/log/logger';
import type { Encryption } from '@portcullis/platform/security/encryption';
import type { HiddenOriginal } from './hidden-originals.ts';
import { shownCharacters } from './excerpt-limits.ts';
import type { TextRedactor } from './text-redactor.ts';

/** What was asked and answered, before the built-in rules have gone over it. */
export interface ContentExcerpt {
  readonly eventId: string;
  readonly timestamp: string;
  /** Read somewhat further than they are shown, as `parts` of the answer are. */
  readonly messages: readonly TraceMessage[];
  readonly cut: boolean;
  readonly originals: readonly HiddenOriginal[];
  readonly answer: { readonly parts: readonly string[]; readonly finish: string; readonly cut: boolean } | undefined;
}

/** Contents that are worked on at once; the traces of further requests go without. */
const maxUnderWay = 500;

interface KeeperParts {
  readonly redactor: TextRedactor;
  readonly encryption: Pick<Encryption, 'encrypt'>;
  readonly append: (records: readonly SpoolRecord[]) => void;
  readonly log: Logger;
}

/**
 * Redacts contents behind the exchange, in slices, and hands them to the spool sealed: no client waits for it, and no text
 * reaches a disk as it is.
 */
export function createKeepContent({ redactor, encryption, append, log }: KeeperParts) {
  let underWay = 0;
  const keep = async (excerpt: ContentExcerpt): Promise<void> => {
    const content = await redactContent(redactor, excerpt);
    const sealed = encryption.encrypt(JSON.stringify(content), traceContentContext(excerpt.eventId));
    append([{ kind: 'trace_content', event_id: excerpt.eventId, timestamp: excerpt.timestamp, content: sealed }]);
  };
  return (excerpt: ContentExcerpt): void => {
    if (underWay >= maxUnderWay) return;
    underWay += 1;
    keep(excerpt)
      .catch((error: unknown) =>
        log.warn('The content of a trace could not be kept', {
          event_id: excerpt.eventId,
          problem: problemText(error),
        }),
      )
      .finally(() => (underWay -= 1));
  };
}

async function redactContent(
  redactor: TextRedactor,
  { messages, cut, originals, answer }: ContentExcerpt,
): Promise<TraceContent> {
  const input: TraceMessage[] = [];
  let [room, isCut] = [shownCharacters, cut];
  // The newest messages have the room. It counts what was read, so that what is shown ends before what was read does.
  for (const { role, parts } of messages.toReversed()) {
    const redacted = await redactor.redact(parts, { room, originals, direction: 'request' });
    isCut ||= redacted.cut;
    room = Math.max(0, room - parts.reduce((sum, { length }) => sum + length, 0));
    if (redacted.parts.length > 0) input.unshift({ role, parts: redacted.parts });
  }
  if (answer === undefined) return { input, cut: isCut };
  const output = await redactor.redact(answer.parts, { room: shownCharacters, originals, direction: 'response' });
  return {
    input,
    output: { parts: output.parts, finish_reason: answer.finish },
    cut: isCut || answer.cut || output.cut,
  };
}
