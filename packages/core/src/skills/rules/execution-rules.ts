import {
  ability,
  chain,
  chainInCode,
  chainInPassage,
  chainInProse,
  detected,
  signInCode,
  signInPassage,
  signInProse,
  rulesOf,
} from '../skill-rule.ts';
import { knownAddress } from './known-hosts.ts';
import { interpreter, pastePlace } from './vocabulary.ts';

const r = String.raw;
const decoding = r`(?:base64\.b(?:64|32|85)decode|b64decode|base64\.(?:urlsafe_)?b64decode|a85decode|bytes\.fromhex|unhexlify|zlib\.decompress|gzip\.decompress|marshal\.loads|codecs\.decode|atob\(|Buffer\.from\([^\n]{1,300}['"](?:base64|hex)['"]|FromBase64String|Base64\.decode64|base64_decode|gzinflate|str_rot13|unescape\(|String\.fromCharCode)`;
const running = r`(?:\beval\s{0,2}\(|\bexec\s{0,2}\(|\bexecfile\(|\bFunction\s{0,2}\(|os\.system\(|os\.popen\(|subprocess\.\w{2,14}\(|child_process|execSync\(|spawnSync?\(|\bcompile\(|__import__\(|Invoke-Expression|\biex\b|vm\.runIn|instance_eval|shell_exec\(|system\()`;

/** No program of its own stands behind it, which would take what comes in as data. */
const readsInput = r`(?!\s{1,3}(?:-m\b|-\w?[ceEnpr]|[\w~"'\x24{}-]{1,40}[./]\w|["'\x24]))`;

