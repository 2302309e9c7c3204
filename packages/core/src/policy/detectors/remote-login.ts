/*
 * `user@host` that names a login on another machine, not a person's mailbox: remotes of repositories, addresses with a user in them,
 * and what stands on the command lines of programs that log in.
 */

/** The user of an address, with or without a password behind it: `ssh://git@`, `postgres://app:x@`. `mailto:` has no authority. */
const userinfo = /(?:^|[^a-z\d+.-])[a-z][a-z\d+.-]{1,30}:\/\/(?:[^\s/@:]*:)?$/i;

/** A path behind a colon, as git and scp write it; a blank or a word alone is none. */
const remotePath = /^:(?:~|\/|[\w.~-]+\/)/;

/** Users that forges give to everyone. */
const sharedUser = /^(?:git|hg|svn|gitea|forgejo)@/i;

const programs: ReadonlySet<string> = new Set([
  'ssh',
  'scp',
  'sftp',
  'mosh',
  'sshfs',
  'autossh',
  'ssh-copy-id',
  'ssh-keyscan',
  'rsync',
]);
/** Between the words of a command line. */
const parting = /[\s"'`$(;|&]+/;
const copiers: ReadonlySet<string> = new Set(['rsync', 'scp']);

/** Whether a program that copies to other machines stands before it in its line. */
const isCopied = (before: string): boolean =>
  before
    .slice(before.lastIndexOf('\n') + 1)
    .split(parting)
    .some((word) => copiers.has(word));

/** Whether a program that logs in stands before it, with nothing between them but options and what these are given. */
function isArgument(before: string): boolean {
  if (!/\s$/.test(before)) return false;
  const words = before.trimEnd().split(parting);
  for (let at = words.length - 1; at >= 0; at -= 1) {
    const word = words[at] ?? '';
    if (programs.has(word.slice(word.lastIndexOf('/') + 1))) return true;
    if (word.startsWith('-')) continue;
    if (words[at - 1]?.startsWith('-') !== true) return false;
  }
  return false;
}

export const isRemoteLogin = (match: string, before: string, after: string): boolean =>
  userinfo.test(before) ||
  remotePath.test(after) ||
  sharedUser.test(match) ||
  (after.startsWith(':') && isCopied(before)) ||
  isArgument(before);
