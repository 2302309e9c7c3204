import { Agent, OpenAIProvider, Runner, tool } from '@openai/agents';
import { fileTools, instructions } from './file-tools.mjs';
import { given } from './given.mjs';

const agent = new Agent({
  name: 'File assistant',
  model: 'gpt-5',
  instructions,
  tools: Object.entries(fileTools).map(([name, { description, schema, run }]) =>
    tool({ name, description, parameters: schema, execute: run }),
  ),
});

const runner = new Runner({
  modelProvider: new OpenAIProvider({ baseURL: `${given.url}/v1`, apiKey: given.key }),
  tracingDisabled: true,
});
const { finalOutput } = await runner.run(agent, given.prompt);
console.log(finalOutput);
