import { createServer } from 'node:net';
import { once } from 'node:events';
import { startChatWebhookPeer, type ChatWebhookPeer } from '@portcullis/testkit/chat-webhook-peer';
import { startEvaluatedEndpoint } from '@portcullis/testkit/evaluated-endpoint';
import { findFreePort } from '@portcullis/testkit/free-port';
import { startLlmPeer, type LlmPeer } from '@portcullis/testkit/llm-peer';
import type { Peer } from '@portcullis/testkit/loopback-peer';
import { startMcpPeer, type McpPeer } from '@portcullis/testkit/mcp-peer';
import { startPlainAgent, type PlainAgent } from '@portcullis/testkit/plain-agent';

/** What stands around the gateway in the demo: the targets behind it and the chat that hears of alerts. */
export interface DemoPeers extends AsyncDisposable {
  readonly llm: LlmPeer;
  readonly mcp: McpPeer;
  readonly agent: PlainAgent;
  readonly chat: ChatWebhookPeer;
  /** Chatbots that are evaluated. */
  readonly bots: { readonly naive: Peer; readonly careful: Peer };
  readonly ports: DemoPorts;
}

export interface DemoPorts {
  /** The gateway's public edge. */
  readonly edge: number;
  readonly llmProxy: number;
  readonly mcpProxy: number;
}

/** What the model says before it gives its secret away. */
export const beforeSecret = 'Sure, the deploy token is ';
/** Made up, with the checksum that tokens of GitHub end with. In two pieces, since it would be found here, too. */
const secret = ['ghp_', 'q7Lw2Zr9Tx4Vb6Nm8Kc3Jd5Hf1Gs0P1fZhh4'].join('');

export async function startDemoPeers(): Promise<DemoPeers> {
  await using opened = new AsyncDisposableStack();
  const llm = opened.use(await startLlmPeer({ reply: answerLikeAModel, chunks: cutInSixes }));
  const mcp = opened.use(await startMcpPeer());
  const agent = opened.use(await startPlainAgent());
  const chat = opened.use(await startChatWebhookPeer());
  const bots = {
    naive: opened.use(await startEvaluatedEndpoint('naive')),
    careful: opened.use(await startEvaluatedEndpoint('strict')),
  };
  const ports = { edge: await pickPort(8080), llmProxy: await pickPort(8090), mcpProxy: await pickPort(8091) };
  const resources = opened.move();
  return { llm, mcp, agent, chat, bots, ports, [Symbol.asyncDispose]: () => resources.disposeAsync() };
}

const answerLikeAModel = (prompt: string): string =>
  prompt.includes('deploy token') ? `${beforeSecret}${secret}, keep it safe.` : `You said: ${prompt}`;

/** So small that no secret fits into one piece. */
const cutInSixes = (text: string): readonly string[] => text.match(/.{1,6}/gs) ?? [text];

/** The wanted port, or a free one when it is taken. */
async function pickPort(wanted: number): Promise<number> {
  const server = createServer().listen(wanted, '127.0.0.1');
  try {
    await once(server, 'listening');
    server.close();
    await once(server, 'close');
    return wanted;
  } catch {
    return findFreePort();
  }
}
