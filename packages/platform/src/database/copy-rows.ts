import { CompiledQuery, type Kysely } from 'kysely';
import { Query, type ClientBase } from 'pg';
import type { Tables } from './tables.ts';

/** The rows that COPY statements take, as the messages that follow the statements on the wire. */
export class CopyData {
  readonly messages: Uint8Array;

  constructor(messages: Uint8Array) {
    this.messages = messages;
  }
}

/** Runs COPY statements, each of which takes what `data` has next. */
export const copyRows = (kysely: Kysely<Tables>, statements: string, data: CopyData): Promise<unknown> =>
  kysely.executeQuery(CompiledQuery.raw(statements, [data]));

/** The same on a connection of `pg`. */
export const sendRows = (client: ClientBase, statements: string, { messages }: CopyData) =>
  new Promise<{ command: string; rowCount: number; rows: [] }>((resolve, reject) => {
    const done = (error: Error | null | undefined): void =>
      error ? reject(error) : resolve({ command: 'COPY', rowCount: 0, rows: [] });
    client.query(new CopyQuery(statements, messages, done));
  });

/** Its rows go out right behind the statements: the embedded database reads nothing that comes later. */
class CopyQuery extends Query {
  constructor(statements: string, messages: Uint8Array, done: (error: Error | undefined) => void) {
    super(statements, done);
    this.submit = (connection) => {
      connection.stream.cork();
      connection.query(statements);
      connection.stream.write(messages);
      connection.stream.uncork();
    };
  }

  handleCopyInResponse(): void {}
}
