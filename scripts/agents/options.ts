import { parseArgs } from 'node:util';

export interface Options {
  readonly agents: readonly string[];
  readonly policies: readonly string[];
  /** Leaves homes, folders and outputs of the runs behind. */
  readonly keep: boolean;
  readonly help: boolean;
}

/**
 * Parses the command line; what is not narrowed is everything known.
 * @throws {UsageProblem} naming what is wrong and what is allowed
 */
export function parseOptionsOrThrow(
  parameters: readonly string[],
  known: { readonly agents: readonly string[]; readonly policies: readonly string[] },
): Options {
  const values = parseValuesOrThrow(parameters);
  return {
    agents: pickOrThrow('--agent', values.agent, known.agents),
    policies: pickOrThrow('--policy', values.policy, known.policies),
    keep: values.keep,
    help: values.help,
  };
}

function parseValuesOrThrow(parameters: readonly string[]) {
  try {
    return parseArgs({
      args: [...parameters],
      options: {
        agent: { type: 'string', multiple: true },
        policy: { type: 'string', multiple: true },
        keep: { type: 'boolean', default: false },
        help: { type: 'boolean', default: false },
      },
    }).values;
  } catch (error) {
    throw new UsageProblem(error instanceof Error ? error.message : String(error));
  }
}

function pickOrThrow(
  option: string,
  given: readonly string[] | undefined,
  known: readonly string[],
): readonly string[] {
  const wanted = given?.flatMap((list) => list.split(',')).map((name) => name.trim());
  const unknown = wanted?.find((name) => !known.includes(name));
  if (unknown !== undefined) throw new UsageProblem(`${option} knows ${known.join(', ')}; not "${unknown}"`);
  return wanted ?? known;
}

/** What was typed cannot be obeyed. */
export class UsageProblem extends Error {
  constructor(message: string) {
    super(message);
    this.name = 'UsageProblem';
  }
}

export const renderUsage = (known: { agents: readonly string[]; policies: readonly string[] }): string =>
  `npm run agents [-- --agent <name>[,<name>]] [--policy <name>[,<name>]] [--keep]

Installs the current versions of agents from the package registry, drives each through a gateway of its own with
three tasks, and prints what the built-in policies make of what they send. Ends with 1 when anything is blocked.

  --agent   ${known.agents.join(', ')}
  --policy  ${known.policies.join(', ')}
  --keep    leaves the folders, homes and outputs of the runs behind and says where
`;
