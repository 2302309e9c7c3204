import { startChatWebhookPeer } from './chat-webhook-peer.ts';
import { startEvaluatedEndpoint } from './evaluated-endpoint.ts';
import { startLangfusePeer } from './langfuse-peer.ts';
import { startLlmPeer } from './llm-peer.ts';
import { answer, startLoopbackPeer } from './loopback-peer.ts';
import { startPlainAgent } from './plain-agent.ts';
import { startElasticPeer } from './vendor-peers.ts';

// The peers as one container of the compose stack: a model, a chat, a SIEM, a service for traces, an agent, an endpoint that
// is evaluated, and a port that tells what those were sent that take messages.

const host = '0.0.0.0';
const llmPort = 8091;
const chatPort = 8092;
const agentPort = 8093;
const evaluatedPort = 8094;
const siemPort = 8095;
const tracesPort = 8096;
const controlPort = 8099;

const llm = await startLlmPeer({ port: llmPort, host, reply: 'Good morning to you.' });
const chat = await startChatWebhookPeer({ port: chatPort, host });
const agent = await startPlainAgent({ port: agentPort, host });
const evaluated = await startEvaluatedEndpoint('strict', undefined, { port: evaluatedPort, host });
const siem = await startElasticPeer('peer-key', { port: siemPort, host });
const traces = await startLangfusePeer(
  { publicKey: 'pk-lf-peer', secretKey: 'sk-lf-peer' },
  { port: tracesPort, host },
);

/** What came, by the path that tells it. */
const reports: Readonly<Record<string, () => unknown>> = {
  '/posts': () => chat.posts,
  '/siem': () => siem.taken,
  '/traces': () => [...traces.traces.values()].map(({ attributes }) => attributes['portcullis.request.id']),
};

const control = await startLoopbackPeer(
  ({ path }, response) => {
    for (const peer of [control, llm, chat, siem, traces]) peer.forget();
    const report = reports[path];
    if (report !== undefined) return answer(response, 200, report());
    answer(response, path === '/health' ? 200 : 404, {});
  },
  controlPort,
  undefined,
  host,
);

process.once(
  'SIGTERM',
  () =>
    void Promise.all([llm, chat, siem, traces, agent, evaluated, control].map((peer) => peer[Symbol.asyncDispose]())),
);
