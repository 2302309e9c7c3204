import { A2AExpressApp, DefaultRequestHandler, InMemoryTaskStore, type AgentExecutor } from 'a2a-sdk-0.2/server';
import type { AgentState } from './agent-state.ts';
import { stepsOf } from './a2a-behaviour.ts';
import { legacyEvent, textOf } from './legacy-steps.ts';

type Event = Parameters<Parameters<AgentExecutor['execute']>[1]['publish']>[0];

/** An agent of A2A 0.2, whose card does not say so: JSON-RPC at the origin. */
export function mountOldestAgent({ app, url, tasks, conduct, card }: AgentState): void {
  const executor: AgentExecutor = {
    async execute({ userMessage, taskId, contextId, task }, bus) {
      await tasks.run(taskId, contextId, async (ended) => {
        const situation = { heard: textOf(userMessage), goesOn: task !== undefined, ended };
        for await (const step of stepsOf(conduct(), situation)) {
          bus.publish(legacyEvent(step, { taskId, contextId }, userMessage) as Event);
        }
      });
      bus.finished();
    },
    async cancelTask(taskId, bus) {
      const contextId = tasks.cancel(taskId);
      if (contextId === undefined) return;
      bus.publish(legacyEvent({ state: 'canceled' }, { taskId, contextId }, {}) as Event);
      bus.finished();
    },
  };
  const current = () => ({
    ...card(),
    url: `${url}/`,
    capabilities: { streaming: true, pushNotifications: false, stateTransitionHistory: false },
    defaultInputModes: ['text/plain'],
    defaultOutputModes: ['text/plain'],
  });
  const handler = new DefaultRequestHandler(current(), new InMemoryTaskStore(), executor);
  handler.getAgentCard = async () => current();
  // It was made for an earlier Express, of which it uses what is the same.
  new A2AExpressApp(handler).setupRoutes(app as never);
}
