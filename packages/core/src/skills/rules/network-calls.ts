const r = String.raw;

/** By language: calls, imports and commands that reach other machines. */
const calls: readonly string[] = [
  // Python
  r`\burllib\.request\b|\burllib[23]\b|\burlopen\(|\burlretrieve\(|\b(?:httpx|aiohttp)\.|\b(?:from|import) (?:requests|httpx|aiohttp)\b|\brequests\.(?:get|post|put|patch|delete|head|options|request|session)\(`,
  r`\bhttp\.client\b|\bhttps?connection\(|\bsocket\.(?:socket|create_connection)\(|\basyncio\.open_connection\(|\bsmtplib\b|\bftplib\b|\btelnetlib\b|\bxmlrpc\.client\b|\bparamiko\b|\bpycurl\b|\bwebsockets?\.(?:connect|create_connection|websocketapp)\(`,
  // JavaScript
  r`\bXMLHttpRequest\b|\bnew (?:WebSocket|EventSource)\(|\bsendBeacon\(|\bfetch\(|\bundici\.|\baxios[.(]|\bgot[.(]|\bky\.(?:get|post|put)\(`,
  r`\b(?:from|require|import)[\s(]{1,3}['"](?:node-fetch|undici|axios|superagent|got|ky|ws|(?:node:)?(?:https?|http2|net|tls|dgram))['"]|\bhttps?\.(?:get|post|put|request)\(|\bhttp2\.connect\(|\b(?:net|tls)\.(?:connect|createConnection|Socket|TLSSocket)\b|\bdgram\.createSocket\(|\b(?:Deno|Bun)\.connect\w{0,3}\(`,
  // Go
  r`\bhttp\.(?:Get|Head|Post|PostForm|NewRequest|NewRequestWithContext|Client|DefaultClient)\b|\b(?:net|tls)\.Dial\w{0,7}\(`,
  // Rust
  r`\breqwest::|\bureq::|\bhyper::|\b(?:Tcp|Udp)(?:Stream|Socket)::\w`,
  // Ruby
  r`\bNet::HTTP\b|\bURI\.open\(|['"]open-uri['"]|-ropen-uri\b|\bFaraday\.|\bHTTParty\b|\bRestClient\.|\bTCPSocket\.`,
  // PHP and Perl
  r`\bcurl_(?:init|exec)\(|\bfsockopen\(|\bstream_socket_client\(|\bfile_get_contents\(\s{0,2}['"]https?:|\bGuzzleHttp\b|\bLWP::|\bHTTP::Tiny\b|\bIO::Socket\b`,
  // Java, C# and Swift
  r`\bHttpURLConnection\b|\bnew (?:HttpClient|OkHttpClient|WebClient)\b|\bHttpClient\.new|\bopenConnection\(|\bURLSession\.`,
  // Shells
  r`\bInvoke-WebRequest\b|\bInvoke-RestMethod\b|\bStart-BitsTransfer\b|\bNet\.(?:WebClient|Sockets|Http)\b|/dev/(?:tcp|udp)/|\bcurl\s{1,3}[-'"$h]|\bwget\s{1,3}[-'"$h]|['"](?:curl|wget|ncat|aria2c)(?:\.exe)?['"]\s{0,2},`,
];

/** What a skill that reaches other machines holds. */
export const usesNetwork = `(?:${calls.join('|')})`;
