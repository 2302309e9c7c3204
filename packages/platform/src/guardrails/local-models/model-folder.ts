import { readFile, stat } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { problemCode } from '../../errors/problem.ts';

const maxJsonBytes = { 'config.json': 1_048_576, 'tokenizer.json': 67_108_864, 'tokenizer_config.json': 4_194_304 };
type JsonFile = keyof typeof maxJsonBytes;

/** The version that the tests run with. */
export const runtimePackage = 'onnxruntime-node@1.30.0';

/** A file of a model's folder, parsed. @throws naming the file */
export async function readModelJson(folder: string, name: JsonFile): Promise<Readonly<Record<string, unknown>>> {
  const path = join(folder, name);
  await checkSize(path, name, maxJsonBytes[name]);
  try {
    return JSON.parse(await readFile(path, 'utf8')) as Record<string, unknown>;
  } catch (error) {
    throw new Error(`${name} of the model cannot be read as JSON`, { cause: error });
  }
}

/** The path of the ONNX file. Weights beside it, as exports of more than 2 GiB have them, count too. */
export async function findModelFile(folder: string, file: string, maxBytes: number): Promise<string> {
  const path = join(folder, file);
  const bytes = await checkSize(path, file, maxBytes);
  for (const name of [`${file}_data`, `${file}.data`]) {
    const beside = await stat(join(folder, name)).catch(() => undefined);
    if (beside !== undefined && bytes + beside.size > maxBytes) throw tooLarge(name, maxBytes);
  }
  return path;
}

async function checkSize(path: string, name: string, maxBytes: number): Promise<number> {
  try {
    const { size } = await stat(path);
    if (size > maxBytes) throw tooLarge(name, maxBytes);
    return size;
  } catch (error) {
    if (problemCode(error) !== 'ENOENT') throw error;
    throw new Error(`The folder of the model has no file ${name}`, { cause: error });
  }
}

const tooLarge = (name: string, maxBytes: number) =>
  new Error(`${name} of the model is larger than ${Math.floor(maxBytes / 1_048_576)} MiB`);

/**
 * Where the ONNX runtime is installed: with the gateway, or in the folder of the models, which its operator keeps.
 * @throws saying how it is installed
 */
export function findRuntime(modelsFolder: string, own: string = import.meta.url): string {
  const name = 'onnxruntime-node';
  for (const from of [own, join(modelsFolder, 'package.json')]) {
    try {
      return createRequire(from).resolve(name);
    } catch (error) {
      if (problemCode(error) !== 'MODULE_NOT_FOUND') throw error;
    }
  }
  throw new Error(
    `The ONNX runtime is not installed: run "npm install --ignore-scripts --prefix <GUARDRAIL_MODELS_DIR> ${runtimePackage}"`,
  );
}
