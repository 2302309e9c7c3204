import { join } from 'node:path';
import type { Agent } from './agent.ts';
import { loopsFolder } from './install-agent.ts';

/** An agent of a few lines with the loop of a library, as its users write them. */
const agentLoop = (loop: Omit<Agent, 'launch'>): Agent => ({
  ...loop,
  launch: ({ url, key, installation }, prompt) => ({
    program: 'node',
    parameters: [join(installation, loopsFolder, `${loop.name}.mjs`), prompt],
    environment: { GATEWAY_URL: url, GATEWAY_KEY: key },
  }),
});

export const vercelAi = agentLoop({
  name: 'vercel-ai',
  title: 'Vercel AI SDK',
  packages: ['ai@latest', '@ai-sdk/anthropic@latest', 'zod@latest'],
  dialect: 'anthropic messages',
});

export const langchain = agentLoop({
  name: 'langchain',
  title: 'LangChain createAgent',
  packages: ['langchain@latest', '@langchain/core@latest', '@langchain/openai@latest', 'zod@latest'],
  dialect: 'openai chat',
});

export const openaiAgents = agentLoop({
  name: 'openai-agents',
  title: 'OpenAI Agents SDK',
  packages: ['@openai/agents@latest', 'zod@latest'],
  dialect: 'openai responses',
});
