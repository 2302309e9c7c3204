import type { TextFacts } from '@portcullis/platform/inspection/text-context';
import { compileTrust } from '@portcullis/platform/inspection/text-source';
import type { Invocation } from './invocation.ts';

const origins = compileTrust('a2a', undefined);

/** What rules may ask about the texts of a call: a caller speaks to an agent as a user, and an agent answers as a tool. */
export const textFacts = (
  { path, snapshot, proxy, group }: Pick<Invocation, 'path' | 'snapshot' | 'proxy' | 'group'>,
  direction: TextFacts['direction'],
): TextFacts => ({
  direction,
  protocol: 'a2a',
  model: undefined,
  path,
  origins,
  get exceptions() {
    return snapshot.exceptions.within({ agentId: proxy.id, userGroupId: group?.id });
  },
  sourceAt: () => (direction === 'request' ? 'user' : 'tool'),
  roleAt: () => (direction === 'request' ? 'user' : 'tool'),
  toolAt: () => undefined,
});
