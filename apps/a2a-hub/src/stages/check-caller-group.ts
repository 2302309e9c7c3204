import { next, type RequestStage } from '@portcullis/core/pipeline/stage';
import { checkGroup } from '@portcullis/platform/traffic/check-group';
import type { Invocation } from '../invocation/invocation.ts';

/** The user group of a key must be active. Those of users are looked at where access is. */
export const checkCallerGroup: RequestStage<Invocation> = {
  name: checkGroup.name,
  run: (invocation) => (invocation.user === undefined ? checkGroup.run(invocation) : next),
};
