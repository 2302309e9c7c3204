import { audited, type AuditedCall } from '@portcullis/platform/audit/audited';
import {
  auditedState,
  lockChangeable,
  skillResource,
  type ReviewParts,
} from '@portcullis/platform/skills/decide-skill';
import { skillEvent } from '@portcullis/platform/skills/announce-skill';

/** Removes a skill with all that belongs to it. */
export async function removeSkill({ database, announce }: ReviewParts, call: AuditedCall, id: number): Promise<void> {
  const row = await audited(
    database,
    call,
    async (transaction) => {
      const known = await lockChangeable(transaction, id);
      await transaction.kysely.deleteFrom('skills').where('id', '=', id).execute();
      return known;
    },
    (known) => ({ event: 'skill.deleted', resource: skillResource(known), before: auditedState(known) }),
  );
  await announce.event(skillEvent('deleted', row));
}
