import type { Queryable } from '@portcullis/platform/database/database';
import { GatewayError } from '@portcullis/platform/http/gateway-error';
import { findAssessment } from '../scan/assessor.ts';
import { boundHash, type ContentRow } from '../registry/content-queries.ts';

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
