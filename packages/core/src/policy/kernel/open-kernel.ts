/** The part of the engine's own interface that we use; no library of types has it without a browser. */
declare const WebAssembly: {
  readonly Module: new (bytes: Uint8Array) => object;
  readonly Instance: new (module: object) => { readonly exports: object };
};

/** What every kernel exports beside its functions. */
export interface KernelExports {
  readonly memory: {
    readonly buffer: ArrayBuffer;
    /** By pages of 64 KiB. The caller makes views afterwards. */
    grow(pages: number): void;
  };
}

/** A place in the memory of a kernel, in bytes. */
export interface KernelPlace {
  readonly value: number;
}

/**
 * An instance of its own of a kernel: WebAssembly in base64, as `npm run generate` writes it. Its memory is as large as
 * its module says; views of it hold until it grows. Its numbers are little-endian, as are those of all
 * processors that matter. Its caller says as what: the functions and places that its source exports.
 */
export const openKernel = (module: string): KernelExports =>
  new WebAssembly.Instance(compile(module)).exports as KernelExports;

const compiled = new Map<string, object>();

/** Each module is compiled once, however many instances it has. */
function compile(module: string): object {
  let known = compiled.get(module);
  if (known === undefined) {
    known = new WebAssembly.Module(Buffer.from(module, 'base64'));
    compiled.set(module, known);
  }
  return known;
}
