import type { Agent, Launch, Surroundings } from './agent.ts';

export const qwenCode: Agent = {
  name: 'qwen-code',
  title: 'Qwen Code',
  packages: ['@qwen-code/qwen-code@latest'],
  dialect: 'openai chat',
  launch: (surroundings, prompt) => launch(surroundings, [prompt]),
  resume: (surroundings, prompt) => launch(surroundings, ['--continue', prompt]),
};

function launch({ url, key }: Surroundings, parameters: readonly string[]): Launch {
  return {
    program: 'qwen',
    parameters: ['--yolo', '--auth-type', 'openai', ...parameters],
    environment: { OPENAI_BASE_URL: `${url}/v1`, OPENAI_API_KEY: key, OPENAI_MODEL: 'gpt-4o-mini' },
    files: {
      '.qwen/settings.json': JSON.stringify({
        general: { enableAutoUpdate: false },
        privacy: { usageStatisticsEnabled: false },
        telemetry: { enabled: false },
      }),
    },
  };
}
