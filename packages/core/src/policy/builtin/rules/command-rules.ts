import { draftRules, type Shared } from './draft-rules.ts';
import { userOrigins } from './rule-origins.ts';

/*
 * Commands in the arguments of tools: what runs code that came over the network, opens a shell to
 * somebody else, stays after the session or destroys. Ordinary commands of developers are none of these.
 */

const shared: Shared = {
  category: 'Tool Security',
  owasp: ['LLM06:2025', 'ASI02:2026'],
  origins: userOrigins,
  conditions: { direction: 'request' },
};

export const commandRules = draftRules(shared, {
  'pipe-to-shell': [
    'Download piped into a shell',
    'Critical',
    `\\b(?:curl|wget|fetch)\\b[^\\n|;]{0,200}\\|\\s{0,3}(?:sudo\\s{1,3})?(?:ba|z|da|k)?sh\\b`,
    `\\b(?:curl|wget)\\b[^\\n|;]{0,200}\\|\\s{0,3}(?:sudo\\s{1,3})?(?:python|perl|ruby|node|php)\\d?\\b`,
  ],
  'shell-of-download': [
    'Shell that runs a download',
    'Critical',
    `\\b(?:ba|z|da)?sh\\s{1,3}(?:-c\\s{1,3})?["']?(?:<\\(|\\$\\(|\`)\\s{0,3}(?:curl|wget)\\b`,
    `\\beval\\s{0,3}["'(]{0,2}(?:\\$\\(|\`)\\s{0,3}(?:curl|wget|base64)\\b`,
  ],
  'download-then-run': [
    'Download made executable and run',
    'Critical',
    `(?<=\\b(?:curl|wget)\\b[^\\n]{0,280})(?:&&|;)\\s{0,3}chmod\\s{1,3}(?:\\+x|[0-7]{3,4})\\b`,
  ],
  'reverse-shell-bash': [
    'Reverse shell through the shell’s own sockets',
    'Critical',
    `/dev/(?:tcp|udp)/[\\w.-]{3,80}/\\d{1,5}`,
  ],
  'reverse-shell-netcat': [
    'Reverse shell with netcat',
    'Critical',
    `(?<=\\b(?:nc|ncat|netcat)\\b[^\\n;|]{0,60}\\s(?:-\\w{0,4}e|--exec|-c)\\s{1,3}["']?)(?:/bin/(?:ba|da|z|k|c)?sh|/usr/bin/\\w{0,3}sh|cmd\\.exe|bash\\b|powershell)`,
    `\\bmkfifo\\s{1,3}/[\\w/.-]{2,40}[^\\n]{0,120}\\b(?:nc|ncat|netcat|telnet|openssl)\\b`,
  ],
  'reverse-shell-script': [
    'Reverse shell in a script',
    'Critical',
    `\\bsocket\\b[^\\n]{0,200}\\bconnect\\b[^\\n]{0,200}\\b(?:dup2|subprocess|pty\\.spawn|/bin/(?:ba)?sh)\\b`,
    `\\bfsockopen\\b[^\\n]{0,120}\\b(?:exec|shell_exec|proc_open|system)\\b`,
    `\\bTCPSocket\\b[^\\n]{0,120}\\b(?:exec|spawn|popen)\\b`,
  ],
  'socat-shell': [
    'Shell offered with socat',
    'Critical',
    `\\bsocat\\b[^\\n]{0,120}\\bexec:["']?(?:/bin/)?(?:ba|z|da|c)?sh\\b`,
  ],
  'base64-to-shell': [
    'Encoded text decoded into a shell',
    'Critical',
    `\\bbase64\\s{1,3}(?:-d|-D|--decode)\\b[^\\n;]{0,80}\\|\\s{0,3}(?:sudo\\s{1,3})?(?:(?:ba|z|da)?sh|python\\d?|perl|node)\\b`,
    `\\bxxd\\s{1,3}-r\\b[^\\n;]{0,60}\\|\\s{0,3}(?:ba|z|da)?sh\\b`,
  ],
  'chained-removal': [
    'Removal chained behind another command',
    'Critical',
    `(?<=[;&|\\n\`(]\\s{0,3}(?:sudo )?)rm -\\w{0,3}(?:rf|fr)\\w{0,3}\\s{1,3}(?:--no-preserve-root\\s{1,3})?["']?[/~*.$]`,
  ],
  'removal-of-root': [
    'Removal of the whole system or home',
    'Critical',
    `\\brm -(?:rf|fr|r -f|f -r|rfv|Rf) (?:--no-preserve-root )?["']?(?:/|~|~/|\\$HOME|/\\*|/(?:etc|usr|var|home|boot|bin)/?)["']?(?=\\s|$|[;&|"'])`,
  ],
  'disk-overwrite': [
    'Disk overwritten or formatted',
    'Critical',
    `\\bdd\\s[^\\n;|]{0,80}\\bof=/dev/(?:sd|nvme|hd|vd|disk|mmcblk)\\w`,
    `\\bmkfs(?:\\.\\w{2,6})?\\s{1,3}(?:-\\w{1,3}\\s{1,3}){0,4}/dev/\\w`,
    `>\\s{0,2}/dev/(?:sd|nvme|hd|vd)[a-z0-9]{1,6}\\b`,
  ],
  'fork-bomb': ['Fork bomb', 'High', `:\\(\\)\\s{0,2}\\{\\s{0,2}:\\s{0,2}\\|\\s{0,2}:`, `%0\\|%0`],
  'injected-command': [
    'Command behind a separator in an argument',
    'High',
    `(?<=[\\w"')/.-]\\s{0,3}(?:;|\\||&&)\\s{0,3})(?:cat /etc/(?:passwd|shadow)|whoami(?=\\s{0,3}(?:$|[;|&#"']))|uname -a|nslookup [\\w.-]{4,80}|ping -[cn] \\d{1,4} [\\w.-]{4,80})`,
  ],
  'substituted-command': [
    'Command substituted into an argument',
    'High',
    `(?:\\$\\(|\`)\\s{0,3}(?:whoami|cat\\s{1,3}/etc/\\w{3,10}|curl\\s{1,3}[^)\`]{4,120}|wget\\s{1,3}[^)\`]{4,120}|nslookup\\s{1,3}[^)\`]{4,80}|uname\\s{1,3}-a|env|printenv)\\s{0,3}(?:\\)|\`|\\|)`,
  ],
  'data-out-by-command': [
    'File sent out by a command',
    'Critical',
    `(?<=\\bcurl\\s[^\\n;|]{0,120})(?:@|\\$\\(cat |< )["']?[\\w./~-]{0,30}(?:\\.env\\b|id_rsa|id_ed25519|\\.ssh/|\\.aws/|credentials|\\.npmrc|\\.kube|/etc/)`,
    `\\b(?:cat|tar|env|printenv|history|zip)\\b[^\\n;]{0,120}\\|\\s{0,3}(?:base64[^\\n|;]{0,20}\\|\\s{0,3})?(?:curl|ncat|wget)\\b`,
  ],
  'data-out-by-dns': [
    'Data sent out in host names',
    'High',
    `\\b(?:nslookup|dig|host)\\s{1,3}["']?(?:\\$\\(|\`)[^\\n)\`]{2,120}(?:\\)|\`)[\\w.-]{3,80}`,
  ],
  'powershell-encoded': [
    'Encoded PowerShell',
    'Critical',
    `\\bp(?:ower)?w?sh(?:ell)?(?:\\.exe)?\\b[^\\n]{0,120}\\s-e(?:nc|ncodedcommand|c)?\\s{1,3}["']?[A-Za-z0-9+/]{24}`,
  ],
  'powershell-download': [
    'PowerShell that runs a download',
    'Critical',
    `\\b(?:iex|invoke-expression)\\b[^\\n]{0,60}(?:downloadstring|invoke-webrequest|iwr|irm|net\\.webclient)\\b`,
    `\\b(?:iwr|irm|invoke-webrequest|invoke-restmethod)\\b[^\\n|]{0,160}\\|\\s{0,3}(?:iex|invoke-expression)\\b`,
  ],
  'windows-download-tool': [
    'Windows tool abused to download',
    'High',
    `\\bcertutil(?:\\.exe)?\\s[^\\n]{0,60}-urlcache\\b`,
    `\\bbitsadmin(?:\\.exe)?\\s[^\\n]{0,60}/transfer\\b`,
    `\\bmshta(?:\\.exe)?\\s{1,3}["']?(?:https?:|javascript:|vbscript:)`,
    `\\bregsvr32(?:\\.exe)?\\s[^\\n]{0,60}/i:https?:`,
    `\\brundll32(?:\\.exe)?\\s{1,3}javascript:`,
  ],
  'credential-dump': [
    'Credentials dumped from memory or store',
    'Critical',
    `\\b(?:mimikatz|sekurlsa::|lsadump::|procdump\\w{0,4}(?:\\.exe)?\\s[^\\n]{0,40}lsass|secretsdump\\.py|comsvcs\\.dll,?\\s{0,3}minidump)`,
    `\\breg(?:\\.exe)?\\s{1,3}save\\s{1,3}hklm\\\\(?:sam|security|system)\\b`,
    `\\bsecurity\\s{1,3}(?:dump-keychain|find-generic-password)\\b[^\\n]{0,60}-[dwg]\\b`,
  ],
  'setuid-or-sudoers': [
    'Lasting root rights',
    'Critical',
    `\\bchmod\\s{1,3}(?:u\\+s|[24-7][0-7]{3})\\s{1,3}/(?:bin|usr|sbin|tmp)/`,
    `\\b(?:tee|>>)\\s{0,3}(?:-a\\s{1,3})?/etc/sudoers`,
    `\\bnopasswd:\\s{0,3}all\\b`,
  ],
  'persistence-cron': [
    'Command planted in the schedule',
    'High',
    `\\|\\s{0,3}crontab\\s{1,3}-`,
    `(?:>>?|\\btee\\b(?:\\s{1,3}-a)?)\\s{0,3}/etc/cron(?:tab|\\.d/|\\.hourly/|\\.daily/)`,
    `\\bschtasks(?:\\.exe)?\\s[^\\n]{0,40}/create\\b`,
  ],
  'persistence-shell-profile': [
    'Command planted in a shell profile',
    'High',
    `>>\\s{0,3}["']?(?:~|\\$HOME|/root|/home/\\w{1,32})/\\.(?:bashrc|zshrc|profile|bash_profile|zprofile)`,
  ],
  'persistence-ssh-key': [
    'Key added to those that may log in',
    'Critical',
    `(?:>>?|\\btee\\b(?:\\s{1,3}-a)?)\\s{0,3}["']?[\\w~$/.-]{0,60}\\.ssh/authorized_keys`,
  ],
  'persistence-service': [
    'Service or autostart planted',
    'High',
    `(?<=(?:>|\\btee|\\bcp\\s[^\\n]{0,60})\\s{0,3}["']?)(?:/etc/systemd/system|/lib/systemd/system)/`,
    `(?<=(?:>|\\bcp\\s)[^\\n]{0,60})Library/Launch(?:Agents|Daemons)/`,
    `\\breg(?:\\.exe)?\\s{1,3}add\\s{1,3}["']?hk(?:cu|lm)\\\\[^\\n"]{0,60}\\\\currentversion\\\\run\\b`,
  ],
  'preload-hijack': [
    'Library planted before all others',
    'High',
    `\\bLD_PRELOAD\\s{0,2}=\\s{0,2}["']?[/.~]`,
    `\\bDYLD_INSERT_LIBRARIES\\s{0,2}=`,
    `>>?\\s{0,3}/etc/ld\\.so\\.preload`,
  ],
  'defences-off': [
    'Defences switched off',
    'High',
    `\\bset-mppreference\\b[^\\n]{0,60}-disable\\w{4,40}\\s{1,3}\\$?true`,
    `\\b(?:systemctl|service)\\s{1,3}(?:stop|disable|mask)\\s{1,3}(?:auditd|apparmor|falcon-sensor|clamav\\S{0,10}|firewalld|ufw|rsyslog)`,
    `\\bsetenforce\\s{1,3}0\\b`,
    `\\biptables\\s{1,3}(?:-F|--flush)\\b`,
    `\\bnetsh\\s{1,3}advfirewall\\s{1,3}set\\s{1,3}\\w{4,16}\\s{1,3}state\\s{1,3}off`,
  ],
  'traces-removed': [
    'Traces removed',
    'Medium',
    `\\bhistory\\s{1,3}-c\\b[^\\n]{0,30}(?:&&|;|$)`,
    `\\bunset\\s{1,3}HISTFILE\\b`,
    `\\b(?:rm|shred|truncate|>)\\s{1,3}(?:-\\w{1,6}\\s{1,3}){0,3}/var/log/(?:auth|secure|syslog|wtmp|audit)`,
    `\\bwevtutil(?:\\.exe)?\\s{1,3}cl\\b`,
  ],
  'account-created': [
    'Account with all rights created',
    'High',
    `\\bnet\\s{1,3}localgroup\\s{1,3}administrators?\\s{1,3}\\S{1,40}\\s{1,3}/add\\b`,
    `\\busermod\\s{1,3}-a?G\\s{1,3}(?:sudo|wheel|root|docker)\\b`,
    `\\buseradd\\b[^\\n]{0,60}\\s-o\\s{1,3}-u\\s{1,3}0\\b|\\buseradd\\b[^\\n]{0,60}-u\\s{0,3}0\\s{1,3}-o\\b`,
  ],
  'container-escape': [
    'Way out of a container',
    'Critical',
    `\\bdocker\\s{1,3}run\\b[^\\n]{0,160}(?:--privileged|-v\\s{0,3}/:/|--pid[= ]host|-v\\s{0,3}/var/run/docker\\.sock)`,
    `\\bnsenter\\b[^\\n]{0,60}(?:-t|--target)\\s{0,3}1\\b`,
    `/proc/1/root\\b|/sys/fs/cgroup/\\S{0,40}release_agent\\b`,
  ],
  'cluster-secrets': [
    'Secrets of a cluster or cloud account listed',
    'High',
    `\\bkubectl\\b[^\\n]{0,60}\\bget\\s{1,3}secrets?\\b[^\\n]{0,60}(?:-o\\s{0,3}(?:yaml|json)|--all-namespaces|-A\\b)`,
    `/var/run/secrets/kubernetes\\.io/serviceaccount/token`,
    `\\baws\\s{1,3}(?:secretsmanager\\s{1,3}get-secret-value|ssm\\s{1,3}get-parameters?\\b[^\\n]{0,80}--with-decryption|iam\\s{1,3}create-access-key|sts\\s{1,3}get-session-token)\\b`,
  ],
  'crypto-mining': [
    'Mining of crypto currency',
    'High',
    `\\bstratum\\+(?:tcp|ssl|tls)://[\\w.-]{4,80}`,
    `\\b(?:xmrig|minerd|cpuminer|ethminer|nbminer|t-rex|lolminer|nicehash)(?:\\.exe)?\\s{1,3}(?:-{1,2}\\w{1,12}[ =])`,
    `--(?:donate-level|coin|algo)[ =](?:monero|xmr|randomx|cn/r|\\d)`,
  ],
  'ransom-encryption': [
    'Files encrypted in bulk',
    'Critical',
    `\\bfind\\s{1,3}[/~.]\\S{0,60}[^\\n]{0,120}-exec\\s{1,3}(?:openssl\\s{1,3}enc|gpg\\s{1,3}(?:-c|--symmetric)|ccrypt)\\b`,
    `\\bvssadmin(?:\\.exe)?\\s{1,3}delete\\s{1,3}shadows\\b`,
    `\\bwbadmin(?:\\.exe)?\\s{1,3}delete\\s{1,3}catalog\\b`,
  ],
  'repository-hook': [
    'Command planted in a hook or an install script',
    'High',
    `>>?\\s{0,3}["']?[\\w./~-]{0,60}\\.git/hooks/(?:pre|post)-\\w{4,12}`,
    `"(?:pre|post)install"\\s{0,3}:\\s{0,3}"[^"\\n]{0,80}(?:curl|wget|node\\s{1,3}-e|base64|powershell)\\b`,
  ],
  'package-from-address': [
    'Package installed from a bare address',
    'Medium',
    `\\b(?:pip3?|npm|pnpm|yarn|gem)\\s{1,3}(?:install|add|i)\\s{1,3}(?:-\\S{1,30}\\s{1,3}){0,4}["']?https?://(?!github\\.com|gitlab\\.com|registry\\.|files\\.pythonhosted\\.org|pypi\\.org)`,
    `\\b(?:pip3?|npm)\\s{1,3}(?:install|i)\\b[^\\n]{0,80}(?:--index-url|--extra-index-url|--registry)[ =]http://`,
  ],
});
