import { openKernel, type KernelExports, type KernelPlace } from './open-kernel.ts';
import { textModule } from './text.wasm.ts';

interface Exports extends KernelExports {
  readonly mostUnits: KernelPlace;
  readonly units: KernelPlace;
}

interface TextKernel {
  /** What `assembly/text.ts` exports; the caller says what of that it uses. */
  readonly exports: KernelExports;
  /** Where the text at hand stands, unless it is longer. */
  readonly units: Uint16Array<ArrayBuffer>;
}

let opened: TextKernel | undefined;

/** One for the whole process, made when it is needed first: texts are read one after the other. */
export const textKernel = (): TextKernel => (opened ??= openTextKernel());

function openTextKernel(): TextKernel {
  const exports = openKernel(textModule) as Exports;
  const units = new Uint16Array(exports.memory.buffer, exports.units.value, exports.mostUnits.value);
  return { exports, units };
}
