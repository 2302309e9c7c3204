import type { Agent, Launch, Surroundings } from './agent.ts';

export const opencode: Agent = {
  name: 'opencode',
  title: 'opencode',
  packages: ['opencode-ai@latest'],
  dialect: 'openai chat',
  launch: (surroundings, prompt) => launch(surroundings, [prompt]),
  resume: (surroundings, prompt) => launch(surroundings, ['--continue', prompt]),
};

function launch({ url, key }: Surroundings, parameters: readonly string[]): Launch {
  return {
    program: 'opencode',
    parameters: ['run', '--auto', '--model', 'gateway/gpt-5', ...parameters],
    environment: {
      OPENCODE_DISABLE_AUTOUPDATE: '1',
      OPENCODE_DISABLE_LSP_DOWNLOAD: '1',
      OPENCODE_DISABLE_MODELS_FETCH: '1',
    },
    files: {
      '.config/opencode/opencode.json': JSON.stringify({
        autoupdate: false,
        share: 'disabled',
        provider: {
          gateway: {
            npm: '@ai-sdk/openai-compatible',
            name: 'Gateway',
            options: { baseURL: `${url}/v1`, apiKey: key },
            models: { 'gpt-5': { name: 'GPT-5', tool_call: true } },
          },
        },
      }),
    },
  };
}
