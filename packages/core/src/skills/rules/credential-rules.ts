import { capability, chainInCode, chainInProse, signInCode, signInProse, rulesOf } from '../skill-rule.ts';
import { personalStore, secretMatter, secretStore, wholeEnvironment } from './vocabulary.ts';

const r = String.raw;
const read = r`(?:\bcat\b|\bopen\(|readFile|read_text|\bhead\b|\bless\b|\bcp\b|\btar\b|\bzip\b|\bgrep\b|\bfind\b|\bls\b|Get-Content|File\.read|ioutil\.ReadFile|os\.ReadFile|file_get_contents)`;

/** What is read although it belongs to other programs. */
export const credentialRules = rulesOf({
  'CRD-01': {
    name: 'Store of keys or tokens read',
    category: 'credential_access',
    severity: 'High',
    rationale: 'Private keys and the token files of other tools are read, which a skill has no need of.',
    remedy: 'Let the tool that owns the credential use it; name the variable that the skill needs.',
    patterns: [
      signInProse(
        [
          r`\b(?:read|load|access|open|fetch|retrieve|collect)\b`,
          r`(?:secrets\.json|credentials\.json|\bcredentials? files?\b|\bpassword files?\b|\bsecrets files?\b|\bstored (?:tokens|credentials|passwords|secrets)\b)`,
          r`\b(?:all|any|other|your|stored|every|user'?s?|tokens|existing)\b`,
        ],
        [r`\b(?:never|do not|don't|must not|oauth|client_secret|service account|gitignore|download(?:ed)? from)\b`],
      ),
      chainInCode(
        [
          r`(?:id_rsa|id_ed25519|id_ecdsa)\b(?!\.pub)`,
          r`(?:\bcat\b|readFile|\bcp\b|\btar\b|\bbase64\b|read_text|\bxxd\b)`,
        ],
        [r`ssh-keygen|ssh-add|ssh -i|chmod`],
      ),
      chainInProse([
        r`\b(?:read|collect|copy|load|cat|gather|extract|harvest|access)\b`,
        r`(?:id_rsa\b(?!\.pub)|id_ed25519\b(?!\.pub)|\.aws/credentials\b|\.gnupg\b|/etc/shadow\b)`,
      ]),
      chainInProse(
        [
          r`\b(?:read|collect|copy|load|cat|gather|extract|harvest|access)\b`,
          r`~/\.ssh\b(?!/(?:known_hosts|config\b|authorized_keys|[\w*.-]{1,40}\.pub))`,
        ],
        [r`public key`],
      ),
      chainInCode([r`/etc/shadow\b`, read]),
      signInCode(
        [r`/etc/(?:shadow|gshadow|sudoers)\b`, r`/etc/(?:passwd|group)\b`],
        [r`\b\w{0,20}(?:den(?:y|ied)|block|forbid|protect|exclu|ignor|restrict|disallow|dangerous)\w{0,20}`],
      ),
      signInCode(
        [`(?!\\.npmrc|\\.ssh/(?:known_hosts|config)|id_\\w{2,8}\\.pub)${secretStore}(?!/[\\w*.-]{1,40}\\.pub)`, read],
        [r`ssh-keygen|ssh-copy-id|mkdir`],
      ),
      signInCode([
        r`['"](?:~|/home/[\w*]{1,20}|/root|\$HOME)?/?(?:\.ssh|\.aws|\.gnupg|\.kube|\.docker|\.azure)\b`,
        r`(?:expanduser|glob|Path\.home|homedir|os\.walk|listdir)`,
      ]),
      signInProse(
        [
          r`\b(?:find|search|locate|scan|enumerate|look)\b`,
          secretMatter,
          r`\b(?:all|every|any|home directory|file ?system|machine|system|recursively|whole|entire)\b`,
          r`\b(?:collect|summari[sz]e|compile|inventory|report|save|store|list)\b`,
        ],
        [r`\b(?:audit|leak|detect|commit|hard-?coded|redact|rotate)\b`],
      ),
      signInCode([
        r`\b(?:find|grep -r\w{0,3})\b\s`,
        r`(?:\s~|\$HOME|\s/home|\s/root|\s/)(?:\s|/|$)`,
        r`(?:password|secret|api_?key|token|\.pem|\.key\b|private)`,
      ]),
      capability([r`\.env\b`, read]),
      capability(secretStore),
    ],
  },
  'CRD-02': {
    name: 'Browser, wallet, keychain, keyboard or screen read',
    category: 'credential_access',
    severity: 'High',
    rationale: 'Saved passwords, cookies, wallets, the keychain and what a person types or sees are taken.',
    remedy: 'Remove it; nothing an agent is asked for needs the stored secrets of a browser or a wallet.',
    patterns: [
      chainInCode([
        personalStore,
        r`(?:\bcat\b|\bopen\(|readFile|copy|\bcp\b|sqlite3|\btar\b|\bzip\b|read_|expanduser|glob|join\(|homedir|security |connect\()`,
      ]),
      chainInProse([personalStore, r`\b(?:read|copy|collect|extract|decrypt|send|upload|export)\b`]),
      chainInCode(r`\bsecurity\s{1,3}(?:find-(?:generic|internet)-password|dump-keychain|export)\b[^\n]{0,80}`, [
        r`-s\s{1,3}["']?[\w-]{3,40}`,
      ]),
      chainInCode(
        [
          r`(?:pynput|keyboard\.on_press|GetAsyncKeyState|SetWindowsHookEx|keyboard\.hook)`,
          r`(?:\bopen\(|write|log|append|send|post|fetch)`,
        ],
        [r`shortcut|hotkey`],
      ),
      chainInCode(
        [r`addEventListener\(['"]key`, r`(?:\bopen\(|write|log|append|send|post|fetch)`],
        [r`shortcut|hotkey|Escape|Enter|preventDefault|Arrow`],
      ),
      signInCode(r`\b(?:pynput\.keyboard|from pynput import keyboard|import keylogger)\b`),
      signInCode([
        r`(?:pyperclip\.paste\(|clipboard\.readText\(|\bpbpaste\b|Get-Clipboard|xclip -o)`,
        r`(?:while\b|setInterval|requests|fetch\(|curl|post\()`,
      ]),
      signInCode([
        r`(?:ImageGrab\.grab|pyautogui\.screenshot|mss\(\)|screencapture -x|scrot\b)`,
        r`(?:while\b|setInterval|requests|post\(|sendall|upload)`,
      ]),
      signInProse(
        [
          r`\b(?:seed phrase|recovery phrase|mnemonic|private key|wallet password|master password|account password)\b`,
          r`\b(?:ask|request|prompt|enter|provide|paste|type|input|give)\b`,
          r`\b(?:user|wallet|verify|connect|validate|activate|unlock|confirm)\b`,
        ],
        [r`\bnever\b|\bdo not\b|\bdon't\b`],
      ),
    ],
  },
  'CRD-03': {
    name: 'Secret shown, passed on or written down',
    category: 'credential_access',
    severity: 'High',
    rationale:
      'A secret that is printed, put into an answer or into a URL is in logs and in the model’s context for good.',
    remedy: 'Tell whether the credential is set, never its value.',
    patterns: [
      chainInProse(
        [
          r`\b(?:print|show|display|echo|output|include|reveal|return|list|put)\b`,
          r`\b(?:values?|plaintext|plain text|in full|full|unmasked|actual|current value)\b`,
          r`\b(?:api[_ ]?keys?|tokens?|passwords?|secrets?|credentials?|[A-Z]{2,20}_(?:API_)?(?:KEY|TOKEN|SECRET))\b`,
          r`\b(?:response|answer|output|user|chat|message|log|plaintext|plain text)\b`,
        ],
        [r`\b(?:never|mask|redact|avoid|token (?:count|usage|limit)|tokens? used)\b`],
      ),
      chainInCode(
        [
          r`\b(?:echo|print|console\.log|printf|puts|Write-Host)\b`,
          r`(?:AWS_SECRET_ACCESS_KEY|PRIVATE_KEY|DATABASE_SECRET|DB_PASSWORD|DATABASE_PASSWORD|MASTER_KEY|GITHUB_TOKEN|OPENAI_API_KEY|ANTHROPIC_API_KEY)\b`,
        ],
        [
          r`\bif\b|\[\[?|--with-token|--password-stdin|\bnot set\b|\bmissing\b|required|\?|>>?\s|\|\||:-|set\b|\$\{#|=\s{0,2}['"]|export `,
        ],
      ),
      signInProse(
        [
          r`\b(?:add|pass|put|save|write|store|remember|include|embed|keep)\b`,
          r`\b(?:api[_ ]?key|password|token|secret|credential)s?\b`,
          r`\b(?:MEMORY\.md|memory file|in (?:the )?(?:url|query string|prompt|conversation|commit message)|plain ?text|as-is|verbatim)\b`,
        ],
        [r`\b(?:never|don't|not)\b`],
      ),
      signInCode([
        r`(?:API_KEY|SECRET|PASSWORD|TOKEN|CREDENTIAL)s?\b`,
        r`(?:\.hidden|/tmp/\.|\.cache/\.|/var/tmp/\.|~/\.\w{1,20}_?(?:cache|store|keys))`,
      ]),
      signInProse([
        r`\b(?:the|use this|our|with) [^.\n]{0,40}\b(?:key|password|token|secret)\b[^.\n]{0,20}\b(?:is|=|:)\s{0,3}["'\`]?(?:sk-[\w-]{10,90}|AKIA[A-Z0-9]{12,20}|ghp_\w{20,60}|xox[bp]-[\w-]{10,90})`,
      ]),
    ],
  },
  'ENV-01': {
    name: 'Whole environment taken',
    category: 'env_harvesting',
    severity: 'High',
    rationale: 'A skill reads the variables it needs by name; who takes all of them is after those of others.',
    remedy: 'Read named variables and declare them.',
    patterns: [
      chainInCode(
        [
          r`\bos\.environ\b`,
          r`(?:KEY|TOKEN|SECRET|PASSWORD|PASSWD|CREDENTIAL|api_key)`,
          r`(?:\bfor\b|\bfilter\b|\bif any\b|\.items\(\))`,
        ],
        [r`get\(\s{0,2}['"]\w{1,40}['"]|mask|redact|scrub|strip|remove|clean|safe_env|denylist|pop\(`],
      ),
      chainInCode(
        [r`\bObject\.(?:entries|keys)\(process\.env\)`, r`(?:KEY|TOKEN|SECRET|PASS|CRED)`],
        [r`mask|redact|scrub|delete|omit|VITE_|NEXT_PUBLIC|startsWith`],
      ),
      chainInCode(
        [r`\b(?:printenv|env|set|export -p)\b\s{0,3}\|`, r`(?:KEY|TOKEN|SECRET|PASS|CRED|base64|curl|nc\b)`],
        [r`wc -l|sed 's|cut -d|>/dev/null|-q\b`],
      ),
      chainInProse(
        [
          r`\b(?:collect|dump|capture|gather|harvest|enumerate|inventory|record|read|include|list)\b`,
          r`\b(?:all|every|entire|complete|full|any)\b[^.\n]{0,40}\b(?:environment variables?|env vars?|environment)\b`,
        ],
        [r`\b(?:required|needed|documented|check that|verify|ensure|undocumented|used (?:by|in))\b`],
      ),
      chainInProse(
        [
          r`\b(?:inventory|summary|summari[sz]e|list|compile|collect|catalog(?:ue)?)\b`,
          r`\b(?:every|all|each|any)\b[^.\n]{0,30}\b(?:tokens?|keys?|secrets?|credentials?|passwords?)\b`,
          r`\b(?:environment|system|machine)\b`,
        ],
        [r`\b(?:audit|leaked|hard-?coded|exposed|detect|redact|rotate)\b`],
      ),
      signInCode(
        [wholeEnvironment, r`(?:json\.dumps|JSON\.stringify|write|dump|open\(|>\s{0,2}/|base64|append)`],
        [r`subprocess|spawn|execFile|env\s{0,2}[:=]|\.copy\(\)|os\.environ\.get`],
      ),
      capability(wholeEnvironment),
    ],
  },
});
