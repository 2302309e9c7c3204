import { sql } from 'kysely';

/**
 * The moment of the statement by the clock of the database. Columns that tell when a row was changed take it and not the clock of a
 * process, since the database has written when the row came into being, and clocks differ.
 */
export const databaseNow = sql<Date>`clock_timestamp()`;
