import type { Queryable } from '@portcullis/platform/database/database';
import { databaseNow } from '@portcullis/platform/database/database-now';
import type { JsonObject } from '@portcullis/platform/database/tables';
import { sql } from 'kysely';

/** The stored sections as they are: secrets sealed, fields that were never set absent. */
export async function loadSections({ kysely }: Queryable): Promise<ReadonlyMap<string, JsonObject>> {
  const rows = await kysely
    .selectFrom('settings')
    .select(['section', sql<JsonObject>`document`.as('document')])
    .execute();
  return new Map(rows.map(({ section, document }) => [section, document]));
}

/** Merges fields into a section. */
export const saveSection = async ({ kysely }: Queryable, section: string, fields: object): Promise<void> => {
  const document = JSON.stringify(fields);
  await kysely
    .insertInto('settings')
    .values({ section, document })
    .onConflict((conflict) =>
      conflict
        .column('section')
        .doUpdateSet({ document: sql<string>`settings.document || excluded.document`, updated_at: databaseNow }),
    )
    .execute();
};

/** Forgets everything that was set in the sections. */
export const resetSections = async ({ kysely }: Queryable, sections: readonly string[]): Promise<void> => {
  await kysely.deleteFrom('settings').where('section', 'in', sections).execute();
};
