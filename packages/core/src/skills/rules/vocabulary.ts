/* Parts of patterns that several rules have in common. Every alternative begins with a fixed text, so that a scan knows where to look. */

const r = String.raw;

/** Stores of keys and tokens that belong to other programs. */
export const secretStore = r`(?:\.ssh\b|id_rsa\b|id_ed25519\b|id_ecdsa\b|\.aws/(?:credentials|config)\b|\.aws\b|\.gnupg\b|\.kube/config\b|\.docker/config\.json|\.netrc\b|\.git-credentials\b|\.config/gcloud|application_default_credentials|\.azure/|/etc/shadow\b|\.pypirc\b|\.npmrc\b|\.config/gh\b|\.vault-token|\.pgpass\b|\.my\.cnf\b|\.terraform\.d/credentials|\.cargo/credentials|\.openclaw/(?:credentials|openclaw\.json)|\.claude/\.credentials|\.codex/auth\.json)`;

/** What browsers and wallets keep. */
export const personalStore = r`(?:Login Data\b|cookies\.sqlite|key4\.db|logins\.json|Local Storage.leveldb|Local State\b|wallet\.dat\b|\.electrum\b|\.ethereum/keystore|ethereum.keystore|solana/id\.json|Exodus.exodus\.wallet|nkbihfbeogaeaoehlefnkodbefgpgknn|login\.keychain|Library/Keychains|find-generic-password|find-internet-password|dump-keychain|1Password|KeePass|bitwarden.{0,20}data\.json)`;

/** The whole environment rather than a variable of it. */
export const wholeEnvironment = r`(?:dict\(os\.environ\)|os\.environ\.(?:items|copy|values)\(|json\.dumps\((?:dict\()?os\.environ|in os\.environ\b|JSON\.stringify\(process\.env\)|\.\.\.process\.env\b|Object\.(?:entries|keys|assign|values)\((?:\{\}, ?)?process\.env\)|\bprintenv\b(?!\s{0,3}[A-Z])|\$\(env\)|\benv\s{0,3}\||\bexport -p\b|/proc/(?:self|\d{1,7}|\*)/environ|Get-ChildItem [Ee]nv:|gci env:|ENV\.to_h|os\.Environ\(\))`;

/** Sending something away on a command line. */
export const sendingCommand = r`(?:\bcurl\b[^\n|]{0,300}?(?:\s-d\b|\s--data|\s-F\b|\s--form\b|\s-T\b|\s--upload-file|-X\s{0,2}(?:POST|PUT))|\bwget\b[^\n|]{0,200}--post|\bnc\b\s[^\n|]{0,60}\d{2,5}|\bncat\b|\bnetcat\b|\bscp\b\s|\brsync\b\s[^\n]{0,120}:|\brclone (?:copy|sync)|\baws s3 (?:cp|sync)|\bsocat\b|Invoke-(?:WebRequest|RestMethod)[^\n]{0,200}-Method\s{1,3}Post|UploadString|UploadFile|UploadData|\bsendmail\b|\bmail -s\b|\bftp -n|\btelnet\b|/dev/tcp/)`;

/** Sending something away in code. */
export const sendingCall = r`(?:requests\.(?:post|put|patch|request)\(|httpx\.(?:post|put|request|AsyncClient)|session\.post\(|client\.post\(|urlopen\(|urllib\.request\.Request\(|aiohttp\.|http\.client\.|axios\.(?:post|put|request)\(|axios\(|fetch\(|https?\.request\(|\.sendall\(|\.sendto\(|\.sendmail\(|send_message\(|XMLHttpRequest|navigator\.sendBeacon|new WebSocket\(|Net::HTTP|http\.Post\(|file_get_contents\(\s{0,2}['"]https?:|curl_exec\()`;

/** Verbs of an order to hand something out. */
export const sendingVerb = r`\b(?:send|sends|sending|post|posts|posting|upload|uploads|uploading|transmit|transmits|forward|forwards|exfiltrate|report|reports|submit|submits|submitting|deliver|push|pushes|relay|copy|copies|email|e-mail|include|append|encode|share|sync|syncs|ship|leak|stream)\b`;

