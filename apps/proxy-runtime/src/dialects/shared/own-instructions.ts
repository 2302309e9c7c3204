import type { Dialect } from './dialect.ts';
import type { AddedText } from './added-text.ts';

/** What of an exchange tells its instructions. */
interface Instructed {
  readonly added: AddedText | undefined;
  readonly dialect: Pick<Dialect, 'readInstructions'>;
  readonly json: unknown;
}

const separator = '\n\n';

/**
 * What the client's own instructions were, as the target got them: with placeholders where something was
 * redacted. Null where it had none, or it is not known.
 */
export function ownInstructions({ added, dialect, json }: Instructed): unknown {
  if (added === undefined) return null;
  const { prompts, own } = added;
  const sent = dialect.readInstructions?.(json);
  if (prompts === '' || typeof sent !== typeof own) return own;
  if (Array.isArray(own) && Array.isArray(sent)) return sent.slice(1);
  const isInFront = typeof sent === 'string' && own !== '' && sent.startsWith(prompts + separator);
  return isInFront ? sent.slice(prompts.length + separator.length) : own;
}

/** How an answer may quote what was added: as it is, and as it stood in JSON. */
export const spellingsOf = ({ added }: Pick<Instructed, 'added'>): readonly string[] =>
  [added?.prompts ?? '', added?.canary ?? ''].flatMap((text) =>
    text === '' ? [] : [text, JSON.stringify(text).slice(1, -1)],
  );
