import { deny, next, type RequestStage } from '@portcullis/core/pipeline/stage';
import type { Exchange } from '../exchange.ts';

/** Refuses a body of which readers that match keys in any case would make another request than is looked at here. */
export const checkKeys: RequestStage<Exchange> = {
  name: 'check-keys',
  run({ json, dialect }) {
    const problem = json === undefined ? undefined : dialect.keys.findConfusion(json);
    return problem === undefined ? next : deny('ambiguous_json', { message: problem });
  },
};
