import { parseArgs } from 'node:util';

export interface Options {
  /** Attacks by a part of their names; all of them when empty. */
  readonly only: readonly string[];
  readonly quick: boolean;
  readonly help: boolean;
  /** The gateway that is attacked: one of our own in either kind, or one that stands. */
  readonly gateway: 'one process' | 'services' | { readonly url: string; readonly username: string };
}

/** @throws {UsageProblem} naming what is wrong */
export function parseOptionsOrThrow(parameters: readonly string[]): Options {
  const { only = [], quick, help, servers, url, username } = parseValuesOrThrow(parameters);
  if (servers && url !== undefined) throw new UsageProblem('--servers starts a gateway, --url names one that stands');
  if (url !== undefined && !/^https?:$/.test(URL.parse(url)?.protocol ?? ''))
    throw new UsageProblem('--url takes the address of the public edge, such as http://localhost:8080');
  return {
    only,
    quick,
    help,
    gateway: url !== undefined ? { url: new URL(url).origin, username } : servers ? 'services' : 'one process',
  };
}

function parseValuesOrThrow(parameters: readonly string[]) {
  try {
    return parseArgs({
      args: [...parameters],
      options: {
        only: { type: 'string', multiple: true },
        quick: { type: 'boolean', default: false },
        help: { type: 'boolean', default: false },
        servers: { type: 'boolean', default: false },
        url: { type: 'string' },
        username: { type: 'string', default: 'admin' },
      },
    }).values;
  } catch (error) {
    throw new UsageProblem(error instanceof Error ? error.message : String(error));
  }
}

/** What was typed cannot be obeyed. */
export class UsageProblem extends Error {
  constructor(message: string) {
    super(message);
    this.name = 'UsageProblem';
  }
}

export const usage = `npm run security [-- [--servers | --url <address> [--username <admin>]] [--only <part of a name>] [--quick]]

Attacks a gateway on this machine as its adversaries would and prints what each attack came to. Ends with 1 when one
got through, or could not be tried.

  --servers   services on PostgreSQL and Redis, in place of one process
  --url       a gateway of this machine that stands; the password of its admin is read from ADMIN_PASSWORD.
              What the attacks make there (proxies, groups, keys, users, a policy) is deleted at the end
              Attacks that need other options, or the database, start gateways of their own beside it
  --username  name of that admin; admin
  --only      attacks whose names contain this; may be given several times
  --quick     leaves out what takes long: floods, and others that measure how long callers wait
`;
