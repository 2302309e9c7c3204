/** Where this console lies, with a slash at its end: scripts are in its folder `assets`. In development Vite serves them from another folder. */
export const consolePath = import.meta.env.DEV ? '/' : new URL(/* @vite-ignore */ '../', import.meta.url).pathname;

/** The API lies beside the console, below the same prefix. */
export const apiPath = new URL('../api/v1', new URL(consolePath, location.origin)).pathname;

export function socketAddress(): string {
  const address = new URL('../ws', new URL(consolePath, location.origin));
  address.protocol = address.protocol === 'https:' ? 'wss:' : 'ws:';
  return address.href;
}