/** What runs although no reviewer has read it. */
export const executionRules = rulesOf({
  'OBF-01': {
    name: 'Decoded and run',
    category: 'obfuscation',
    severity: 'Critical',
    rationale: 'Code that is unpacked only to be run is written so that no reviewer reads it.',
    remedy: 'Ship the code as it is.',
    patterns: [
      chain([r`\bbase64\s{1,3}(?:-d\b|-D\b|--decode\b|-di\b)[^\n]{0,120}`, `\\|\\s{0,3}${interpreter}`]),
      chain([
        r`\b(?:echo|printf)\b\s{1,3}["']?[A-Za-z0-9+/=]{24,400}["']?`,
        r`\|\s{0,3}(?:base64|openssl|xxd)\b`,
        `\\|\\s{0,3}${interpreter}`,
      ]),
      chain(
        [
          r`\b(?:xxd -r|openssl (?:enc|base64)|gunzip|zcat|rev|tr)\b`,
          r`\b(?:echo|printf|cat|<<<)`,
          `\\|\\s{0,3}${interpreter}`,
        ],
        [r`xargs|docker load|psql|mysql`],
      ),
      chain(r`\b(?:eval|sh -c|bash -c)\s{1,3}["'(]{0,2}(?:\$\(|\`)[^\n)\`]{0,200}\b(?:base64|xxd|openssl)\b`),
      chainInCode([running, decoding], [r`lambda|JSON\.parse`]),
      chain(r`\b(?:powershell|pwsh)(?:\.exe)?\b[^\n]{0,120}\s-(?:e|en|enc|enco\w{1,12})\s{1,3}[A-Za-z0-9+/=]{16,400}`),
      chainInCode([
        r`FromBase64String`,
        r`(?:Invoke-Expression|\biex\b|Reflection\.Assembly|Start-Process|\.Invoke\()`,
      ]),
      chainInCode([r`\bpython3?\b\s{1,3}-c\b`, r`(?:b64decode|fromhex|zlib|marshal|exec\()`], [r`json`]),
      detected('decoded-to-execution'),
      detected('decoded-order'),
      signInProse(
        [
          r`\b(?:decode|decodes|decoded|decoding)\b`,
          r`\b(?:base64|hex|rot13)\b`,
          r`\b(?:execute|run|eval|follow|interpret|pipe)\b`,
          r`\b(?:instructions?|commands?|payload|result|string|it)\b`,
        ],
        [r`\b(?:jwt|image|response|certificate)\b`],
      ),
    ],
  },
  'OBF-02': {
    name: 'Assembled name or reflective call',
    category: 'obfuscation',
    severity: 'High',
    languages: ['python', 'javascript', 'shell', 'powershell', 'php', 'ruby'],
    rationale: 'The name of what is called is put together at run time, so that a search for it finds nothing.',
    remedy: 'Call it by its name.',
    patterns: [
      chainInCode(
        r`\bgetattr\(\s{0,3}(?:os|subprocess|builtins|__builtins__|sys|importlib)\s{0,3},\s{0,3}['"][^'"\n]{0,20}['"]\s{0,3}\+`,
      ),
      chainInCode(
        r`\bgetattr\(\s{0,3}(?:__builtins__|builtins|__import__\([^)\n]{1,40}\))\s{0,3},\s{0,3}[^\n)]{1,80}\)\s{0,2}\(`,
      ),
      chainInCode(r`(?:globals|locals|vars)\(\)\s{0,2}\[[^\]\n]{1,80}\]\s{0,2}\(`),
      signInCode(r`['"]__builtins__['"]\s{0,2}:\s{0,2}__builtins__`),
      chainInCode(r`__builtins__\s{0,2}(?:\[|\.__dict__|\.__getattribute__)[^\n]{0,80}\(`),
      chainInCode(
        r`\b(?:window|global|globalThis|self|this)\s{0,2}\[\s{0,2}(?:['"][^'"\n]{1,12}['"]\s{0,2}\+|atob\(|String\.fromCharCode)`,
      ),
      chainInCode(r`\[\]\[['"]?(?:constructor|filter|flat)['"]?\]\s{0,2}\[['"]?constructor['"]?\]`),
      chainInCode(
        r`\b\w{0,6}(?:cu['"\\]{1,2}r['"\\]{0,2}l|c['"\\]{1,2}url|w['"\\]{1,2}get|ba['"\\]{1,2}sh|ev['"\\]{1,2}al|e['"\\]{1,2}val)\b\s`,
      ),
      chainInCode(r`__import__\(\s{0,2}(?:['"][^'"\n]{1,12}['"]\s{0,2}\+|chr\(|''\.join|""\.join|b64decode|base64)`),
      chainInCode(r`\$\{IFS\}|\$IFS\$?9?[\w/]`, [r`IFS=|while |read\b`]),
      signInCode(r`chr\(\d{2,3}\) ?\+ ?chr\(\d{2,3}\) ?\+ ?chr\(\d{2,3}\)`),
      signInCode(r`String\.fromCharCode\(\s{0,2}(?:\d{2,3}\s{0,2},\s{0,2}){6,400}\d{2,3}`),
      // What the folding of constants finds: no part of it is the name, all of them together are.
      detected('assembled-name'),
    ],
  },
  'OBF-03': {
    name: 'Packed or padded payload',
    category: 'obfuscation',
    severity: 'High',
    rationale:
      'Long literals without words, arrays of numbers and files that are not what their name says keep something from being read.',
    remedy: 'Ship the source; keep data in data files.',
    patterns: [
      chainInCode([r`\b(?:_0x[a-f0-9]{3,8})\b`, r`_0x[a-f0-9]{3,8}\s{0,2}[([]`, r`(?:push|shift|parseInt|\(function)`]),
      signInCode([r`\b(?:exec|eval|Function)\s{0,2}\(`, r`['"][A-Za-z0-9+/=]{400,600}`]),
      signInCode([r`\bfor\b[^\n]{0,120}`, r`(?:\^|ord\(|charCodeAt)`, r`\bchr\(|fromCharCode`, r`(?:exec|eval|key)`]),
      signInCode(r`\beval\(function\(p,a,c,k,e,[dr]\)`),
      // A file whose first bytes contradict its name.
      detected('disguised-file'),
      detected('executable-file', 'sign'),
      signInCode(r`(?:\\x[0-9a-f]{2}){24,60}`),
    ],
  },
  'RCE-01': {
    name: 'Download piped into an interpreter',
    category: 'remote_code_execution',
    severity: 'High',
    rationale:
      'What runs is what the server answers that day, to that caller. Makers of well-known tools do it too, so it counts less from their hosts.',
    remedy: 'Install a pinned version from a package registry, or ship the script and its checksum.',
    patterns: [
      // In one line that nothing hides, also where it was encoded.
      chain(
        `\\b(?:curl|wget)\\b[^\\n|;]{0,200}\\bhttps?://(?!${knownAddress})[^\\n|;]{3,200}\\|\\s{0,3}${interpreter}${readsInput}`,
      ),
      // Through whatever commands and files it goes, and however they are spelled.
      detected('download-run'),
      detected('doubtful-download-run', 'sign'),
      detected('known-download-run', 'capability'),
      chain(
        [
          r`\b(?:iex|Invoke-Expression)\b|\[scriptblock\]::Create\b`,
          r`(?:\birm\b|\biwr\b|Invoke-WebRequest|Invoke-RestMethod|DownloadString)`,
        ],
        [
          `(?:\\birm\\b|\\biwr\\b|Invoke-WebRequest|Invoke-RestMethod|DownloadString)[^\\n:.]{0,60}https?://${knownAddress}`,
          r`\birm\s{1,2}get\.scoop\.sh\b`,
        ],
      ),
      chain(r`\b(?:mshta|regsvr32|rundll32|certutil|bitsadmin|wscript|cscript)(?:\.exe)?\s[^\n]{0,120}https?://`),
      chainInCode(
        r`\bpython3?\b\s{1,3}-c\b[^\n]{0,200}(?:urlopen|requests\.get)\([^\n]{1,200}(?:exec\(|\.read\(\)\)\))`,
      ),
    ],
  },
  'RCE-02': {
    name: 'Fetched and run in code',
    category: 'remote_code_execution',
    severity: 'Critical',
    languages: ['python', 'javascript', 'ruby', 'php', 'go', 'powershell'],
    rationale:
      'Code that came over the network is evaluated, imported or made executable: the skill is what its server says that day.',
    remedy: 'Ship the code with the skill, or load a pinned and verified version.',
    patterns: [
      chainInCode([
        r`(?:/tmp/|/var/tmp/|/dev/shm/)\.[\w.-]{2,40}`,
        r`(?:(?<![.\w])(?:exec|eval|execfile)\s{0,2}\(|\b(?:ba|z)?sh\s|\bsource\s|\bpython3?\s|os\.system\(|subprocess\.|chmod \+x|nohup )`,
      ]),
      detected('fetched-to-execution'),
      detected('fetched-to-file-to-execution'),
      chainInCode(
        [
          r`(?<![.\w])(?:exec|eval)\s{0,2}\(`,
          r`(?:requests\.get\(|urlopen\(|urllib\.request|httpx\.get\(|fetch\(|axios\.get\(|http\.get\()`,
        ],
        [r`page\.|\$\$?eval|evaluate\(`],
      ),
      chainInCode([r`\b(?:new )?Function\s{0,2}\(`, r`(?:fetch\(|axios|https?\.get\(|await \w{1,20}\.text\(\))`]),
      chainInCode([
        r`(?:os\.system|subprocess\.\w{2,14}|execSync|exec)\s{0,2}\(`,
        `\\b(?:curl|wget|iwr)\\b[^\\n|;]{0,200}(?:https?://(?!${knownAddress})|[$%{])[^\\n|;]{1,200}\\|\\s{0,3}(?:ba|z)?sh`,
      ]),
      signInCode(r`\bimport\(\s{0,2}['"\`]https?://`, [r`esm\.sh|cdn\.jsdelivr|unpkg|skypack|deno\.land|jsr\.io`]),
      chainInCode([
        r`\b(?:pickle|marshal|dill|cloudpickle)\.loads?\(`,
        r`(?:requests\.|urlopen|fetch|recv\(|\.content\b|b64decode)`,
      ]),
      chainInCode([r`\b(?:include|require|eval)\b`, r`(?:file_get_contents\(\s{0,2}['"]https?:|allow_url_include)`]),
      signInCode([r`\byaml\.(?:unsafe_load|load\([^\n)]{1,80}(?:Loader=yaml\.(?:Unsafe|Full)?Loader))`]),
      signInCode(
        [
          r`\b(?:exec|eval)\(\s{0,2}(?:code_obj|payload|code|user_code|decoded|cmd|command|source_code|expr|expression|func_str|f["'])`,
        ],
        [r`\.exec\(|re\.|regex`],
      ),
      chainInCode([r`\b(?:LWP::Simple|LWP::UserAgent|HTTP::Tiny)\b`, r`\beval\b`]),
      chainInCode([
        r`(?:\bfetch\(|\baxios\.get\(|\bhttps?\.get\()`,
        r`\.then\(\s{0,3}(?:eval|Function|\(?\w{1,20}\)?\s{0,2}=>\s{0,3}(?:\(0, ?)?(?:eval|new Function|Function|vm\.run\w{1,20})\b)`,
      ]),
      chainInCode(
        r`\b(?:eval|Function)\s{0,2}\(\s{0,3}(?:await|open\(|URI\.open|Net::HTTP|file_get_contents\(\s{0,2}['"]https?:)`,
      ),
      chainInCode([r`\beval\b`, r`(?:\bURI\.open\(|\bNet::HTTP\.get\b|file_get_contents\(\s{0,2}['"]https?:)`]),
      signInCode([r`\b(?:exec|eval)\(\s{0,2}compile\(`]),
      ability('run commands', r`\b(?:subprocess\.(?:run|Popen|call|check_output)|child_process|os\.system|execSync)\b`),
    ],
  },
  'TRJ-01': {
    name: 'Required program from a stranger',
    category: 'trojan_prerequisite',
    severity: 'Critical',
    languages: ['markdown', 'text', 'html'],
    rationale:
      'The skill is bait: it will not work until a program is downloaded and run that has nothing to do with it.',
    remedy: 'Depend on packages of a registry by name and version; ship no programs.',
    patterns: [
      chainInPassage([
        r`\.(?:zip|rar|7z|exe|dmg|pkg|msi|tar\.gz|scr)\b|releases/(?:download|latest|tag)`,
        r`\b(?:password|passcode|pass)\b\s{0,2}(?:is\b|:|=|\`|"|')`,
        r`\b(?:extract|unzip|unpack|download|archive|decompress|open|install|run)`,
      ]),
      chainInPassage([
        r`\b(?:extract|unzip|unpack|archive)\b[^.\n]{0,80}\b(?:password|passcode|with pass|using pass|pass)\b[^\n]{0,12}["'\`:]\s{0,2}[\w-]{2,30}`,
      ]),
      chainInPassage(
        [
          r`\bdownload\b`,
          r`(?:releases/(?:download|latest|tag)/?[^\s)]{0,120}|\.(?:exe|dmg|pkg|msi|zip|scr)\b)`,
          r`\b(?:run|execute|launch|open|start)\b[^.\n]{0,60}\b(?:executable|file|binary|installer|it|\.exe|app|utility|tool|agent|program)\b`,
          r`\b(?:before|must|required|requires?|prerequisite|first|necessary|mandatory|will not (?:work|function)|won't work)\b`,
        ],
        [
          r`\b(?:optional|alternatively|brew install|winget|apt(?:-get)? install|npm install|checksum|sha256|adb|android studio|xcode)\b`,
        ],
      ),
      signInPassage([
        r`\b(?:requires?|needs?|depends on|must (?:have|be|install))\b`,
        r`\b(?:[\w-]{2,30}(?:Agent|Tool|Driver|Core|Provider|Helper|Utility|Service|Auth|Bridge)|agent utility|helper utility|core utility|companion (?:app|tool)|required utility)\b`,
        r`\b(?:will not|won't|cannot|does not|doesn't)\b[^.\n]{0,30}\b(?:work|function|operate|run)\b`,
      ]),
      signInPassage([
        r`\bdownload\b`,
        r`https?://github\.com/[\w.-]{1,60}/[\w.-]{1,80}/releases/download/[^\s)]{1,200}\.(?:zip|exe|dmg|rar|7z|msi)`,
        r`\b(?:run|execute|launch|extract|install|unzip|start)\b`,
      ]),
      chainInPassage([
        r`\b(?:install|download|run|execute)\b`,
        pastePlace,
        r`\b(?:terminal|command|script|code|run|snippet|instructions|paste)\b`,
      ]),
      signInPassage([
        r`\b(?:important|warning|critical|required|prerequisites?|must)\b`,
        r`\b(?:install|run|download)\b[^.\n]{0,60}\b(?:agent utility|utility|driver|authtool|openclaw-?(?:agent|core|cli-helper)|helper tool|setup helper)\b`,
        r`\b(?:first|before|otherwise|without)\b`,
      ]),
    ],
  },
  'TRJ-02': {
    name: 'Text to paste into a terminal',
    category: 'trojan_prerequisite',
    severity: 'Critical',
    languages: ['markdown', 'text', 'html'],
    rationale: 'The user is sent to a page whose text they are to run without the skill saying what it is.',
    remedy: 'Put the commands into the skill, where they are reviewed.',
    patterns: [
      chainInPassage([
        r`\b(?:copy|copied|paste)\b`,
        r`\b(?:terminal|powershell|command prompt|cmd|shell|console|run dialog)\b`,
        pastePlace,
      ]),
      chainInPassage([
        r`\b(?:visit|go to|open|navigate to|see)\b`,
        pastePlace,
        r`\b(?:copy|paste|run|execute|follow|install)`,
      ]),
      chainInPassage(
        [
          r`\b(?:copy|paste)\b`,
          r`\b(?:terminal|powershell|command prompt|cmd\.exe|run dialog|win ?\+ ?r)\b`,
          r`https?://[^\s)"'\`<>]{4,200}`,
          r`\b(?:installation script|install script|installation command|setup script|commands? (?:from|on|at)|script (?:from|on|at)|code from)\b`,
        ],
        [r`docs?\.|github\.com|documentation`],
      ),
      chainInPassage([
        r`\b(?:win(?:dows)? ?(?:key)? ?\+ ?r|run dialog|spotlight)\b`,
        r`\b(?:paste|ctrl ?\+ ?v|cmd ?\+ ?v)\b`,
      ]),
      signInPassage(
        [
          r`\b(?:disable|turn off|pause|whitelist|exclude|allow)\b`,
          r`\b(?:antivirus|windows defender|defender|gatekeeper|smartscreen|firewall|security software|real-time protection)\b`,
          r`\b(?:install|run|download|before|temporarily|false positive|blocked|warning)\b`,
        ],
        [r`\b(?:never|do not|don't|must not)\b`],
      ),
      signInCode(
        r`\becho\s{1,3}["'][^"'\n]{0,120}(?:install|setup|packet|macos)[^"'\n]{0,80}["']\s{0,3}(?:&&|;)\s{0,3}(?:echo|curl|base64|bash)\b[^\n]{0,300}(?:bash|sh|base64)\b`,
      ),
    ],
  },
  'RSH-01': {
    name: 'Reverse or bind shell',
    category: 'reverse_shell_backdoor',
    severity: 'Critical',
    rationale: 'A shell is handed to a host of someone else.',
    remedy: 'Remove it.',
    patterns: [
      chain(r`\b(?:nc|ncat|netcat)\b[^\n|]{0,60}\|\s{0,3}(?:/bin/|/usr/bin/)?(?:ba|z)?sh\b`),
      chain(r`/dev/(?:tcp|udp)/[\w.${'$'}{}-]{3,80}/[\d${'$'}{}\w]{1,12}`, [
        r`timeout|nc -z|</dev/null|2>/dev/null|wait|until|while`,
      ]),
      chain(r`\b(?:ba)?sh\s{1,3}-i\b[^\n]{0,60}/dev/(?:tcp|udp)/`),
      chain(r`\b(?:ba|z|da|k)?sh\b\s{0,3}\d?[<>]{1,2}&?\s{0,2}/dev/(?:tcp|udp)/`),
      chain(
        r`\b(?:nc|ncat|netcat)\b[^\n;|]{0,80}\s(?:-\w{0,4}e\w{0,2}|--exec|--sh-exec|-c)\s{1,3}["']?(?:/bin/|/usr/bin/|cmd|bash|sh\b|powershell)`,
      ),
      chain(r`\bmkfifo\b[^\n]{1,120}\b(?:nc|ncat|netcat|telnet|openssl)\b`),
      chain(r`\bsocat\b[^\n]{0,120}\b(?:exec|system):`),
      chainInCode([r`\bsocket\b|\.connect\(`, r`\bdup2\(|pty\.spawn\(|/bin/(?:ba)?sh['"\s]`], [r`docker\.sock`]),
      chainInCode(r`\bpty\.spawn\(\s{0,2}['"](?:/bin/)?(?:ba|z)?sh['"]`),
      chain([r`Net\.Sockets\.TCPClient`, r`(?:GetStream|iex|Invoke-Expression)`]),
      chainInCode([
        r`\bnet\.(?:connect|Socket|createConnection)\b|new net\.Socket`,
        r`\b(?:spawn|exec)\(\s{0,2}['"](?:/bin/)?(?:ba)?(?:sh|cmd\.exe)`,
      ]),
      chainInCode([r`\b(?:fsockopen|TCPSocket\.(?:new|open)|net\.Dial)\(`, r`(?:exec|spawn|popen|/bin/sh|cmd\.exe)`]),
    ],
  },
  'RSH-02': {
    name: 'Access planted for later',
    category: 'reverse_shell_backdoor',
    severity: 'Critical',
    rationale: 'A key, an account or a magic word lets someone back in when the skill is gone.',
    remedy: 'Remove it; who needs access asks for it.',
    patterns: [
      signInPassage(
        [
          r`\b(?:always|must|every|each|silently|also|whenever)\b`,
          r`\b(?:add|include|insert|embed|inject|append|put)\b`,
          r`\b(?:generated (?:code|pages?|files?|projects?|scripts?)|every (?:page|project|integration|script|file|checkout|form)|all (?:generated|new) (?:code|files|pages|projects)|the (?:generated|output|final) (?:code|script|page))\b`,
          r`https?://(?!localhost|127\.|fonts\.|cdn\.|unpkg|cdnjs|esm\.sh)[^\s)"'\`<>]{4,200}`,
        ],
        [r`\b(?:docs?|licen[sc]e|attribution|header|copyright|source link|import)\b`],
      ),
      chainInCode(
        [r`\bauthorized_keys\b`, r`(?:>>|\btee\b|open\(|write|append|\bcp\b|echo|join\()`],
        [r`read\(\)$|\bcat\b [^>|]{0,40}authorized_keys$`],
      ),
      chainInCode(r`\bssh-(?:rsa|ed25519)\s{1,3}AAAA[\w+/=.]{4,800}`, [r`known_hosts|github\.com ssh`]),
      chainInCode(
        [
          r`\b(?:useradd|adduser|net user|dscl \. -create)\b`,
          r`(?:sudo|wheel|admin|/add\b|-ou? 0|-aG|UserShell|chpasswd)`,
        ],
        [r`--system|appuser|nologin`],
      ),
      chainInCode(r`\b(?:useradd|adduser|usermod)\b[^\n;&|]{0,80}\s(?:-ou\s?0\b|-o\s{1,2}-u\s?0\b|-u\s?0\s{1,2}-o\b)`),
      signInCode([
        r`\bif\b`,
        r`(?:==|===|\bin\b|includes\(|startswith\()`,
        r`['"](?:[a-z0-9]{4,12}_)?(?:backdoor|magic|master|override|secret|trigger|activate|admin_access)[\w-]{0,20}['"]`,
        r`(?:exec|eval|system|admin|grant|return true|bypass|spawn)`,
      ]),
      chainInProse(
        [
          r`\b(?:add|append|write|insert|install)\b`,
          r`\b(?:public key|ssh key|ssh-(?:rsa|ed25519)|authorized_keys)\b`,
          r`\bauthorized_keys\b`,
        ],
        [r`\b(?:your own|server you own|github|gitlab|droplet|ec2)\b`],
      ),
      signInProse(
        [
          r`\b(?:create|add|insert|make|plant)\b`,
          r`\b(?:hidden|secret|backdoor|undocumented)\b`,
          r`\b(?:admin(?:istrator)?(?: account| user| role| access)?|backdoor|account with|master password|superuser|endpoint)\b`,
        ],
        [r`\b(?:never|check|detect|no|remove|find|default admin|scan)\b`],
      ),
    ],
  },
});
