import { hash } from 'node:crypto';
import type { Exchange } from './exchange.ts';
import { listProperty, property } from '@portcullis/core/json/json-value';
import { roleOfTurn, turnLists } from '../dialects/shared/turns.ts';

const sessionHeader = 'x-session-id';
const maxHeaderLength = 200;
/** Characters of the first message that tell a conversation from others. */
const maxOpening = 4_096;

/**
 * The conversation of a request: what the client says in `X-Session-Id`, else a digest of the first thing
 * its user said, which stays the same while the conversation grows.
 */
export function sessionOf({ request, json }: Exchange): string {
  const given = request.headers[sessionHeader];
  if (typeof given === 'string' && given !== '') return `given:${digest(given.slice(0, maxHeaderLength))}`;
  return `opening:${digest(JSON.stringify(findOpening(json) ?? '').slice(0, maxOpening))}`;
}

/** The first thing that the user of a conversation said, in any dialect. */
function findOpening(json: unknown): unknown {
  for (const list of turnLists) {
    const turns = property(json, list);
    if (typeof turns === 'string') return turns;
    const opening = listProperty(json, list).find((turn) => roleOfTurn(turn) === 'user');
    if (opening !== undefined) return property(opening, 'content') ?? property(opening, 'parts');
  }
  return property(json, 'prompt');
}

const digest = (text: string): string => hash('sha256', text, 'hex').slice(0, 32);