/** What is another's to keep. */
export const secretMatter = r`\b(?:credentials?|secrets?|passwords?|passphrases?|api[ _-]?keys?|access[ _-]?keys?|tokens?|private[ _-]?keys?|ssh[ _-]?keys?|seed[ _-]?phrases?|mnemonics?|recovery phrases?|environment variables?|env vars?|\.env\b|\.env files?|session cookies?|cookies|auth(?:entication|orization)? (?:headers?|data|tokens?|parameters?)|connection strings?|wallet (?:files?|keys?)|keychain|id_rsa|\.ssh|\.aws|browser (?:data|history|passwords?))`;

/** What the agent was told in confidence or knows of its user. */
export const privateMatter = r`\b(?:conversation(?:s|al)?(?: history| context| log| transcript)?|chat (?:history|log|transcript|messages)|message history|user(?:'s|s')? (?:data|messages?|inputs?|prompts?|queries|documents?|files?|location|details|information|contacts?|emails?|activity|activities|searches|search history|profile|identity)|full (?:context|conversation|prompt|history)|(?:entire|complete|full) (?:file|document|codebase|source|repository|workspace|project)(?: contents?)?|file contents?|source code|system (?:prompt|information|info)|search (?:history|queries|terms)|personal (?:data|information|details)|customer (?:data|records?|details)|medical (?:data|records?)|contact lists?|contacts|calendar (?:entries|events|data)|inbox|hostname|ip address|location data|browsing (?:history|data)|clipboard|keystrokes|screenshots?)`;

/** The one that must not know. */
export const person = r`(?:the |our |your |any )?(?:users?|humans?|operators?|owners?|developers?|victims?|person|people|customers?|clients?|admins?|administrators?|reviewers?|them|him|her|anyone|anybody)`;

/** Hosts where anyone collects what is sent to them. */
export const collectingHost = r`(?:webhook\.site|requestbin|pipedream\.net|beeceptor\.com|ngrok\.io|ngrok-free\.app|ngrok\.app|oast\.(?:fun|pro|me|live|site|online)|interact\.sh|interactsh|burpcollaborator|canarytokens|requestcatcher|hookbin\.com|postb\.in|ptsv2|dnslog\.cn|trycloudflare\.com|serveo\.net|localtunnel|loca\.lt|localhost\.run|discord(?:app)?\.com/api/webhooks|api\.telegram\.org/bot|transfer\.sh|file\.io\b|0x0\.st|anonfiles|gofile\.io|catbox\.moe|termbin\.com|bashupload\.com|\.onion\b)`;

/** Places where anyone can leave a script. */
export const pastePlace = r`(?:glot\.io|rentry\.(?:co|org)|pastebin\.com|paste\.ee|hastebin|ghostbin|dpaste|controlc\.com|termbin\.com|ix\.io|sprunge\.us|justpaste\.it|telegra\.ph|0x0\.st|snippet\.host|pastes\.io|paste\.rs|bit\.ly|tinyurl\.com|is\.gd|cutt\.ly|rb\.gy|shorturl)`;

export const interpreter = r`(?:sudo\s{1,3}(?:-\w{1,3}\s{1,3})?)?(?:env\s)?(?:/usr)?(?:/bin/)?(?:ba|z|da|k|fi)?(?:sh|python3?|perl|ruby|node|php|osascript|pwsh|powershell|iex)\b`;

/** An order that is tied to no task: it holds with every one. */
export const standingOrder = r`\b(?:after|before|upon|when(?:ever)?|each time|every time|following|once)\b[^.\n]{0,24}\b(?:any|every|each|all|completing|finishing|creating|updating|editing|ending|starting|done)\b[^.\n]{0,40}\b(?:tasks?|changes?|edits?|requests?|responses?|files?|documents?|operations?|sessions?|messages?|steps?|actions?|e-?mails?|conversations?|interactions?|commits?|queries|answers?|work)\b`;

/** Machines of someone, by what they are for. */
export const collectingServer = r`\b(?:central|remote|external|backup|logging|monitoring|collector|collection|analytics|tracking|telemetry|intranet|mlops|audit|compliance|observability|our) (?:\w{2,12} ){0,2}(?:servers?|services?|endpoints?|addresses|address|systems?|hosts?|inbox|mailbox|webhook|collector|api)\b`;
