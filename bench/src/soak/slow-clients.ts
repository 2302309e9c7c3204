import { request, type IncomingMessage } from 'node:http';
import { once } from 'node:events';
import { setTimeout as pause } from 'node:timers/promises';
import { askOpenai } from './chats.ts';
import { expectIn, headersOf, WrongAnswer } from './send-request.ts';
import type { LoadedProxy } from './loaded-proxy.ts';
import { newText, textOfStream } from './texts.ts';
import type { World } from './soak-context.ts';

/** Sends a request in so many pieces with pauses, and answers the response as soon as its headers are there. */
async function sendInPieces(proxy: LoadedProxy, body: unknown, pieces: number): Promise<IncomingMessage> {
  const text = JSON.stringify(body);
  const sent = request(`${proxy.url}/v1/chat/completions`, {
    method: 'POST',
    headers: headersOf(proxy, {}, proxy.nextId()),
    agent: false,
  });
  const answered = once(sent, 'response') as Promise<[IncomingMessage]>;
  const size = Math.ceil(text.length / pieces);
  for (let at = 0; at < text.length; at += size) {
    sent.write(text.slice(at, at + size));
    if (pieces > 1) await pause(20);
  }
  sent.end();
  const [response] = await answered;
  if (response.statusCode !== 200) throw new WrongAnswer('a slow client', '200', String(response.statusCode));
  return response;
}

/** Sends its body bit by bit, and takes its stream bit by bit. */
export async function slowClient({ proxies: { llm } }: World): Promise<void> {
  const { text, mark } = newText();
  const { body } = askOpenai(text, { stream: true });
  const response = await sendInPieces(llm, body, 8);
  let read = '';
  for await (const piece of response) {
    read += String(piece);
    await pause(2);
  }
  llm.certain += 1;
  expectIn('the echo to a slow client', textOfStream(read), mark);
}

/** Hears the beginning of a stream and leaves. */
export async function hangUp({ proxies: { slow } }: World): Promise<void> {
  const response = await sendInPieces(slow, askOpenai(newText().text, { stream: true }).body, 1);
  await once(response, 'data');
  slow.certain += 1;
  response.destroy();
}
