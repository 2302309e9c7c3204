import { join } from 'node:path';
import type { Agent, Launch, Surroundings } from './agent.ts';

const config = '.continue/config.json';

export const continueCli: Agent = {
  name: 'continue',
  title: 'Continue CLI',
  packages: ['@continuedev/cli@latest'],
  dialect: 'openai chat',
  launch: (surroundings, prompt) => launch(surroundings, [prompt]),
  resume: (surroundings, prompt) => launch(surroundings, ['--resume', prompt]),
};

function launch({ url, key, home }: Surroundings, parameters: readonly string[]): Launch {
  return {
    program: 'cn',
    parameters: ['--config', join(home, config), '--auto', '--print', ...parameters],
    environment: { CONTINUE_TELEMETRY_ENABLED: '0', CONTINUE_CLI_AUTO_UPDATED: 'true' },
    // JSON is YAML, which the agent reads.
    files: {
      [config]: JSON.stringify({
        name: 'gateway',
        version: '1.0.0',
        schema: 'v1',
        models: [
          {
            name: 'Gateway',
            provider: 'openai',
            model: 'gpt-4o',
            apiBase: `${url}/v1`,
            apiKey: key,
            roles: ['chat'],
            capabilities: ['tool_use'],
          },
        ],
      }),
    },
  };
}
