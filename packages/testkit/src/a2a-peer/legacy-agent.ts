import { DefaultRequestHandler, InMemoryTaskStore, type AgentExecutor } from 'a2a-sdk-0.3/server';
import { agentCardHandler, jsonRpcHandler, restHandler, UserBuilder } from 'a2a-sdk-0.3/server/express';
import type { AgentState } from './agent-state.ts';
import { stepsOf } from './a2a-behaviour.ts';
import { legacyEvent, textOf } from './legacy-steps.ts';

type Event = Parameters<Parameters<AgentExecutor['execute']>[1]['publish']>[0];

/** An agent of A2A 0.3: JSON-RPC at `/rpc`, HTTP+JSON at `/http`. */
export function mountLegacyAgent({ app, url, tasks, conduct, card }: AgentState): void {
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
    protocolVersion: '0.3.0',
    url: `${url}/rpc`,
    preferredTransport: 'JSONRPC',
    additionalInterfaces: [
      { url: `${url}/rpc`, transport: 'JSONRPC' },
      { url: `${url}/http`, transport: 'HTTP+JSON' },
    ],
    capabilities: { streaming: true, pushNotifications: false },
    defaultInputModes: ['text/plain'],
    defaultOutputModes: ['text/plain'],
  });
  const requestHandler = new DefaultRequestHandler(current(), new InMemoryTaskStore(), executor);
  const options = { requestHandler, userBuilder: UserBuilder.noAuthentication };
  app.use('/.well-known/agent-card.json', agentCardHandler({ agentCardProvider: async () => current() }));
  app.use('/rpc', jsonRpcHandler(options));
  app.use('/http', restHandler(options));
}
