import { ChatOpenAI } from '@langchain/openai';
import { createAgent, tool } from 'langchain';
import { fileTools, instructions } from './file-tools.mjs';
import { given } from './given.mjs';

const agent = createAgent({
  model: new ChatOpenAI({
    model: 'gpt-4o',
    apiKey: given.key,
    configuration: { baseURL: `${given.url}/v1` },
    maxRetries: 0,
  }),
  systemPrompt: instructions,
  tools: Object.entries(fileTools).map(([name, { description, schema, run }]) =>
    tool(run, { name, description, schema }),
  ),
});

const { messages } = await agent.invoke({ messages: [{ role: 'user', content: given.prompt }] });
console.log(messages.at(-1).content);
