/* Which commands fetch, pass on, wrap and run. */

/** What writes what a server answers. */
export const downloaders: ReadonlySet<string> = new Set(
  'curl wget wget2 fetch aria2c axel lynx links elinks w3m http https xh curlie GET lwp-request lwp-download nc ncat netcat dig host nslookup telnet'.split(
    ' ',
  ),
);
/** Those that print; the others write a file unless they are told otherwise. */
export const printingCommands: ReadonlySet<string> = new Set(
  'curl lynx links elinks w3m http https xh curlie GET lwp-request nc ncat netcat dig host nslookup telnet'.split(' '),
);

export const shells: ReadonlySet<string> = new Set('sh bash zsh dash ksh mksh ash fish rbash csh tcsh'.split(' '));
/** With the option behind which a program stands. */
export const interpreters: ReadonlyMap<string, RegExp> = new Map([
  ...[...shells].map((name) => [name, /^-\w*c$/] as const),
  ['python', /^-[BIsEu]*c$/],
  ['perl', /^-\w*[eE]$/],
  ['ruby', /^-\w*e$/],
  ['node', /^(?:-[ep]+|--eval|--print)$/],
  ['nodejs', /^(?:-[ep]+|--eval|--print)$/],
  ['bun', /^(?:-e|--eval)$/],
  ['deno', /^eval$/],
  ['php', /^-r$/],
  ['lua', /^-e$/],
  ['osascript', /^-e$/],
  ['Rscript', /^-e$/],
  ['tclsh', /^$/],
  ['pwsh', /^-(?:c|Command)$/i],
  ['powershell', /^-(?:c|Command)$/i],
]);

/** Options that take a word: of wrappers and of interpreters. */
export const wrappers: ReadonlyMap<string, RegExp> = new Map([
  ['sudo', /^-[ugUhpCTRD]$|^--(?:user|group|prompt|chdir)$/],
  ['doas', /^-[uC]$/],
  ['su', /^-[slgG]$/],
  ['env', /^-[uC]$|^--(?:unset|chdir)$/],
  ['nohup', /^$/],
  // Of a Dockerfile.
  ['RUN', /^$/],
  ['CMD', /^$/],
  ['exec', /^-a$/],
  ['command', /^$/],
  ['builtin', /^$/],
  ['nice', /^-n$/],
  ['ionice', /^-[cn]$/],
  ['timeout', /^-[ks]$/],
  ['gtimeout', /^-[ks]$/],
  ['stdbuf', /^-[ioe]$/],
  ['setsid', /^$/],
  ['time', /^-[fo]$/],
  ['unbuffer', /^$/],
  ['caffeinate', /^-[tw]$/],
  ['busybox', /^$/],
  ['toybox', /^$/],
  ['chroot', /^$/],
  ['unshare', /^$/],
  ['flock', /^-[wE]$/],
  ['watch', /^-n$/],
  ['strace', /^-[oe]$/],
  ['proxychains', /^-f$/],
  ['proxychains4', /^-f$/],
  ['torsocks', /^$/],
  ['xvfb-run', /^$/],
  ['arch', /^$/],
  ['ssh', /^-[iploFJ]$/],
]);
/** Wrappers with so many words of their own before the command. */
export const ownWords: ReadonlyMap<string, number> = new Map([
  ['timeout', 1],
  ['gtimeout', 1],
  ['chroot', 1],
  ['flock', 1],
  ['ssh', 1],
]);

/** The same in PowerShell, where capitals make no difference. */
export const webCmdlets: ReadonlySet<string> = new Set(
  'invoke-webrequest invoke-restmethod iwr irm start-bitstransfer'.split(' '),
);

/** Variables whose value others run. */
export const runVariables: ReadonlySet<string> = new Set(
  'BASH_ENV ENV PROMPT_COMMAND GIT_SSH_COMMAND GIT_PAGER GIT_EDITOR GIT_EXTERNAL_DIFF PAGER MANPAGER EDITOR VISUAL LESSOPEN SUDO_ASKPASS SSH_ASKPASS'.split(
    ' ',
  ),
);

/** Commands that print the files they are given. */
export const printers: ReadonlySet<string> = new Set(
  'cat head tail less more tac rev nl zcat gzcat bzcat xzcat strings dd cut sed awk grep base64 xxd openssl tr gunzip gzip xz bzip2 zstd iconv dos2unix'.split(
    ' ',
  ),
);
/** What installs packages. */
export const installers: ReadonlySet<string> = new Set(
  'pip pip3 pipx uv uvx poetry npm pnpm yarn bun npx gem'.split(' '),
);
export const copiers: ReadonlySet<string> = new Set(['cp', 'mv', 'ln', 'install']);
export const decoders: RegExp = /^(?:base64|base32|xxd|openssl|uudecode|basenc)$/;

/** Names that somebody spells oddly only to hide them. */
export const commandsWorthHiding: ReadonlySet<string> = new Set(
  'curl wget bash sh zsh dash ksh python python3 perl ruby node php nc ncat netcat eval exec source base64 rm chmod crontab ssh scp socat telnet osascript dd mkfifo sudo cat'.split(
    ' ',
  ),
);

const verifiers: ReadonlySet<string> = new Set(
  'sha1sum sha224sum sha256sum sha384sum sha512sum shasum gpg gpg2 cosign minisign md5sum b2sum rsign'.split(' '),
);

const binders: ReadonlySet<string> = new Set('export declare local readonly typeset'.split(' '));

export type Role =
  | 'wrapper'
  | 'downloader'
  | 'cmdlet'
  | 'interpreter'
  | 'copier'
  | 'binder'
  | 'installer'
  | 'printer'
  | 'verifier';

/** By name; the first of several counts. */
const roles: ReadonlyMap<string, Role> = new Map(
  (
    [
      ['verifier', verifiers],
      ['binder', binders],
      ['printer', printers],
      ['installer', installers],
      ['copier', copiers],
      ['interpreter', interpreters.keys()],
      ['cmdlet', webCmdlets],
      ['downloader', downloaders],
      ['wrapper', wrappers.keys()],
    ] as const
  ).flatMap(([role, names]) => Array.from(names, (name): [string, Role] => [name, role])),
);

/** What a command does, as far as it is known. */
export const roleOf = (name: string): Role | undefined =>
  roles.get(name) ?? (/^[\w-]{3,24}$/.test(name) && webCmdlets.has(name.toLowerCase()) ? 'cmdlet' : undefined);
