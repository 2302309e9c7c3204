import { once } from 'node:events';
import { createServer, type ServerResponse } from 'node:http';
import { parseArgs } from 'node:util';
import { placeName, renderText } from './chat-bodies.ts';
import { renderChatChunk } from './chat-chunk.ts';
import { monotonicMicros } from './clock.ts';
import { chatPath } from './contestants/contestant.ts';

// The model behind every contestant, a process of its own: answers at once with a completion that names another place each time,
// or streams `--chunks` words, one every `--interval-ms`, and tells usage at their end where it is asked for. Says its port to its
// parent and goes with it.

const { values } = parseArgs({ options: { chunks: { type: 'string' }, 'interval-ms': { type: 'string' } } });
const chunks = Number(values.chunks);
const intervalMs = Number(values['interval-ms']);

const usage = { prompt_tokens: 410, completion_tokens: 260, total_tokens: 670 };
const place = placeName(0);
const answer = Buffer.from(
  JSON.stringify({
    id: 'chatcmpl-bench',
    object: 'chat.completion',
    created: 1_760_000_000,
    model: 'gpt-4o-mini',
    choices: [
      {
        index: 0,
        message: { role: 'assistant', content: `In ${place}, then. ${renderText(1_180)}` },
        logprobs: null,
        finish_reason: 'stop',
      },
    ],
    usage,
  }),
);
const placeAt = answer.indexOf(place);
let answers = 0;

/** No answer is a text that was read before. */
function nextAnswer(): Buffer {
  answers += 1;
  const next = Buffer.from(answer);
  next.write(placeName(answers), placeAt, 'latin1');
  return next;
}

const answerHead = ['Content-Type', 'application/json', 'Content-Length', String(answer.length)];
const streamHead = ['Content-Type', 'text/event-stream', 'Cache-Control', 'no-cache'];

const usageEvent = `data: ${JSON.stringify({
  id: 'chatcmpl-bench',
  object: 'chat.completion.chunk',
  created: 1_760_000_000,
  model: 'gpt-4o-mini',
  choices: [],
  usage,
})}\n\n`;

/** Enough that streams which begin one word after the other do not say the same. */
const words = renderText(20_000).split(/(?<= )/);

function streamAnswer(response: ServerResponse, tellsUsage: boolean): void {
  response.writeHead(200, streamHead);
  const first = answers * chunks;
  answers += 1;
  let left = chunks;
  const write = () => {
    if (left > 0) {
      left -= 1;
      const word = words[(first + chunks - left) % words.length] ?? '';
      response.write(renderChatChunk(monotonicMicros(), word));
    } else {
      clearInterval(timer);
      response.end(`${tellsUsage ? usageEvent : ''}data: [DONE]\n\n`);
    }
  };
  const timer = setInterval(write, intervalMs);
  response.once('close', () => clearInterval(timer));
  write();
}

const server = createServer((request, response) => {
  let wantsStream = false;
  let wantsUsage = false;
  request.on('data', (part: Buffer) => {
    wantsStream ||= part.includes('"stream":true');
    wantsUsage ||= part.includes('"include_usage":true');
  });
  request.on('end', () => {
    if (request.url !== chatPath) response.writeHead(404, ['Content-Length', '0']).end();
    else if (wantsStream) streamAnswer(response, wantsUsage);
    else response.writeHead(200, answerHead).end(nextAnswer());
  });
});
server.keepAliveTimeout = 0;
server.listen(0, '127.0.0.1');
await once(server, 'listening');

const address = server.address();
process.send?.({ port: typeof address === 'object' ? address?.port : undefined });
process.once('disconnect', () => process.exit(0));
