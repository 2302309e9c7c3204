import type { RouteParts } from '@portcullis/contracts/route';
import type { Call } from '@portcullis/platform/routes/bound-route';
import type { SkillCaller } from './skill-hub.ts';

/** Who calls a route of the contract. @param agent as it calls itself in the body */
export const restCaller = (
  { caller, clientIp, requestId, userAgent }: Pick<Call<RouteParts>, 'caller' | 'clientIp' | 'requestId' | 'userAgent'>,
  agent?: string,
): SkillCaller => ({ agent, address: clientIp, user: caller, via: 'rest', requestId, userAgent });
