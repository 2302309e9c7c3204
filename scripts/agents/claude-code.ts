import type { Agent, Launch, Surroundings } from './agent.ts';

export const claudeCode: Agent = {
  name: 'claude-code',
  title: 'Claude Code',
  packages: ['@anthropic-ai/claude-code@latest'],
  dialect: 'anthropic messages',
  launch: (surroundings, prompt) => launch(surroundings, ['--', prompt]),
  resume: (surroundings, prompt) => launch(surroundings, ['--continue', '--', prompt]),
};

function launch({ url, key }: Surroundings, parameters: readonly string[]): Launch {
  return {
    program: 'claude',
    parameters: [
      '--print',
      '--permission-mode',
      'acceptEdits',
      '--allowedTools',
      'Read,Edit,Write,Bash',
      ...parameters,
    ],
    environment: {
      ANTHROPIC_BASE_URL: url,
      ANTHROPIC_API_KEY: key,
      CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: '1',
      DISABLE_AUTOUPDATER: '1',
      DISABLE_TELEMETRY: '1',
      DISABLE_ERROR_REPORTING: '1',
    },
  };
}
