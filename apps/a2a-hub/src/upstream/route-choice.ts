import type { Route } from '@portcullis/core/a2a/protocol-version';
import { AgentFailure } from './agent-failure.ts';
import { findNextRoute } from './find-next-route.ts';
import { readFault } from './read-fault.ts';
import type { UpstreamAgent } from './upstream-agent.ts';

/** An answer, and over which interface it came. */
export interface Answered<Value> {
  readonly value: Value;
  readonly route: Route;
}

/** Which interface of an agent is called. */
export class RouteChoice {
  /** What was learned of the interfaces of a card: which of them the agent really speaks. */
  readonly #learned = new WeakMap<UpstreamAgent['routes'], Route>();

  /** Tries a call on the interface that is known to work, and once more on another where nothing was taken. */
  async attempt<Value>(
    { routes }: Pick<UpstreamAgent, 'routes'>,
    run: (route: Route) => Promise<Value>,
  ): Promise<Answered<Value>> {
    const first = this.#learned.get(routes) ?? firstOf(routes);
    try {
      return { value: await run(first), route: first };
    } catch (error) {
      const failure = readFault(error);
      const next = findNextRoute(routes, first, failure);
      if (next === undefined) throw failure;
      const value = await run(next).catch((second: unknown) => {
        // The first answer says more about the agent than what a guess came to.
        throw readFault(second).untouched ? failure : readFault(second);
      });
      this.#learned.set(routes, next);
      return { value, route: next };
    }
  }
}

function firstOf([first]: UpstreamAgent['routes']): Route {
  if (first === undefined) throw new AgentFailure('nonsense', 'The agent has no interface that can be called');
  return first;
}
