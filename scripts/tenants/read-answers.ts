/** One answer of a connection on which several come one after the other. */
export interface ReadAnswer {
  readonly status: number;
  /** With its head. */
  readonly text: string;
}

const headEnd = '\r\n\r\n';

/**
 * The answers in what came on a connection, as far as they are whole. Behind the last one stands what is not whole yet, for whoever
 * looks for markers there.
 */
export function readAnswers(came: string): { readonly answers: readonly ReadAnswer[]; readonly rest: string } {
  const answers: ReadAnswer[] = [];
  let at = 0;
  for (let end = findEnd(came, at); end !== undefined; end = findEnd(came, at)) {
    answers.push({
      status: Number(/^HTTP\/1\.1 (\d{3})/.exec(came.slice(at, at + 16))?.[1]),
      text: came.slice(at, end),
    });
    at = end;
  }
  return { answers, rest: came.slice(at) };
}

/** Behind the answer that begins at a place; undefined while it is not whole. Lengths are those of ASCII. */
function findEnd(came: string, at: number): number | undefined {
  const headAt = came.indexOf(headEnd, at);
  if (headAt === -1) return undefined;
  const bodyAt = headAt + headEnd.length;
  const head = came.slice(at, headAt).toLowerCase();
  const length = /\r\ncontent-length: (\d+)/.exec(head)?.[1];
  if (length !== undefined) return bodyAt + Number(length) <= came.length ? bodyAt + Number(length) : undefined;
  if (!head.includes('\r\ntransfer-encoding: chunked')) return bodyAt;
  return findLastChunk(came, bodyAt);
}

function findLastChunk(came: string, bodyAt: number): number | undefined {
  for (let at = bodyAt; ;) {
    const lineEnd = came.indexOf('\r\n', at);
    if (lineEnd === -1) return undefined;
    const length = Number.parseInt(came.slice(at, lineEnd), 16);
    const next = lineEnd + 2 + length + 2;
    if (next > came.length) return undefined;
    if (length === 0) return next;
    at = next;
  }
}
