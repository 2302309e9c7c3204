import {
  capability,
  chain,
  chainInCode,
  chainInPassage,
  chainInProse,
  signInCode,
  signInProse,
  rulesOf,
} from '../skill-rule.ts';

const r = String.raw;
const writing = r`(?:>>|\btee\b|\becho\b|open\(|write|append|\bcp\b|\bmv\b|\bln\b|\bcat\s?>|Add-Content|Set-Content|\bsed -i)`;
const home = r`(?:~/?|\$HOME/?|\$\{HOME\}/?|/home(?:/\*)?/?|/root/?|/Users/?|%USERPROFILE%|\$env:USERPROFILE|/\*?|C:\\{1,2}(?:Users|Windows)?)`;

/** What stays, what rises, what is destroyed. */
export const systemRules = rulesOf({
  'PER-01': {
    name: 'Scheduler or service entry',
    category: 'persistence',
    severity: 'High',
    rationale: 'A timer or a service goes on running when the task is done and the skill removed.',
    remedy: 'Let the user set up what is to run regularly, and show how to remove it.',
    patterns: [
      chainInCode([r`\bcrontab\b`, r`(?:curl|wget|bash -c|base64|/tmp/|/dev/tcp|nc\b|python3? -c|\.hidden)`]),
      chainInCode([
        r`@reboot|/etc/cron\.(?:d|daily|hourly)|/var/spool/cron|\* \* \* \* \*`,
        r`(?:curl|wget|bash|sh\b|python|/tmp/)`,
        writing,
      ]),
      chainInCode([r`\bschtasks\b[^\n]{0,160}/create`, r`(?:powershell|cmd|http|\.exe|onlogon|hidden)`]),
      chainInCode([
        r`CurrentVersion\\{1,2}Run(?:Once)?\b`,
        r`(?:reg add|Set-ItemProperty|New-ItemProperty|SetValueEx|winreg)`,
      ]),
      signInCode([r`LaunchAgents|LaunchDaemons`, r`(?:launchctl|plist|open\(|write|cat\s?>|cp\b)`]),
      signInCode(
        [
          r`systemctl\b[^\n]{0,60}\benable\b|systemd/(?:system|user)/`,
          r`(?:ExecStart|\.service|write|tee|cat\s?>|cp\b)`,
        ],
        [r`docker|nginx|postgres|redis|sshd|containerd|kubelet`],
      ),
      signInProse([
        r`\b(?:install|add|create|register|set up|schedule)\b`,
        r`\b(?:cron ?job|crontab|launch ?agent|scheduled task|startup (?:item|script|entry)|systemd (?:unit|service)|login item)\b`,
        r`\b(?:silently|automatically|persist\w{0,6}|survives?|every (?:boot|login|reboot)|hidden|background|without)\b`,
      ]),
      capability(r`\b(?:crontab -[el]|launchctl load|systemctl --user enable|schtasks)\b`),
    ],
  },
  'PER-02': {
    name: 'Start-up file or hook of a shell, editor, repository or agent',
    category: 'persistence',
    severity: 'High',
    rationale: 'What is written there runs with each shell, commit, window or session, without the skill.',
    remedy: 'Show the line and let the user add it.',
    patterns: [
      chainInCode(
        [
          r`\.(?:bashrc|zshrc|profile|bash_profile|zprofile|zshenv|config/fish/config\.fish)\b`,
          writing,
          r`(?:curl|wget|base64|/dev/tcp|nc\b|python3? -c|eval|nohup|/tmp/\.|\.hidden|alias (?:sudo|ssh|git|ls)=|PROMPT_COMMAND|trap )`,
        ],
        [r`brew shellenv|direnv|nvm|pyenv|starship|zoxide`],
      ),
      signInCode(
        [r`\.(?:bashrc|zshrc|profile|bash_profile|zprofile|zshenv)\b`, writing],
        [r`PATH|export [A-Z_]{2,40}=|completion|source |brew|shellenv|alias|init`],
      ),
      chainInCode([
        r`\.git/hooks/(?:pre-commit|post-commit|pre-push|post-checkout|post-merge)`,
        r`(?:curl|wget|base64|/dev/tcp|nc\b|requests|nohup)`,
      ]),
      signInCode([r`\.git/hooks/(?:pre-commit|post-commit|pre-push|post-checkout|post-merge)`, writing]),
      chainInCode(
        [
          r`"(?:SessionStart|PreToolUse|PostToolUse|UserPromptSubmit|Stop)"`,
          r`(?:curl|wget|base64|nc\b|/dev/tcp|http)`,
        ],
        [r`\b(?:curl|wget)\b[^"\n]{0,80}https?://(?:localhost|127\.0\.0\.1)[:/\s"\\]`],
      ),
      signInCode([r`\.vscode/tasks\.json|"runOn":\s{0,2}"folderOpen"|\.idea/`, writing]),
      signInCode([r`(?:sitecustomize|usercustomize)\.py|\bsite-packages/[\w.-]{1,60}\.pth\b`, writing]),
      signInProse([
        r`\b(?:add|append|write|insert)\b`,
        r`(?:\.bashrc|\.zshrc|\.bash_profile|\.profile|git hooks?|pre-commit hook|SessionStart)\b`,
        r`\b(?:silently|automatically|persist\w{0,6}|every (?:shell|session|login|commit)|without (?:asking|telling))\b`,
      ]),
      capability([r`\.(?:bashrc|zshrc|bash_profile)\b`, writing]),
    ],
  },
  'PRV-01': {
    name: 'Rights gained',
    category: 'privilege_escalation',
    severity: 'High',
    rationale: 'The skill gives itself or everyone more rights than the user’s task needs.',
    remedy: 'Work with the rights of the user; say which command needs more and why.',
    patterns: [
      signInCode(r`\bchmod\s{1,3}(?:-R\s{1,3})?0?777\s{1,3}/tmp/\.[\w.-]{2,40}`),
      chainInProse(
        [
          r`\b(?:grant|give|add|assign|share|invite|promote|elevate|set)\b`,
          r`\b(?:admin(?:istrator)?|owner|editor|write|full|root|maintainer|collaborator|superuser)\b[^.\n]{0,30}\b(?:access|rights|role|permissions?|privileges|to)\b`,
          r`\b(?:silently|without (?:asking|telling|notifying|confirm\w{0,8}|prompting)|automatically|in the background|[\w.+-]{1,40}@[\w-]{1,40}\.[a-z]{2,10}|every (?:new|repository|document|project))\b`,
        ],
        [r`\b(?:never|do not|don't|must not|least|not)\b`],
      ),
      chain([r`NOPASSWD`, r`(?:ALL|sudoers|echo|tee|visudo)`], [r`\b(?:check|detect|audit)\b`]),
      chainInCode([r`\b(?:chmod)\b[^\n]{0,20}\s(?:u\+s|[4-7][0-7]{3}|\+s)\s`, r`(?:/bin/|/usr/|/tmp/|\$)`]),
      chainInCode(
        r`\bchmod\s{1,3}(?:-R\s{1,3})?0?777\s{1,3}(?!/tmp/|/var/www|/data)(?:/|~|\$HOME|/etc|/root|/usr)(?:\s|$|/\S{0,40})`,
      ),
      chainInCode([r`\b(?:/etc/sudoers|/etc/passwd|/etc/group)\b`, r`(?:>>|\btee\b|'a'|"a"|'w'|"w"|sed -i|usermod)`]),
      signInCode(r`\bos\.set(?:uid|euid|gid)\(\s{0,2}0\s{0,2}\)|\bsetuid\(0\)|\bpkexec\b`),
      chainInCode([r`\becho\b[^\n|]{1,60}\|\s{0,3}sudo\s{1,3}-S\b`]),
      signInCode([r`-Verb\s{1,3}RunAs|ShellExecuteW?\([^\n]{0,40}runas`, r`(?:-WindowStyle Hidden|http|-enc|bypass)`]),
      signInProse(
        [
          r`\b(?:grant|give|request|obtain|gain|need|escalate to)\b`,
          r`\b(?:unrestricted|root|administrator|full (?:system|disk|admin)|sudo|elevated|superuser)\b[^.\n]{0,20}\b(?:access|privileges?|permissions?|rights)\b`,
          r`\b(?:every|all|always|nothing|no deny|without|automatically|silently|any)\b`,
        ],
        [r`\b(?:never|not|avoid|don't|least)\b`],
      ),
      capability(r`\bsudo\s{1,3}[a-z]`),
    ],
  },
  'PRV-02': {
    name: 'Protection switched off',
    category: 'privilege_escalation',
    severity: 'High',
    rationale: 'Quarantine, antivirus, firewall or checks of certificates stand between a user and harm.',
    remedy: 'Leave it on; have the program signed or the certificate trusted.',
    patterns: [
      chainInProse(
        [
          r`\b(?:do not|don't|not|skip|no need to|avoid|never)\b (?:\w{1,12} ){0,3}?(?:write|include|add|check|flag|test|review|mention|warn|report|look|perform|run)\w{0,3}\b`,
          r`\b(?:sql injections?|security (?:checks?|issues?|vulnerabilit\w{1,3}|tests?|review|scans?|warnings?)|injection vulnerabilit\w{1,3}|authentication (?:checks?|tests?)|hard-?coded (?:secrets|credentials))\b`,
        ],
        [
          r`\b(?:public(?:ly)?|github issues?|issue tracker|without|until|unless|only|secret values?|instead|false positives?|already)\b`,
        ],
      ),
      chainInProse(
        [
          r`\b(?:prefer|use|always|build|construct|write|generate|recommend)\b`,
          r`\bstring (?:concatenation|interpolation|formatting)|\bf-strings?|\bconcatenat\w{2,5}\b`,
          r`\b(?:sql|queries|query|where clauses?)\b`,
        ],
        [r`\b(?:never|avoid|don't|do not|instead of|rather than|vulnerab\w{2,6}|injection|parameteri[sz]ed|bad)\b`],
      ),
      chain([r`\bxattr\s{1,3}-\w{0,2}[dc]\w{0,2}\b`, r`(?:com\.apple\.quarantine|-cr|-rc|-c\b)`]),
      chain(r`\bspctl\s{1,3}--(?:master|global)-disable\b|\bcsrutil\s{1,3}disable\b`),
      chain(r`\b(?:Set|Add)-MpPreference\b[^\n]{0,120}(?:Disable\w{3,40}|Exclusion\w{3,20})`),
      chain(
        r`\b(?:setenforce\s{1,2}0|SELINUX=disabled|apparmor_parser -R|systemctl\s{1,2}(?:stop|disable)\s{1,2}(?:apparmor|auditd|firewalld|ufw|clamav|falcon-sensor))\b`,
      ),
      chain(r`\b(?:iptables\s{1,3}-F|ufw\s{1,3}disable|netsh\s{1,3}advfirewall[^\n]{0,60}\boff)\b`),
      signInCode([
        r`\b(?:verify\s{0,2}=\s{0,2}False|rejectUnauthorized:\s{0,2}false|NODE_TLS_REJECT_UNAUTHORIZED\s{0,2}=\s{0,2}['"]?0|CERT_NONE|InsecureSkipVerify:\s{0,2}true)`,
        r`(?:token|password|secret|api_?key|authorization|credential)`,
      ]),
      chainInCode(
        r`\b(?:Set-ExecutionPolicy\s{1,3}(?:Bypass|Unrestricted)\b[^\n]{0,60}-Force|amsiInitFailed|AmsiScanBuffer)`,
      ),
      chainInProse(
        [
          r`\b(?:disable|turn off|switch off|bypass|deactivate|stop|kill|uninstall)\b`,
          r`\b(?:antivirus|anti-virus|gatekeeper|windows defender|smartscreen|endpoint protection|edr|security (?:software|monitoring|agent|controls?|logging)|audit logging|firewall|selinux|apparmor)\b`,
        ],
        [r`\b(?:never|do not|don't|not|detect|avoid|whether|attacker|check)\b`],
      ),
      chainInProse(
        [
          r`\b(?:skip|disable|bypass|omit|do not (?:run|perform)|ignore|suppress)\b`,
          r`\b(?:security (?:checks?|scans?|review|validation|warnings?)|signature verification|certificate (?:verification|validation)|input validation|permission checks?|sql injection|authentication checks?|vulnerability (?:checks?|scan))\b`,
        ],
        [r`\b(?:never|don't|not|detect|avoid|finds?|code that|attack|must)\b`],
      ),
      capability(
        r`\b(?:curl\s{1,3}(?:-\w{0,6}k\w{0,6}|--insecure)\b|verify\s{0,2}=\s{0,2}False|rejectUnauthorized:\s{0,2}false)`,
      ),
    ],
  },
  'DES-01': {
    name: 'Files or disks wiped',
    category: 'destructive',
    severity: 'High',
    rationale: 'The home folder, the root or a device is deleted or overwritten.',
    remedy: 'Delete only what the skill made, by its full path, after asking.',
    patterns: [
      chain(
        `\\brm\\s{1,3}-(?:\\w{0,4}[rR]\\w{0,4}f|\\w{0,4}f\\w{0,4}[rR])\\w{0,3}\\s{1,3}(?:--no-preserve-root\\s{1,3})?["']?${home}["'\`]?(?:\\s|$|;|&|\\))`,
      ),
      chain(r`\brm\s{1,3}-\w{1,6}\s{1,3}--no-preserve-root\b`),
      // Beyond the folder in which the agent works.
      signInCode(r`\brm\s{1,3}-\w{0,4}[rR]\w{0,4}\s[^\n|;&]{0,160}(?:\s|^)(?:\.\./){1,6}(?:\.?\*|\s|$)`),
      chain(r`\bmkfs(?:\.\w{2,6})?\s{1,3}(?:-\w{1,3}\s{1,3})?/dev/(?!loop)\w{2,12}`),
      chain(r`\bdd\b[^\n]{0,80}\bof=/dev/(?:sd|nvme|hd|vd|disk|mmcblk)\w{0,8}`, [r`raspberry|sd card|flash`]),
      chain(r`:\(\)\s{0,2}\{\s{0,2}:\s{0,2}\|\s{0,2}:\s{0,2}&\s{0,2}\}\s{0,2};\s{0,2}:`),
      chainInCode([
        r`\b(?:shutil\.rmtree|rmSync|rimraf|fs\.rm|FileUtils\.rm_rf|os\.RemoveAll)\(`,
        r`(?:expanduser\(\s{0,2}['"]~/?['"]|Path\.home\(\)\s{0,2}[,)]|homedir\(\)\s{0,2}[,)]|['"]/['"]\s{0,2}[,)]|environ\[['"]HOME['"]\]\s{0,2}[,)])`,
      ]),
      chain([
        r`\b(?:Remove-Item|rd /s|del /[sfq])\b[^\n]{0,80}`,
        r`(?:C:\\{1,2}\*?(?:\s|$)|\$env:USERPROFILE(?:\s|$|\\\*)|%USERPROFILE%|C:\\{1,2}(?:Users|Windows)\\?\*?(?:\s|$))`,
      ]),
      chainInCode(r`\bfind\s{1,3}(?:/|~|\$HOME)\s[^\n]{0,100}(?:-delete\b|-exec\s{1,3}(?:rm|shred))`),
      chainInProse(
        [
          r`\b(?:delete|remove|wipe|erase|destroy|clear|clean up|shred|purge)\b`,
          r`\b(?:all|every|entire|everything|whole)\b[^.\n]{0,40}\b(?:files|directories|folders|documents|data|backups?|home directory|disk|workspace|database|repository|records|contents)\b`,
          r`\b(?:immediately|without (?:asking|confirm\w{0,8}|prompting|warning)|permanently|silently|irrevers\w{3,8}|do not ask|automatically|recursively|system|home)\b`,
        ],
        [r`\b(?:never|do not delete|don't delete|not delete|confirm before|ask before|temporary|cache|build)\b`],
      ),
    ],
  },
  'DES-02': {
    name: 'Ransom, mass deletion or history destroyed',
    category: 'destructive',
    severity: 'High',
    rationale:
      'Files are encrypted and their originals removed, tables dropped, backups and histories made irrecoverable.',
    remedy: 'Keep what was there; ask before every change that cannot be taken back.',
    patterns: [
      chainInPassage(
        [
          r`\b(?:password-protected|encrypted|encrypt)\b`,
          r`\b(?:zip|archives?|files?|documents?)\b`,
          r`\b(?:delete|remove|shred|destroy|wipe)\b[^.\n]{0,20}\b(?:originals?|source files?|unencrypted|plaintext)\b`,
        ],
        [r`\b(?:never|do not|don't)\b`],
      ),
      chainInCode(
        [r`\b(?:encrypt|Fernet|AES|cipher|gpg -c|openssl enc)\b`, r`\b(?:os\.remove|unlink|rm -|shred|rmSync)\b`],
        [r`tmp|temp`],
      ),
      chainInProse(
        [r`\b(?:ransom|decryption key|your files have been encrypted)\b`, r`\b(?:bitcoin|btc|monero|pay|wallet)\b`],
        [r`\b(?:detect|ransomware (?:detection|protection|defen[sc]e))\b`],
      ),
      chainInProse(
        [
          r`\bencrypt(?:s|ing)?\b`,
          r`\b(?:all|every|user(?:'s)?|documents?|files)\b`,
          r`\b(?:delete|remove|shred|destroy|overwrite|wipe)\b[^.\n]{0,30}\b(?:original|originals|source files?|plaintext|them|unencrypted)\b`,
        ],
        [r`\b(?:never|not)\b`],
      ),
      chainInCode(
        r`\b(?:vssadmin\s{1,3}delete\s{1,3}shadows|wbadmin\s{1,3}delete|bcdedit\b[^\n]{0,60}recoveryenabled\s{1,3}no|tmutil\s{1,3}deletelocalsnapshots)\b`,
      ),
      signInCode(
        [r`\bgit\s{1,3}push\b[^\n]{0,80}(?:--force\b(?!-with)|\s-f\b)`, r`\b(?:main|master|origin|HEAD)\b`],
        [r`force-with-lease|gh-pages`],
      ),
      signInProse(
        [
          r`\b(?:force[- ]push|git push --force|push -f)\b`,
          r`\b(?:always|automatically|without|immediately|directly|main|master|shared|any conflict|fails?|rejected)\b`,
        ],
        [r`\b(?:never|do not|don't|avoid|unless|not)\b`],
      ),
      signInCode(
        [
          r`\b(?:DROP\s{1,3}(?:DATABASE|SCHEMA)|TRUNCATE\s{1,3}TABLE|DELETE\s{1,3}FROM\s{1,3}\w{1,40}\s{0,2};|FLUSHALL)\b`,
          r`(?:execute\(|query\(|psql|mysql|redis-cli|\bCASCADE\b)`,
        ],
        [r`IF EXISTS|test|tmp`],
      ),
      signInCode([
        r`\bgit\s{1,3}(?:reset\s{1,3}--hard|clean\s{1,3}-\w{0,4}f|reflog\s{1,3}expire|filter-branch|branch\s{1,3}-D)\b`,
        r`(?:&&|;|--all|--force|-D\s{1,3}\$|HEAD~\d{1,3})`,
      ]),
    ],
  },
  'MIN-01': {
    name: 'Mining',
    category: 'crypto_mining',
    severity: 'Critical',
    rationale: 'The user’s machine earns coins for someone else.',
    remedy: 'Remove it.',
    patterns: [
      chain(
        r`\b(?:xmrig|minerd|cgminer|cpuminer|ethminer|nbminer|t-rex|lolminer|phoenixminer)\b[^\n]{0,80}(?:\s-o\b|--url|--pool|-u\b|--donate|://)`,
      ),
      chain(r`\bstratum\+(?:tcp|ssl|tls)://[\w.-]{3,80}`),
      chain(
        r`\b(?:pool\.minexmr|supportxmr|moneroocean|nanopool|ethermine|nicehash|hashvault|2miners|minergate|f2pool)\.(?:com|org|stream|pro)\b`,
      ),
      chain(r`\b(?:coinhive|cryptoloot|coin-?imp|webmine|deepminer)\b[^\n]{0,60}(?:\.js|\.min|Anonymous|\(|start)`),
      chainInProse([
        r`\b(?:mine|mining|miner)\b`,
        r`\b(?:cryptocurrency|monero|bitcoin|xmr|coins?)\b`,
        r`\b(?:background|idle|silently|spare|unused|while)\b`,
        r`\b(?:cpu|gpu|machine|computer|resources|cycles|run|start)\b`,
      ]),
    ],
  },
  'SBX-01': {
    name: 'Way out of the sandbox',
    category: 'sandbox_escape',
    severity: 'High',
    rationale: 'The container’s or the agent’s walls are what makes running a stranger’s skill bearable.',
    remedy: 'Stay within the sandbox; ask for what has to be mounted.',
    patterns: [
      chainInCode([
        r`\bdocker\b[^\n]{0,160}\brun\b`,
        r`(?:--privileged|--pid[= ]host|-v\s{1,3}/:/|--cap-add[= ](?:SYS_ADMIN|ALL))`,
      ]),
      signInCode([r`/var/run/docker\.sock`, r`(?:\bcurl\b|-v\s{1,3}|--unix-socket|mount)`]),
      chain(r`\bnsenter\b[^\n]{0,80}(?:-t\s{0,2}1\b|--target\s{0,2}1\b|--mount|-m\b)`),
      chainInCode(
        r`/proc/1/(?:root|ns|cwd)\b|\brelease_agent\b|\bnotify_on_release\b|/sys/fs/cgroup[^\n]{0,60}release`,
      ),
      chainInCode([
        r`\bLD_PRELOAD\b|DYLD_INSERT_LIBRARIES`,
        r`(?:=|export|environ|/etc/ld\.so\.preload)`,
        r`[/=\s"':](?!lib(?:jemalloc|tcmalloc\w{0,10}|asan|gomp|mimalloc|faketime)[.\d-])[\w.-]{1,60}\.(?:so|dylib)\b`,
      ]),
      signInCode(r`\bptrace\(\s{0,2}(?:PTRACE_)?(?:ATTACH|POKE|0x10)|\bprocess_vm_writev\b`),
      signInProse(
        [
          r`\b(?:escape|break out of|bypass|disable|circumvent)\b`,
          r`\b(?:the (?:sandbox|container|jail)|sandboxing|sandbox restrictions|isolation)\b`,
          r`\b(?:execute|run|access|command|instead)\b`,
        ],
        [r`\b(?:never|prevent|detect|do not|don't|not|if the sandbox|cannot|attacker|vulnerab\w{1,8})\b`],
      ),
    ],
  },
});
