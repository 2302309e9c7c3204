export interface GuardrailMessage {
  readonly role: 'system' | 'user' | 'assistant' | 'tool';
  readonly text: string;
}

/** What a provider is asked to judge. */
export interface GuardrailQuestion {
  readonly direction: 'request' | 'response';
  readonly messages: readonly GuardrailMessage[];
  /** What an answer answers, where it is known; context only, it is not judged. */
  readonly prompt?: string | undefined;
}

/** Pieces that one question is asked in, at most. */
const maxPieces = 20;
/** Characters that neighbouring pieces of one text share, so that what stands across a cut is seen whole. */
const overlap = 200;

export const joinTexts = ({ messages }: GuardrailQuestion): string => messages.map(({ text }) => text).join('\n\n');

/**
 * The question in pieces of at most `maxCharacters` of text (over 200), in order. `whole` is false when the
 * pieces do not cover all of it.
 */
export function splitQuestion(
  question: GuardrailQuestion,
  maxCharacters: number,
): { readonly pieces: readonly GuardrailQuestion[]; readonly whole: boolean } {
  const pieces: GuardrailMessage[][] = [];
  let [piece, room]: [GuardrailMessage[], number] = [[], 0];
  for (const { role, text } of question.messages) {
    for (let at = 0; at < text.length;) {
      if (room < Math.min(text.length - at, maxCharacters)) {
        if (pieces.length === maxPieces) return { pieces: asQuestions(question, pieces), whole: false };
        [piece, room] = [[], maxCharacters];
        pieces.push(piece);
      }
      const part = text.slice(at, at + room);
      piece.push({ role, text: part });
      room -= part.length;
      at += part.length;
      if (at < text.length) at -= overlap;
    }
  }
  return { pieces: asQuestions(question, pieces), whole: true };
}

const asQuestions = (question: GuardrailQuestion, pieces: readonly (readonly GuardrailMessage[])[]) =>
  pieces.map((messages) => ({ ...question, messages }));
