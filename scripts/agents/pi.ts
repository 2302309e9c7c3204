import type { Agent, Launch, Surroundings } from './agent.ts';

export const pi: Agent = {
  name: 'pi',
  title: 'pi',
  packages: ['@mariozechner/pi-coding-agent@latest'],
  dialect: 'anthropic messages',
  launch: (surroundings, prompt) => launch(surroundings, [prompt]),
  resume: (surroundings, prompt) => launch(surroundings, ['--continue', prompt]),
};

function launch({ url, key }: Surroundings, parameters: readonly string[]): Launch {
  return {
    program: 'pi',
    parameters: ['--offline', '--provider', 'gateway', '--model', 'claude-opus-4-8', '--print', ...parameters],
    files: {
      '.pi/agent/models.json': JSON.stringify({
        providers: {
          gateway: { baseUrl: url, api: 'anthropic-messages', apiKey: key, models: [{ id: 'claude-opus-4-8' }] },
        },
      }),
    },
  };
}
