import type { Queryable } from '../database/database.ts';
import { GatewayError } from '../http/gateway-error.ts';
import { findAssessment } from './assessment-queries.ts';
import { boundHash, type ContentRow } from './content-queries.ts';

/**
 * A skill that the scanner did not read whole is approved only with a note that says what it is.
 * @throws {GatewayError} `precondition_required`
 */
export async function checkApprovalNote(
  database: Queryable,
  content: ContentRow,
  notes: string | undefined,
): Promise<void> {
  if ((notes ?? '').trim() !== '') return;
  const known = await findAssessment(database, boundHash(content), content.rules_version);
  const [first, ...others] = known?.incomplete ?? [];
  if (first === undefined) return;
  const unread = others.length === 0 ? first : `${first}, and ${others.length} more`;
  const message = `The scanner did not read all of this skill (${unread}): say in notes what it is`;
  throw new GatewayError('precondition_required', { message });
}
