import type { Agent } from './agent.ts';

export const qwenCode: Agent = {
  name: 'qwen-code',
  title: 'Qwen Code',
  packages: ['@qwen-code/qwen-code@latest'],
  dialect: 'openai chat',
  launch: ({ url, key }, prompt) => ({
    program: 'qwen',
    parameters: ['--yolo', '--auth-type', 'openai', prompt],
    environment: { OPENAI_BASE_URL: `${url}/v1`, OPENAI_API_KEY: key, OPENAI_MODEL: 'gpt-4o-mini' },
    files: {
      '.qwen/settings.json': JSON.stringify({
        general: { enableAutoUpdate: false },
        privacy: { usageStatisticsEnabled: false },
        telemetry: { enabled: false },
      }),
    },
  }),
};
