import type { ToolFinding } from '@portcullis/contracts/routes/mcp-tools';
import type { Queryable } from '@portcullis/platform/database/database';
import { databaseNow } from '@portcullis/platform/database/database-now';
import { renderStorable } from '@portcullis/platform/spool/record-line';

/** The instructions of a target that are taken as good. */
export const findServerRow = ({ kysely }: Queryable, proxyId: number) =>
  kysely.selectFrom('mcp_servers').selectAll().where('proxy_id', '=', proxyId).executeTakeFirst();

export async function saveInstructions(
  { kysely }: Queryable,
  proxyId: number,
  text: string,
  hash: string,
  findings: readonly ToolFinding[],
): Promise<void> {
  const row = {
    instructions: text.toWellFormed().replaceAll('\0', '\uFFFD'),
    instructions_hash: hash,
    findings: renderStorable(findings),
    updated_at: databaseNow,
  };
  await kysely
    .insertInto('mcp_servers')
    .values({ proxy_id: proxyId, ...row })
    .onConflict((conflict) => conflict.column('proxy_id').doUpdateSet(row))
    .execute();
}
