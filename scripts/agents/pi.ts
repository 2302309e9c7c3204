import type { Agent } from './agent.ts';

export const pi: Agent = {
  name: 'pi',
  title: 'pi',
  packages: ['@mariozechner/pi-coding-agent@latest'],
  dialect: 'anthropic messages',
  launch: ({ url, key }, prompt) => ({
    program: 'pi',
    parameters: ['--offline', '--provider', 'gateway', '--model', 'claude-opus-4-8', '--print', prompt],
    files: {
      '.pi/agent/models.json': JSON.stringify({
        providers: {
          gateway: { baseUrl: url, api: 'anthropic-messages', apiKey: key, models: [{ id: 'claude-opus-4-8' }] },
        },
      }),
    },
  }),
};
