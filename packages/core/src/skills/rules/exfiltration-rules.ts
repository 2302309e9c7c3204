import {
  ability,
  capability,
  chain,
  chainInCode,
  chainInPassage,
  chainInProse,
  detected,
  sign,
  signInCode,
  signInProse,
  rulesOf,
} from '../skill-rule.ts';
import {
  collectingHost,
  collectingServer,
  personalStore,
  privateMatter,
  secretMatter,
  secretStore,
  sendingCall,
  sendingCommand,
  sendingVerb,
  standingOrder,
  wholeEnvironment,
} from './vocabulary.ts';
import { usesNetwork } from './network-calls.ts';
import { multilingualTheft } from './multilingual-rules.ts';

const r = String.raw;

/** Where anyone puts up a server within a minute, under the name of the provider. */
const hostedApp = r`https?://(?!(?:your[-_](?:app|api|service|server|project|name|domain|url|instance|backend)(?:-name)?|my[-_]?app|example(?:-app)?|x{3,9}|app-?name)\.)[\w-]{2,60}\.(?:onrender\.com|herokuapp\.com|glitch\.me|repl\.co|replit\.app|pythonanywhere\.com|workers\.dev|deno\.dev|fly\.dev|up\.railway\.app|000webhostapp\.com|surge\.sh)`;

/** Behind the scheme of an address: the services that these keys are for. */
const ownService = r`(?:[\w-]{1,60}\.){0,4}(?:github\.com|githubusercontent\.com|slack\.com|openai\.com|anthropic\.com|amazonaws\.com|stripe\.com|npmjs\.(?:com|org)|discord\.com|sendgrid\.com|gitlab\.com|huggingface\.co|localhost|127\.0\.0\.1)(?=[/?#\s"'\x60\\]|:\d|$)`;
const serviceKey = r`\b(?:GITHUB|GH|SLACK|OPENAI|ANTHROPIC|AWS|STRIPE|NPM|DISCORD|SENDGRID|GITLAB|HF)_[A-Z_]{0,20}(?:TOKEN|KEY|SECRET)\b`;

/** What stands for the name or the key of the reader's own, in the address itself. */
const placeholder = r`(?:<|\{\{|xxx|your[-_]|example)`;
const ownCollecting = `${placeholder}[\\w-]{0,30}>?\\.?${collectingHost}|${collectingHost}(?:/|/?bot)?${placeholder}`;

const pasteAddress = r`https?://(?:www\.)?(?:pastebin\.com|rentry\.co|glot\.io|hastebin\.com|paste\.ee|termbin\.com)/`;

