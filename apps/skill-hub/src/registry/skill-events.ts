import { liveEventsTopic, type LiveEvent } from '@portcullis/contracts/events';
import type { SystemEvent } from '@portcullis/contracts/live-events';
import type { Severity } from '@portcullis/contracts/records';
import type { Infrastructure } from '@portcullis/platform/service/infrastructure';
import type { SkillRow } from './skill-queries.ts';

/** Tells on /ws what became of a skill. It stands in the registry, too, so nothing is lost where it does not arrive. */
export type AnnounceSkill = (event: SystemEvent) => Promise<void>;

export const createAnnounceSkill =
  ({ bus }: Pick<Infrastructure['coordination'], 'bus'>): AnnounceSkill =>
  async (payload) => {
    const event: LiveEvent = { type: 'system_event', payload };
    await bus.publish(liveEventsTopic, event).catch(() => undefined);
  };

const happenings = {
  changed: ['changed after its approval and waits for a decision', 'Medium'],
  approved: ['was approved', 'Low'],
  rejected: ['was rejected', 'Low'],
  quarantined: ['was quarantined', 'Medium'],
  deleted: ['was deleted from the registry', 'Low'],
} as const satisfies Readonly<Record<string, readonly [what: string, severity: Severity]>>;

export function skillEvent(happening: keyof typeof happenings, skill: SkillRow): SystemEvent {
  const [what, severity] = happenings[happening];
  const { id, name, version, status, risk_score, risk_level, content_hash, reviewer } = skill;
  return {
    event: `skill.${happening}`,
    message: `The skill ${name} ${version} ${what}`,
    severity,
    timestamp: new Date().toISOString(),
    details: { id, name, version, status, risk_score, risk_level, content_hash, reviewer },
  };
}
