import { deny, next, type RequestStage, type ResponseStage, type StreamVerdict } from '@portcullis/core/pipeline/stage';
import { enforcedAction } from '@portcullis/core/policy/verdict/decide';
import type { EventUnit } from '../invocation/event-unit.ts';
import type { Invocation } from '../invocation/invocation.ts';
import { findInParts, type PartRules } from '../parts/find-in-parts.ts';

const name = 'check-parts';

/** Keeps files from an agent that lie where the gateway itself would not go: the agent would fetch them. */
export const createCheckParts = (rules: PartRules): RequestStage<Invocation> => ({
  name,
  run(invocation) {
    const { call, findings } = invocation;
    if (!('message' in call)) return next;
    const found = findInParts({ message: call.message }, 'request', rules);
    findings.push(...found);
    return found.some((finding) => enforcedAction(finding) === 'block') ? deny('policy_violation') : next;
  },
});

/** The same for what an agent answers, and for files that run where a caller opens them. */
export const createCheckAnsweredParts = (rules: PartRules): ResponseStage<Invocation, EventUnit> => ({
  name,
  open: ({ findings }) => ({
    push(unit): StreamVerdict<EventUnit> {
      const found = findInParts(unit.event, 'response', rules);
      findings.push(...found);
      return found.some((finding) => enforcedAction(finding) === 'block')
        ? { kind: 'cut', denial: { reason: 'policy_violation_response' }, units: [] }
        : { kind: 'release', units: [unit] };
    },
    end: () => ({ kind: 'release', units: [] }),
  }),
});
