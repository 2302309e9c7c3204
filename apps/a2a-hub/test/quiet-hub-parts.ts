import { createSessionIds } from '@portcullis/platform/traffic/session-ids';
import { AuditThrottle } from '@portcullis/platform/audit/audit-throttle';
import { createInProcessWindows } from '@portcullis/platform/coordination/in-process/windows';
import { FairShare } from '@portcullis/platform/http/fair-share';
import type { PipelineParts } from '../src/pipeline.ts';
import { CallSlots } from '../src/stages/limit-calls.ts';

const unused = async (): Promise<never> => {
  throw new Error('not used');
};

/** Parts of a pipeline of the hub that is looked at and not run. */
export const quietHubParts = (): PipelineParts => ({
  logins: { user: unused, groupsOf: unused },
  maxBodyBytes: 1,
  bodyMemory: new FairShare(1),
  windows: { shared: createInProcessWindows(), local: createInProcessWindows() },
  adminPerMinute: 0,
  slots: new CallSlots(1),
  maxOpenTasks: 1,
  partRules: { rule: { allowPrivate: false }, refusedUrls: 'block', activeFiles: 'monitor' },
  refusals: new AuditThrottle(),
  renderSessionId: createSessionIds('secret'),
  client: undefined as never,
  store: undefined as never,
  pageTokens: undefined as never,
  loadCard: unused,
});
