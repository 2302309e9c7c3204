import { sql } from 'kysely';

/** Whether a row of a table with the generated column `search_text` contains the text, in any case. */
export const containsText = (text: string) => sql<boolean>`strpos(search_text, lower(${text})) > 0`;
