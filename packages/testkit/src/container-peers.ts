import { startChatWebhookPeer } from './chat-webhook-peer.ts';
import { startEvaluatedEndpoint } from './evaluated-endpoint.ts';
import { startLlmPeer } from './llm-peer.ts';
import { answer, startLoopbackPeer } from './loopback-peer.ts';
import { startPlainAgent } from './plain-agent.ts';

// The peers as one container of the compose stack: a model, a chat, an agent, an endpoint that is evaluated, and a port that tells what
// the chat was sent.

const host = '0.0.0.0';
const llmPort = 8091;
const chatPort = 8092;
const agentPort = 8093;
const evaluatedPort = 8094;
const controlPort = 8099;

const llm = await startLlmPeer({ port: llmPort, host, reply: 'Good morning to you.' });
const chat = await startChatWebhookPeer({ port: chatPort, host });
const agent = await startPlainAgent({ port: agentPort, host });
const evaluated = await startEvaluatedEndpoint('strict', undefined, { port: evaluatedPort, host });
const control = await startLoopbackPeer(
  ({ path }, response) => {
    control.forget();
    llm.forget();
    chat.forget();
    if (path === '/posts') return answer(response, 200, chat.posts);
    answer(response, path === '/health' ? 200 : 404, {});
  },
  controlPort,
  undefined,
  host,
);

process.once(
  'SIGTERM',
  () => void Promise.all([llm.down(), chat.down(), agent[Symbol.asyncDispose](), evaluated.down(), control.down()]),
);
