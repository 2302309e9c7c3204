/** An error that an API answered or ended a stream with, for APIs without an official client. */
export class AnsweredError extends Error {
  readonly status: number;

  constructor(status: number, body: string) {
    super(body);
    this.status = status;
  }
}

/** @throws {AnsweredError} */
export async function post(origin: string, path: string, body: unknown, signal?: AbortSignal): Promise<Response> {
  const answer = await fetch(`${origin}${path}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
    signal: signal ?? null,
  });
  if (!answer.ok) throw new AnsweredError(answer.status, await answer.text());
  return answer;
}
