/** Thrown by a queue's handler: no further attempt can succeed, so the job is dead at once with this reason. */
export class PermanentFailure extends Error {
  constructor(reason: string) {
    super(reason);
    this.name = 'PermanentFailure';
  }
}
