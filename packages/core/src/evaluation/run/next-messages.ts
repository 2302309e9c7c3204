import type { ChatMessage, RenderedCase } from '../suite/render-case.ts';

/** What stands for an answer without text: APIs refuse empty messages. */
const withoutText = '(no text)';

/** As much of an answer goes into the conversation: what endpoints say must not grow without bound over turns. */
const longestAnswer = 20_000;

/**
 * The conversation to send next, or undefined when the case has been asked to its end. What the endpoint answered stands in it; what a
 * case puts into the mouth of the assistant takes the place of an answer.
 * @param answers of the endpoint so far, in order
 */
export function nextMessages(
  { system, turns }: RenderedCase,
  answers: readonly string[],
): readonly ChatMessage[] | undefined {
  const messages: ChatMessage[] = system === '' ? [] : [{ role: 'system', content: system }];
  let answered = 0;
  for (const [index, turn] of turns.entries()) {
    messages.push(turn);
    if (turn.role === 'assistant' || turns[index + 1]?.role === 'assistant') continue;
    const answer = answers[answered];
    if (answer === undefined) return messages;
    answered += 1;
    messages.push({ role: 'assistant', content: answer.trim() === '' ? withoutText : answer.slice(0, longestAnswer) });
  }
  return undefined;
}

/** How many requests a case takes when nothing ends it early. */
export const requestsOf = ({ turns }: Pick<RenderedCase, 'turns'>): number =>
  turns.filter(({ role }, index) => role === 'user' && turns[index + 1]?.role !== 'assistant').length;
