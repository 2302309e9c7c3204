import { liveEventsTopic, type LiveEvent } from '@portcullis/contracts/events';
import type { SystemEvent } from '@portcullis/contracts/live-events';
import type { Severity } from '@portcullis/contracts/records';
import type { Infrastructure } from '@portcullis/platform/service/infrastructure';
import type { SkillRow } from './skill-queries.ts';

/** Publishes changes of skills on /ws. The registry has them, too, so nothing is lost where a message does not arrive. */
export type AnnounceSkill = (event: SystemEvent) => Promise<void>;

export const createAnnounceSkill =
  ({ bus }: Pick<Infrastructure['coordination'], 'bus'>): AnnounceSkill =>
  async (payload) => {
    const event: LiveEvent = { type: 'system_event', payload };
    await bus.publish(liveEventsTopic, event).catch(() => undefined);
  };

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
