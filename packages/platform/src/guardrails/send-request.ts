import { parseBoundedJson } from '@portcullis/core/json/json-bounds';
import { request, type Dispatcher } from 'undici';
import { readBounded } from '../http/read-bounded.ts';
import { UnreadableAnswer, type GuardrailRequest } from './adapters/guardrail-adapter.ts';

/** Longest answer of a provider that is read. */
const maxAnswerBytes = 1_048_576;

/** Sends a request and answers the parsed body. @throws for any status but 2xx and those that the request knows, and for anything but JSON */
export async function sendRequest(
  { url, method, headers, body, answers }: GuardrailRequest,
  dispatcher: Dispatcher,
  signal: AbortSignal,
): Promise<unknown> {
  const answer = await request(url, { dispatcher, signal, method, body, headers: { ...headers, ...ourHeaders } });
  const { statusCode: status } = answer;
  if (status < 200 || status >= 300) {
    await answer.body.dump({ limit: maxAnswerBytes, signal });
    if (answers?.has(status) === true) return answers.get(status);
    throw new Error(`The provider answered ${status}${hints[status] ?? ''}`);
  }
  const text = await readBounded(answer.body, maxAnswerBytes);
  if (text === undefined) throw new UnreadableAnswer(`The answer is longer than ${maxAnswerBytes} bytes`);
  return parseAnswer(text);
}

const ourHeaders = { 'user-agent': 'portcullis' };

const hints: Readonly<Record<number, string>> = {
  401: ': it does not accept the credentials',
  403: ': the credentials do not allow this',
  404: ': there is nothing at that address',
  429: ': it wants to be asked less often',
};

function parseAnswer(text: string): unknown {
  try {
    return parseBoundedJson(text);
  } catch {
    throw new UnreadableAnswer('The answer is not JSON');
  }
}
