import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { root } from '../steps.mjs';

const run = promisify(execFile);

/** The containers of one stack, by the names of their services. */
export interface Engine {
  /** Runs the compose command with these parameters. */
  compose(...parameters: string[]): Promise<string>;
  /** Runs `docker COMMAND CONTAINER` for the container of a service. */
  onContainer(command: readonly string[], service: string): Promise<void>;
  /** Cuts the container of a service off from all others, or joins it again under its name. */
  cutOff(service: string): Promise<void>;
  join(service: string): Promise<void>;
}

/**
 * Finds Docker and one of the two compose commands.
 * @throws {Error} with what to do when there is none
 */
export async function openEngine(project: string, files: readonly string[], env: NodeJS.ProcessEnv): Promise<Engine> {
  await run('docker', ['info']).catch(() => {
    throw new Error('No Docker engine answers. Start one, or set DOCKER_HOST.');
  });
  const [program, ...first] = await findCompose();
  const options = [...first, '-p', project, ...files.flatMap((file) => ['-f', file])];
  const maxBuffer = 16 * 1024 * 1024;
  const compose = async (...parameters: string[]) =>
    (await run(program, [...options, ...parameters], { cwd: root, env, maxBuffer })).stdout;
  const idOf = async (service: string) => {
    const id = (await compose('ps', '-q', service)).trim();
    if (id === '') throw new Error(`The stack has no container of ${service}`);
    return id;
  };
  const network = `${project}_default`;
  return {
    compose,
    onContainer: async (command, service) => void (await run('docker', [...command, await idOf(service)])),
    cutOff: async (service) => void (await run('docker', ['network', 'disconnect', network, await idOf(service)])),
    join: async (service) =>
      void (await run('docker', ['network', 'connect', '--alias', service, network, await idOf(service)])),
  };
}

async function findCompose(): Promise<readonly [string, ...string[]]> {
  const candidates = [['docker', 'compose'] as const, ['docker-compose'] as const];
  for (const [program, ...first] of candidates) {
    const found = await run(program, [...first, 'version']).catch(() => undefined);
    if (found !== undefined) return [program, ...first];
  }
  throw new Error('Neither `docker compose` nor `docker-compose` is installed.');
}
