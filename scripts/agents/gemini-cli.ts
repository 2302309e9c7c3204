import type { Agent, Launch, Surroundings } from './agent.ts';

export const geminiCli: Agent = {
  name: 'gemini-cli',
  title: 'Gemini CLI',
  packages: ['@google/gemini-cli@latest'],
  dialect: 'gemini',
  launch: (surroundings, prompt) => launch(surroundings, ['--prompt', prompt]),
  resume: (surroundings, prompt) => launch(surroundings, ['--resume', 'latest', '--prompt', prompt]),
};

function launch({ url, key }: Surroundings, parameters: readonly string[]): Launch {
  return {
    program: 'gemini',
    parameters: ['--skip-trust', '--yolo', '--model', 'gemini-2.5-flash', ...parameters],
    environment: { GOOGLE_GEMINI_BASE_URL: url, GEMINI_API_KEY: key },
    files: {
      '.gemini/settings.json': JSON.stringify({
        security: { auth: { selectedType: 'gemini-api-key' } },
        general: { enableAutoUpdate: false, enableAutoUpdateNotification: false },
        privacy: { usageStatisticsEnabled: false },
        telemetry: { enabled: false },
      }),
    },
  };
}
