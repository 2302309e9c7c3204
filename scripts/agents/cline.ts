import type { Agent } from './agent.ts';

export const cline: Agent = {
  name: 'cline',
  title: 'Cline CLI',
  packages: ['cline@latest'],
  dialect: 'openai chat',
  launch: ({ url, key }, prompt) => ({
    program: 'cline',
    parameters: ['--provider', 'openai-compatible', '--auto-approve', 'true', prompt],
    environment: {
      CLINE_TELEMETRY_DISABLED: '1',
      CLINE_NO_AUTO_UPDATE: '1',
      // Else it starts a daemon that outlives it, and the next run speaks to that of the one before.
      CLINE_SESSION_BACKEND_MODE: 'local',
    },
    files: {
      '.cline/data/settings/providers.json': JSON.stringify({
        version: 1,
        lastUsedProvider: 'openai-compatible',
        modes: {},
        providers: {
          'openai-compatible': {
            settings: { provider: 'openai-compatible', apiKey: key, model: 'gpt-4o', baseUrl: `${url}/v1` },
            updatedAt: '2026-01-01T00:00:00.000Z',
            tokenSource: 'manual',
          },
        },
      }),
    },
  }),
};
