import type { ReadInput } from '@portcullis/platform/mcp-server/mcp-tool';

/** Arguments as clients write them, made to those that the tools have. */
const latest = 'latest';

/** `latest` is what is meant without a version. */
export const readVersion: ReadInput = ({ version, ...given }) =>
  version === undefined || version === latest ? given : { ...given, version };

/** An agent that does not say its name in the arguments has said it as a client. */
export const readAgent: ReadInput = (given, { clientName }) =>
  given['agent_name'] === undefined && clientName !== undefined ? { ...given, agent_name: clientName } : given;

/** What happened may be sent as `description` or as `details`. */
export const readReport: ReadInput = ({ details, ...given }, call) =>
  readAgent(details === undefined ? given : { description: details, ...given }, call);

const spellings = [
  ['from_version', ['old_version', 'version_a', 'version1', 'base_version']],
  ['to_version', ['new_version', 'version_b', 'version2', 'compare_version']],
] as const;

export const readComparison: ReadInput = (given) => {
  const read: Record<string, unknown> = { ...given };
  for (const [name, others] of spellings) {
    for (const other of others) {
      if (read[other] === undefined) continue;
      read[name] ??= read[other];
      delete read[other];
    }
  }
  return read;
};