/** What leaves: secrets, the environment, what a user said. */
export const exfiltrationRules = rulesOf({
  'EXF-01': {
    name: 'Secret sent away in one command',
    category: 'data_exfiltration',
    severity: 'Critical',
    languages: ['shell', 'powershell', 'markdown'],
    rationale: 'One command line reads a store of credentials and hands what it reads to the network.',
    remedy:
      'Remove the command. A skill that needs a credential asks for a variable of its own and sends it only to the service it belongs to.',
    patterns: [
      // The key of one service in the body of a request to another one.
      chainInCode([
        `\\s(?:-d|--data(?:-\\w{2,10})?|-F)[\\s=](?:[^\\s]|\\s(?!-)){0,160}${serviceKey}`,
        `https?://(?!${ownService})[a-z0-9.-]{4,80}`,
        r`\bcurl\b`,
      ]),
      chain([secretStore, sendingCommand]),
      chain([personalStore, sendingCommand]),
      chainInCode([wholeEnvironment, sendingCommand]),
      chainInCode([
        r`(?:\b(?:cat|base64)\b(?:\s{1,2}-\w{1,12}(?:\s\d{1,4})?){0,3}\s{1,2}|[@<]\s?)[^\s|;&]{0,80}\.env\b`,
        sendingCommand,
      ]),
      chainInCode(r`\bcurl\b[^\n]{0,200}(?:@|<\s?)(?:~|\$HOME|/root|/etc)/[^\s"']{2,80}`),
      chainInCode([
        r`\b(?:tar|zip|gzip)\b[^\n|]{0,120}(?:~|\$HOME|/home|/etc|\.ssh|\.aws)`,
        r`\|\s{0,3}(?:curl|nc|ncat|ssh)\b`,
      ]),
      chainInCode(r`\b(?:dig|nslookup|host|ping)\b[^\n]{0,80}\$\([^\n)]{1,120}\)[^\n]{0,10}\.[a-z]`),
      chainInCode(r`\bcurl\b[^\n]{0,200}[?&]\w{1,20}=\$\([^\n)]{0,40}(?:cat|base64|env|whoami|hostname|printenv)\b`),
    ],
  },
  'EXF-02': {
    name: 'Secret flows to the network in code',
    category: 'data_exfiltration',
    severity: 'Critical',
    languages: ['python', 'javascript', 'ruby', 'go', 'php', 'powershell', 'shell'],
    rationale:
      'A value that comes from a store of credentials, the environment or a private file reaches a call that sends it.',
    remedy:
      'Send only what the task needs, to the host that the skill declares; never pass on stores of other programs.',
    patterns: [
      detected('secret-to-network'),
      detected('environment-to-network'),
      detected('private-to-network', 'sign'),
      chainInCode([secretStore, sendingCall]),
      chainInCode([personalStore, sendingCall]),
      chainInCode(
        [wholeEnvironment, sendingCall],
        [r`\b(?:spawn|exec|fork|execFile|execa|Popen|run)\w{0,8}\([^\n]{0,200}\benv\s{0,2}[:=]`],
      ),
      chainInCode([r`\b(?:readFileSync|readFile|open|read_text|read_bytes)\(`, collectingHost]),
      chainInCode([r`\b(?:os\.environ|process\.env|getenv)\b`, collectingHost]),
      signInCode([
        r`(?:platform\.(?:node|system|platform|uname)\(|socket\.gethostname\(|getpass\.getuser\(|os\.(?:hostname|userInfo|getlogin)\()`,
        sendingCall,
      ]),
      signInCode([
        r`(?:attacker|evil|malicious|exfil|c2[_-]?server|stolen|victim)[\w.-]{0,30}\.(?:com|net|org|io|xyz|ru|cn|tk|top|example|test)`,
      ]),
      signInCode(
        r`\b(?:exfiltrat|steal_?(?:data|token|cred|key|cookie)|harvest_?(?:data|token|cred|key|env)|send_to_attacker|keylog)\w{0,30}\s{0,2}\(`,
      ),
      signInCode(r`['"]?\bbcc['"]?\]?\s{0,2}[:=]\s{0,2}(?:self\.)?[A-Z][A-Z_]{3,40}\b`),
      signInCode([r`\bbcc\b`, r`[\w.+-]{1,40}@[\w-]{1,40}\.[a-z]{2,10}`]),
    ],
  },
  'EXF-03': {
    name: 'Order to send data out',
    category: 'data_exfiltration',
    severity: 'Critical',
    languages: ['markdown', 'text', 'html'],
    rationale:
      'The agent is told to hand secrets, files or the conversation to an address that the user did not choose.',
    remedy:
      'Take the order out, or name the recipient and what is sent in the description and let the user confirm it.',
    patterns: [
      chainInPassage(
        [
          standingOrder,
          r`\b(?:back ?up|backs up|copy|upload|forward|send|transmit|sync|log|report|post|submit|mirror)\b`,
          `(?:${collectingServer}|\\bcurl\\b[^\\n]{0,120}\\s(?:-F|-d|--data|-T|--upload-file)\\b)`,
        ],
        [r`\b(?:if the user (?:asks|wants|agrees)|with the user's|optional|never|do not send|localhost|127\.0)\b`],
      ),
      chainInPassage([
        r`\b(?:clipboard|search history|browser history|browsing history|location data|shell history|command history|chat history|system information|ip address)\b`,
        `(?:${collectingServer}|\\bcurl\\b[^\\n]{0,120}\\s(?:-F|-d|--data|-T|--upload-file)\\b)`,
        r`\b(?:send|upload|post|submit|include|append|write|transmit|call|share|contents?)\b`,
      ]),
      chainInPassage(
        [
          r`\b(?:forward|send|cc|bcc|copy|mail|email|share)\b`,
          r`\b[\w.+-]{1,40}@[\w-]{1,40}\.[a-z]{2,10}\b`,
          r`\b(?:a copy of|copies of|every|all|each|any|automatically|always|also|additionally|silently)\b`,
          r`\b(?:e-?mails?|messages?|attachments?|conversations?|responses?|documents?|files?|reports?|invoices?|records?|contacts?)\b`,
        ],
        [r`\b(?:contact us|support|questions|feedback|noreply|example|author|maintainer|if the user|recipient)\b`],
      ),
      chainInPassage(
        [
          r`\b(?:upload|back ?up|backs up|mirror|sync|copy|archive|send|post|transmit|push)\b`,
          r`\b(?:entire|whole|all|every|each|full|complete|any)\b[^.\n]{0,40}\b(?:files?|folders?|director(?:y|ies)|workspace|project|documents?|repository|codebase|conversations?|inputs?|prompts?|messages?|queries|history|data|transcripts?)\b`,
          r`\b(?:before|after|always|automatically|each time|whenever|must|first|every time|periodically|also|silently)\b`,
          r`https?://(?!localhost|127\.|github\.com|docs\.)[^\s)"'\`<>]{4,200}`,
        ],
        [
          r`\b(?:docs?|documentation|api reference|see|guide|your (?:own )?(?:server|bucket|endpoint|account)|only when the user|ask the user|user confirms)\b`,
        ],
      ),
      signInProse(
        [
          r`\b(?:record|track|log|collect|capture|store|save|append|report|extract|include)\b`,
          r`\b(?:user(?:'s|s)? (?:location|ip address|gps|whereabouts|searches|search history|browsing|identity|device|habits)|search history|browsing history|browser history|precise location|exact location|geolocation|system information|hostname and|installed software)\b`,
        ],
        [r`\b(?:never|do not|don't|consent|opt[- ]in|with permission|analytics dashboard|if the user)\b`],
      ),
      chainInProse(
        [sendingVerb, secretMatter, r`https?://[^\s)"'\`<>]{4,200}`],
        [r`\b(?:authorization|header|bearer|sign in|dashboard|create (?:an?|your)|get (?:an?|your)|obtain|register)\b`],
      ),
      chainInPassage([sendingVerb, secretMatter, collectingHost]),
      chainInPassage([sendingVerb, privateMatter, collectingHost]),
      chainInPassage([
        r`\b(?:read|collect|gather|harvest|extract|scan|dump|cat)\b`,
        r`(?:~/\.ssh|~/\.aws|id_rsa|\.ssh/|\.aws/credentials|\.gnupg)`,
        sendingVerb,
      ]),
      chainInProse(
        [
          r`\b(?:send|post|upload|transmit|forward|exfiltrate|submit)\b`,
          r`\b(?:all|every|entire|full|complete|any)\b[^.\n]{0,60}\b(?:environment variables|credentials|secrets|api keys|tokens|passwords|private keys)\b`,
        ],
        [r`\b(?:never|redact|mask|rotate)\b`],
      ),
      signInProse(
        [
          sendingVerb,
          privateMatter,
          r`https?://[^\s)"'\`<>]{4,200}`,
          r`\b(?:must|always|every|each|after|before|automatically|silently|also|all|entire|full)\b`,
        ],
        [r`\b(?:docs?|see|documentation|api reference)\b`],
      ),
      chainInProse(r`!\[[^\]\n]{0,80}\]\(https?://[^\s)]{4,120}[?&][\w-]{1,30}=(?:\{|\$|<|%7B|\[)[^\s)]{1,80}\)`),
      chainInProse(
        [
          r`https?://[^\s)"'\`<>]{4,120}[?&][\w-]{1,20}=(?:\{|\$\{|<|\[)(?:encoded|summary|conversation|context|history|secret|credential|env|token|collected|stolen|base64|all_)\w{0,40}`,
        ],
        [r`\b(?:oauth|client_id|redirect)\b`],
      ),
      chainInProse([
        r`\b(?:bcc|blind copy|cc)\b`,
        r`\b(?:every|all|each|any|always|outgoing)\b`,
        r`[\w.+-]{1,40}@[\w-]{1,40}\.[a-z]{2,10}`,
      ]),
      chainInProse([
        r`\b(?:dns|txt record|subdomain|steganograph\w{0,5})\b`,
        r`\b(?:encode|smuggle|exfiltrate|tunnel)\b`,
        secretMatter,
      ]),
      ...multilingualTheft,
    ],
  },
  'NET-01': {
    name: 'Host that anyone collects at',
    category: 'unexpected_network',
    severity: 'High',
    rationale:
      'Webhook bins, tunnels, paste sites and bots of chat services receive stolen data, and say nothing of who reads it.',
    remedy: 'Use the address of the service that the skill is about, and declare it.',
    patterns: [
      chainInCode([collectingHost, sendingCommand], [ownCollecting]),
      chainInCode([collectingHost, sendingCall], [ownCollecting]),
      sign([
        r`(?:webhook\.site|requestbin|oast\.(?:fun|pro|me|live|site|online)|interact\.sh|burpcollaborator|dnslog\.cn|hookbin\.com)/?[\w-]{4,80}`,
      ]),
      sign(r`https?://(?:discord(?:app)?\.com/api/webhooks|api\.telegram\.org/bot)/?\d{6,20}[/:][\w-]{10,90}`),
      signInCode(r`https?://[a-z2-7]{16,56}\.onion\b`),
      // Put into one line of someone else's code.
      signInCode(
        r`\bimport\s{1,3}(?:requests|httpx|urllib\.request|urllib3|socket)\s{0,3};[^\n]{0,120}https?://(?!localhost|127\.)`,
      ),
      signInCode([hostedApp, `(?:${sendingCall}|${sendingCommand}|\\bparams\\s{0,2}=)`]),
      ability('network', usesNetwork),
      capability(r`https?://[\w-]{1,60}\.(?:ngrok\.io|ngrok-free\.app|trycloudflare\.com|loca\.lt|serveo\.net)`),
      capability([pasteAddress, r`\b(?:curl|wget|fetch|requests|http)\b`]),
    ],
  },
  'NET-02': {
    name: 'Raw address, odd port or metadata service',
    category: 'unexpected_network',
    severity: 'High',
    rationale:
      'A host without a name may be any machine, and the metadata address of a cloud hands out the credentials of the machine itself.',
    remedy: 'Name the host. Ask the cloud’s own library for credentials, with the user’s knowledge.',
    patterns: [
      chainInCode([
        r`169\.254\.169\.254|metadata\.google\.internal|100\.100\.100\.200|fd00:ec2::254`,
        r`(?:iam/security-credentials|/token\b|api/token|identity|user-data|service-accounts)`,
      ]),
      signInCode([
        r`169\.254\.169\.254|metadata\.google\.internal|100\.100\.100\.200`,
        r`(?:curl|wget|fetch|requests|http|urlopen|axios)`,
      ]),
      signInCode([
        r`https?://(?!127\.|10\.|192\.168\.|172\.(?:1[6-9]|2\d|3[01])\.|0\.0\.0\.0|8\.8\.|1\.1\.1\.1|203\.0\.113\.|198\.51\.100\.|192\.0\.2\.)\d{1,3}\.\d{1,3}\.\d{1,3}\.\d{1,3}(?::\d{2,5})?/`,
        r`(?:curl|wget|fetch|requests|urlopen|axios|Invoke-WebRequest|iwr|powershell|bash)`,
      ]),
      signInProse([
        r`https?://(?!127\.|10\.|192\.168\.|172\.(?:1[6-9]|2\d|3[01])\.|0\.0\.0\.0)\d{1,3}\.\d{1,3}\.\d{1,3}\.\d{1,3}(?::\d{2,5})?/`,
        r`\b(?:download|install|run|post|send|upload|fetch)\b`,
      ]),
      capability(r`https?://\d{1,3}\.\d{1,3}\.\d{1,3}\.\d{1,3}:\d{4,5}`),
    ],
  },
});
