import { DatabaseError } from 'pg';
import { problemCode, problemText } from '../errors/problem.ts';

/** The database is out of reach, overloaded or shutting down: trying again later can succeed. */
export class DatabaseUnavailable extends Error {
  constructor(cause: unknown) {
    // A refused connection to a name with several addresses has a code, but no message.
    super(`The database is not available: ${problemText(cause) || problemCode(cause)}`, { cause });
    this.name = 'DatabaseUnavailable';
  }
}

/** SQLSTATEs by which a server says that it cannot serve now: connection trouble, no resources, stopped, timed out. */
const unavailableStates = /^(08...|53...|57P0.|57014|58...)$/;

/** What a failed query rejects with: an error that the server did not answer itself means that it is not there. */
export function asDatabaseError(error: unknown): unknown {
  const answered = error instanceof DatabaseError && !unavailableStates.test(error.code ?? '');
  return answered ? error : new DatabaseUnavailable(error);
}
