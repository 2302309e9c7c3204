import type { Agent, Launch, Surroundings } from './agent.ts';

export const codex: Agent = {
  name: 'codex',
  title: 'Codex CLI',
  packages: ['@openai/codex@latest'],
  dialect: 'openai responses',
  launch: (surroundings, prompt) => launch(surroundings, ['exec', ...unasked, prompt]),
  resume: (surroundings, prompt) => launch(surroundings, ['exec', 'resume', '--last', ...unasked, prompt]),
};

/** The sandbox is Linux's own and is missing in many containers; the task's folder is a temporary one. */
const unasked = ['--skip-git-repo-check', '--dangerously-bypass-approvals-and-sandbox'];

function launch({ url, key }: Surroundings, parameters: readonly string[]): Launch {
  return {
    program: 'codex',
    parameters,
    environment: { GATEWAY_KEY: key },
    files: {
      '.codex/config.toml': `model_provider = "gateway"
check_for_update_on_startup = false

[model_providers.gateway]
name = "Gateway"
base_url = "${url}/v1"
env_key = "GATEWAY_KEY"
wire_api = "responses"

[analytics]
enabled = false
`,
    },
  };
}
