import { join } from 'node:path';
import type { Agent } from './agent.ts';

const config = '.continue/config.json';

export const continueCli: Agent = {
  name: 'continue',
  title: 'Continue CLI',
  packages: ['@continuedev/cli@latest'],
  dialect: 'openai chat',
  launch: ({ url, key, home }, prompt) => ({
    program: 'cn',
    parameters: ['--config', join(home, config), '--auto', '--print', prompt],
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
  }),
};
