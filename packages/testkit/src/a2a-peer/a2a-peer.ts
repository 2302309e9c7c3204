import express, { type NextFunction, type Request, type Response } from 'express';
import { once } from 'node:events';
import { createServer, type IncomingHttpHeaders } from 'node:http';
import { findFreePort } from '../free-port.ts';
import type { AgentState, SharedCard } from './agent-state.ts';
import type { A2aBehaviour } from './a2a-behaviour.ts';
import { mountCurrentAgent } from './current-agent.ts';
import { mountLegacyAgent } from './legacy-agent.ts';
import { mountOldestAgent } from './oldest-agent.ts';
import { answerMalformed } from './malformed-answers.ts';
import { RunningTasks } from './running-tasks.ts';

export const a2aGenerations = ['1.0', '0.3', '0.2'] as const;
export type A2aGeneration = (typeof a2aGenerations)[number];

export interface A2aRequest {
  readonly method: string;
  readonly path: string;
  readonly headers: IncomingHttpHeaders;
  /** Parsed. */
  readonly body: unknown;
}

export interface A2aPeer extends AsyncDisposable {
  /** Origin, under which the card stands at its well-known path. */
  readonly url: string;
  /** Oldest first, those for the card included. */
  readonly requests: readonly A2aRequest[];
  /** What is not given stays. */
  behave(change: { readonly conduct?: A2aBehaviour; readonly card?: Partial<SharedCard> }): void;
  /** Slow tasks come to their end from now on. */
  release(): void;
}

const mounts: Readonly<Record<A2aGeneration, (world: AgentState) => void>> = {
  '1.0': mountCurrentAgent,
  '0.3': mountLegacyAgent,
  '0.2': mountOldestAgent,
};

const firstCard: SharedCard = {
  name: 'Echo',
  description: 'Says what it hears',
  version: '1.0.0',
  skills: [{ id: 'echo', name: 'Echo', description: 'Says what it hears', tags: ['test'] }],
};

/** An agent on loopback, made of the official kit of its generation. */
export async function startA2aPeer({
  generation,
  conduct = 'message',
  card: { namedOrigin, path: cardPath } = {},
  bearer,
}: {
  readonly generation: A2aGeneration;
  readonly conduct?: A2aBehaviour;
  /** How its card differs from that of an agent that knows where it is reached. */
  readonly card?: {
    /** Where the card says that the agent is. */
    readonly namedOrigin?: string;
    /** Where the card stands instead of at the well-known path. */
    readonly path?: string;
  };
  /** Without it nothing is answered, the card included. */
  readonly bearer?: string;
}): Promise<A2aPeer> {
  let behaviour = { conduct, card: firstCard };
  const requests: A2aRequest[] = [];
  const tasks = new RunningTasks();
  const port = await findFreePort();
  const url = `http://127.0.0.1:${port}`;

  const app = express();
  app.use(express.json({ limit: '20mb', type: ['application/json', 'application/a2a+json'] }));
  app.use((request, response, next) => {
    const { method, originalUrl: path, headers } = request;
    requests.push({ method, path, headers, body: request.body as unknown });
    // The kit of 0.2 would read the body again: this is how its Express knows that it was read.
    Object.assign(request, { _body: true });
    if (method !== 'POST' || !answerMalformed(behaviour.conduct, response)) next();
  });
  app.use(placeCard({ bearer, cardPath }));
  mounts[generation]({
    app,
    url: namedOrigin ?? url,
    tasks,
    conduct: () => behaviour.conduct,
    card: () => behaviour.card,
  });

  const server = createServer(app).listen(port, '127.0.0.1');
  await once(server, 'listening');
  return {
    url,
    requests,
    behave(change) {
      behaviour = { conduct: change.conduct ?? behaviour.conduct, card: { ...behaviour.card, ...change.card } };
    },
    release: () => tasks.release(),
    async [Symbol.asyncDispose]() {
      tasks.release();
      const closed = once(server, 'close');
      server.close();
      server.closeAllConnections();
      await closed;
    },
  };
}

/** Lets nobody in without the key, and shows the card at a path of its own alone. */
const placeCard =
  ({ bearer, cardPath }: { readonly bearer: string | undefined; readonly cardPath: string | undefined }) =>
  (request: Request, response: Response, next: NextFunction): void => {
    const { originalUrl: path, headers } = request;
    if (bearer !== undefined && headers.authorization !== `Bearer ${bearer}`) {
      response.status(401).set('www-authenticate', 'Bearer').json({ error: 'unauthenticated' });
      return;
    }
    if (cardPath !== undefined && request.path.startsWith('/.well-known/')) {
      response.status(404).end();
      return;
    }
    if (path === cardPath) request.url = '/.well-known/agent-card.json';
    next();
  };
