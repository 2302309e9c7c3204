import type { SettleStage } from '@portcullis/core/pipeline/stage';
import type { Invocation } from '../invocation/invocation.ts';

/** Gives back the memory that a large body took, however the call ended. */
export const freeBody: SettleStage<Invocation> = {
  name: 'free-body',
  run: ({ heldBody }) => heldBody?.free(),
};
