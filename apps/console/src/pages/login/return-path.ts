/**
 * The path to return to after a sign-in. It comes from the address, which an attacker may have made: only paths of this console are taken.
 * @param to as the address of the login page has it, below the console or whole
 */
export function returnPath(to: string | undefined, consolePath: string): string {
  if (to === undefined || !to.startsWith('/') || /^\/[/\\]/.test(to)) return consolePath;
  return to.startsWith(consolePath) ? to : `${consolePath}${to.slice(1)}`;
}
