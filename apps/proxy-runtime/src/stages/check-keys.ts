import { deny, next, type RequestStage, type Verdict } from '@portcullis/core/pipeline/stage';
import { runTimeSliced } from '@portcullis/platform/event-loop/run-time-sliced';
import type { Exchange } from '../exchange/exchange.ts';
import { longBody } from '../http/request-body.ts';

/** Refuses a body of which readers that match keys in any case would make another request than is looked at here. */
export const checkKeys: RequestStage<Exchange> = {
  name: 'check-keys',
  run({ json, body, dialect }) {
    if (json === undefined) return next;
    if (body.bytes.length > longBody) return runTimeSliced(dialect.keys.findConfusionCooperatively(json)).then(judge);
    return judge(dialect.keys.findConfusion(json));
  },
};

const judge = (problem: string | undefined): Verdict =>
  problem === undefined ? next : deny('ambiguous_json', { message: problem });
