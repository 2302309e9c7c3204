/** A gateway did not answer, or refused; the message says what and why. */
export class GatewayRefusal extends Error {
  /** Of the answer; undefined without one. */
  readonly status: number | undefined;

  constructor(message: string, status?: number) {
    super(message);
    this.status = status;
  }
}
