import { liveEventsTopic, type LiveEvent } from '@portcullis/contracts/events';
import type { SystemEvent } from '@portcullis/contracts/live-events';
import type { Severity } from '@portcullis/contracts/records';
import { publishApprovals } from '../approvals/publish-approvals.ts';
import type { Infrastructure } from '../service/infrastructure.ts';
import type { SkillRow } from './skill-queries.ts';

/** Tells live watchers on /ws. The registry has all of it, so nothing is lost where a message does not arrive. */
export interface AnnounceSkill {
  /** That something happened to skills. */
  readonly event: (event: SystemEvent) => Promise<void>;
  /** That a skill waits for a decision, or was decided about. */
  readonly approval: (skillId: number) => Promise<void>;
}

export const createAnnounceSkill = ({
  database,
  coordination: { bus },
}: Pick<Infrastructure, 'database' | 'coordination'>): AnnounceSkill => ({
  async event(payload) {
    const event: LiveEvent = { type: 'system_event', payload };
    await bus.publish(liveEventsTopic, event).catch(() => undefined);
  },
  approval: (skillId) => publishApprovals({ database, bus }, 'skill', [skillId]),
});

const eventTexts = {
  changed: ['changed after its approval and waits for a decision', 'Medium'],
  approved: ['was approved', 'Low'],
  rejected: ['was rejected', 'Low'],
  quarantined: ['was quarantined', 'Medium'],
  deleted: ['was deleted from the registry', 'Low'],
} as const satisfies Readonly<Record<string, readonly [what: string, severity: Severity]>>;

export function skillEvent(kind: keyof typeof eventTexts, skill: SkillRow): SystemEvent {
  const [what, severity] = eventTexts[kind];
  const { id, name, version, status, risk_score, risk_level, content_hash, reviewer } = skill;
  return {
    event: `skill.${kind}`,
    message: `The skill ${name} ${version} ${what}`,
    severity,
    timestamp: new Date().toISOString(),
    details: { id, name, version, status, risk_score, risk_level, content_hash, reviewer },
  };
}
