import { builtinCases } from '@portcullis/core/evaluation/suite/builtin-cases';
import { sql } from 'kysely';
import type { Database } from '../database/database.ts';

const rows = JSON.stringify(builtinCases.map((one) => ({ ...one, document: one })));

/**
 * Brings the stored built-in cases in step with this version of the gateway, in one statement; whether each is on stays as it was
 * set. A case of a user's own whose id became a built-in one keeps it.
 */
export async function saveBuiltinCases({ kysely }: Database): Promise<void> {
  await sql`
    insert into guardrail_test_cases (test_id, name, category, severity, builtin, document)
    select test_id, name, category, severity, true, document
    from jsonb_to_recordset(${rows}::jsonb)
      as builtin (test_id text, name text, category text, severity text, document jsonb)
    on conflict (lower(test_id)) do update set
      name = excluded.name, category = excluded.category, severity = excluded.severity,
      document = excluded.document, updated_at = now()
    where guardrail_test_cases.builtin and guardrail_test_cases.document is distinct from excluded.document
  `.execute(kysely);
}
