import { personalStore, secretStore, wholeEnvironment } from '../rules/vocabulary.ts';

const r = String.raw;

/** What a value is made of, a bit each. */
export const kind = {
  /** A store of credentials, or its path. */
  secret: 1,
  /** The whole environment. */
  environment: 2,
  /** The machine and its user: names, addresses. */
  host: 4,
  /** What came over the network. */
  fetched: 8,
  /** What was decoded or unpacked. */
  decoded: 16,
  /** A file that was written with what was fetched. */
  fetchedFile: 32,
  /** A key out of the environment that was encoded: what a service is sent as its own key is not. */
  encodedSecret: 64,
} as const;

export interface Source {
  readonly bit: number;
  readonly name: string;
  readonly looks: RegExp;
}

export const sources: readonly Source[] = [
  { bit: kind.secret, name: 'a store of credentials', looks: new RegExp(`${secretStore}|${personalStore}`) },
  { bit: kind.environment, name: 'the whole environment', looks: new RegExp(wholeEnvironment) },
  {
    bit: kind.environment,
    name: 'the whole environment',
    looks: /\bos\.environ\b(?!\s{0,2}(?:\[|\.(?:get|setdefault|pop|update)))|\bprocess\.env\b(?!\s{0,2}(?:\.|\[|\?\.))/,
  },
  {
    bit: kind.encodedSecret,
    name: 'an encoded key',
    looks:
      /\b(?:b64encode|b32encode|hexlify|btoa|base64)\s{0,3}\([^\n]{0,80}(?:environ|process\.env|getenv)[^\n]{0,20}(?:KEY|TOKEN|SECRET|PASSWORD)|\bBuffer\.from\([^\n]{0,20}process\.env[^\n]{0,40}(?:KEY|TOKEN|SECRET|PASSWORD)[^\n]{0,40}['"](?:base64|hex)['"]/,
  },
  {
    bit: kind.host,
    name: 'the machine and its user',
    looks:
      /\b(?:platform\.(?:node|system|platform|uname|release)\(|socket\.gethostname\(|getpass\.getuser\(|os\.(?:hostname|userInfo|getlogin|networkInterfaces)\(|uuid\.getnode\(|whoami\b)/,
  },
  {
    bit: kind.fetched,
    name: 'an answer of the network',
    looks: new RegExp(
      r`\b(?:requests\.(?:get|post|request)\(|httpx\.get\(|session\.get\(|urlopen\(|urlretrieve\(|axios(?:\.get)?\(|\bfetch\(|https?\.get\(|\.recv\(|Net::HTTP\.get|http\.Get\(|file_get_contents\(\s{0,2}['"]https?:|Invoke-WebRequest|Invoke-RestMethod|DownloadString|\bcurl\s|\bwget\s)`,
    ),
  },
  {
    bit: kind.decoded,
    name: 'decoded data',
    looks:
      /\b(?:b64decode|b32decode|b85decode|a85decode|decodebytes|fromhex|unhexlify|zlib\.decompress|gzip\.decompress|lzma\.decompress|marshal\.loads|codecs\.decode|atob\(|FromBase64String|decode64|base64_decode|gzinflate|str_rot13|fromCharCode|unescape\(|base64\s{1,3}(?:-d|-D|--decode))|\bBuffer\.from\([^\n]{1,400}['"](?:base64|hex)['"]/,
  },
];

/** Where values leave. */
export const networkSink =
  /\b(?:requests\.(?:post|put|patch|request|get)|httpx\.(?:post|put|request|get)|(?:session|client|http)\.(?:post|put|request)|urlopen|urllib\.request\.Request|urllib2\.urlopen|axios\.(?:post|put|request|get)|axios|fetch|https?\.request|https?\.get|sendall|sendto|sendmail|send_message|sendBeacon|Net::HTTP\.post\w{0,5}|http\.Post(?:Form)?|conn\.request|connection\.request|sock\.send|socket\.send|s\.send|ws\.send|req\.write|request\.write|got\.post|superagent\.post|UploadString|UploadData|Invoke-RestMethod|Invoke-WebRequest|gethostbyname|getaddrinfo|resolve[46]?)\s{0,2}\(|\b(?:curl|wget|nc|ncat|Invoke-RestMethod|Invoke-WebRequest|iwr|irm)\s/;

/** Where text becomes code. */
export const codeSink =
  /(?:^|[^.\w$])(?:exec|eval|compile|Function|execfile|instance_eval|class_eval|runInThisContext|runInNewContext|Invoke-Expression|iex|assert)\s{0,2}\(|\b(?:new Function|vm\.run\w{1,20}|builtins\.(?:exec|eval)|window\.eval|globalThis\.eval|importlib\.util\.\w{4,30}|module\._compile)\s{0,2}\(|(?:^|[;&|]\s{0,3})(?:eval|iex|Invoke-Expression)\s/;

/** Where text becomes a command. */
export const commandSink =
  /\b(?:os\.system|os\.popen|os\.exec\w{1,3}|os\.startfile|subprocess\.(?:run|Popen|call|check_output|check_call|getoutput)|execSync|execFileSync|execFile|spawnSync|spawn|child_process\.\w{4,12}|shell_exec|proc_open|passthru|popen|Start-Process|system|exec\.Command)\s{0,2}\(|(?:^|[;&|]\s{0,3})(?:bash|sh|zsh|source|python3?|node|perl)\s|(?:^|[^.\w])exec\s{0,2}\(/;

/** Calls whose answer says nothing of what they were given. */
export const harmlessCalls =
  /\b(?:len|bool|exists|existsSync|isfile|is_file|isdir|isinstance|hash|sha256|md5|JSON\.parse|json\.loads|print|log|typeof|all|any)\s{0,2}\([^()]{0,200}\)/g;
