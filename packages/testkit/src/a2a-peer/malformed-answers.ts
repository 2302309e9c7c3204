import type { Response } from 'express';
import { once } from 'node:events';
import type { A2aBehaviour } from './a2a-behaviour.ts';

const floodBytes = 200 * 1_048_576;
const pieceBytes = 1_048_576;

/** Answers as no agent should; false for conduct that the agent itself takes care of. */
export function answerMalformed(conduct: A2aBehaviour, response: Response): boolean {
  if (conduct === 'nonsense') {
    response.json({ jsonrpc: '2.0', id: 'another', result: { kind: 'surprise', parts: 7 } });
    return true;
  }
  if (conduct !== 'endless' && conduct !== 'flood') return false;
  response.writeHead(200, { 'content-type': 'text/event-stream' });
  const pieces = conduct === 'endless' ? endlessEvents() : oneLargeEvent();
  send(pieces, response).catch(() => response.destroy());
  return true;
}

function* endlessEvents(): Generator<string> {
  for (let number = 0; ; number += 1) {
    const status = { state: 'TASK_STATE_WORKING', timestamp: new Date(number).toISOString() };
    yield `data: ${JSON.stringify({ statusUpdate: { taskId: 'endless', contextId: 'endless', status } })}\n\n`;
  }
}

function* oneLargeEvent(): Generator<string> {
  yield 'data: {"message":{"messageId":"flood","role":"ROLE_AGENT","parts":[{"text":"';
  const piece = 'x'.repeat(pieceBytes);
  for (let sent = 0; sent < floodBytes; sent += pieceBytes) yield piece;
  yield '"}]}}\n\n';
}

async function send(pieces: Generator<string>, response: Response): Promise<void> {
  const closed = once(response, 'close');
  for (const piece of pieces) {
    if (response.destroyed) return;
    if (!response.write(piece)) await Promise.race([once(response, 'drain'), closed]);
  }
  response.end();
}
