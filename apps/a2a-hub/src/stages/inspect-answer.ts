import type { AnswerTexts } from '@portcullis/platform/inspection/answer-texts';
import { createInspectResponse } from '@portcullis/platform/inspection/inspect-response';
import { rewriteTask } from '@portcullis/platform/inspection/task-content';
import { TextContext, workOfBody } from '@portcullis/platform/inspection/text-context';
import type { EventUnit } from '../invocation/event-unit.ts';
import type { Invocation } from '../invocation/invocation.ts';
import { textFacts } from '../invocation/text-facts.ts';

const sizeOf = ({ event }: EventUnit): number => JSON.stringify(event).length;

/** The texts of what an agent answers: those of an artifact go on from one event to the next. */
const eventTexts = (invocation: Invocation): AnswerTexts<EventUnit> => ({
  findings: invocation.findings,
  placeholders: invocation.placeholders,
  passesUnread: false,
  sizeOf,
  valueContext: () => new TextContext(textFacts(invocation, 'response'), workOfBody()),
  pieceContext: () => new TextContext(textFacts(invocation, 'response')),
  rewrite: (unit, changes) => ({ ...unit, event: rewriteTask(unit.event, changes) }),
});

/** Runs the policies for agents over each event, before it reaches its caller or the store. */
export const inspectAnswer = createInspectResponse<Invocation, EventUnit>(
  ({ snapshot }) => snapshot.policies.plan,
  eventTexts,
);
