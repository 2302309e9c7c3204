/**
 * The address to go on to after a sign-in: one of this console and nothing else, for it may come from a link that somebody sent.
 * @param to as the address of the login page has it, below the console or whole
 */
export function wantedPage(to: string | undefined, consolePath: string): string {
  if (to === undefined || !to.startsWith('/') || /^\/[/\\]/.test(to)) return consolePath;
  return to.startsWith(consolePath) ? to : `${consolePath}${to.slice(1)}`;
}
