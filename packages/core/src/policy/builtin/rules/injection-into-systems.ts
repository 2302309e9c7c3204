import { draftRules, type Shared } from './draft-rules.ts';
import { userOrigins } from './rule-origins.ts';

/* Inputs that break out of a query, a path, a template or a document of the system behind a tool. */

const shared: Shared = {
  category: 'Tool Security',
  owasp: ['LLM05:2025'],
  origins: userOrigins,
  conditions: { direction: 'request' },
};

export const pathRules = draftRules(shared, {
  'path-traversal': [
    'Path that climbs out of its folder',
    'High',
    '(?:\\.\\./){3,20}[\\w.]',
    '(?:\\.\\.\\\\){3,20}[\\w.]',
    '(?:\\.\\.[/\\\\]){1,12}(?:etc/|windows\\\\|proc/|root/|\\.ssh/|\\.env\\b|boot\\.ini)',
  ],
  'path-traversal-encoded': [
    'Encoded path that climbs out of its folder',
    'High',
    '(?:%2e%2e(?:%2f|%5c|/|\\\\)){1,12}',
    '(?:\\.\\.(?:%2f|%5c|%252f|%c0%af)){1,12}',
    '(?:%252e){2}%252f',
    '\\.{4,8}//(?:\\.{4}//)?',
  ],
  'path-null-byte': [
    'Path cut short by a null byte',
    'High',
    '\\.\\w{2,6}%00(?:\\.\\w{2,5})?\\b',
    '[\\w/]\\\\x00\\.\\w{2,5}\\b',
  ],
  'path-system-accounts': [
    'File with the system’s accounts',
    'High',
    '(?<![\\w.])/etc/(?:shadow|gshadow|sudoers|master\\.passwd)\\b',
    '\\\\windows\\\\system32\\\\config\\\\(?:sam|system|security)\\b',
    '"(?:path|file|filename|filepath|uri)"\\s{0,3}:\\s{0,3}"(?:file://)?/etc/passwd"',
  ],
  'path-key-file': [
    'File with keys',
    'High',
    '(?:~|/root|/home/[\\w.-]{1,32}|/Users/[\\w.-]{1,32}|\\$HOME)/\\.ssh/(?:id_\\w{3,10}|authorized_keys)(?!\\.pub)\\b',
    '(?:~|/root|/home/[\\w.-]{1,32}|/Users/[\\w.-]{1,32}|\\$HOME)/\\.(?:aws/credentials|kube/config|docker/config\\.json|netrc|pgpass|npmrc|pypirc|git-credentials|config/gcloud/\\S{4,40})\\b',
  ],
  'path-process-environment': [
    'Environment or memory of a process',
    'High',
    '/proc/(?:self|\\d{1,7})/(?:environ|mem|maps|cmdline|fd/\\d)\\b',
  ],
  'path-browser-store': [
    'Passwords or cookies of a browser',
    'High',
    '(?:google[/\\\\]chrome|mozilla[/\\\\]firefox|microsoft[/\\\\]edge|bravesoftware)[^\\n"]{0,120}(?:login data|cookies|logins\\.json|key4\\.db|local state)\\b',
  ],
  'path-wallet-store': [
    'Files of a wallet',
    'High',
    '(?:\\.bitcoin/wallet\\.dat|\\.ethereum/keystore|\\.electrum/wallets|exodus[/\\\\]exodus\\.wallet|\\.config/solana/id\\.json)\\b',
  ],
  'path-network-share': [
    'Path on a foreign network share',
    'Medium',
    '"(?:path|file|filename|uri|url)"\\s{0,3}:\\s{0,3}"(?:\\\\\\\\){1,2}[\\w.-]{3,80}\\\\{1,2}\\w',
  ],
});

export const queryRules = draftRules(shared, {
  'sql-union': [
    'Query extended by UNION',
    'High',
    '\\bunion(?:\\s|/\\*[^*]{0,40}\\*/|\\+|%20){1,6}(?:all(?:\\s|/\\*[^*]{0,40}\\*/|\\+|%20){1,6})?select\\b[^\\n]{0,80}(?:null|--|#|information_schema|\\bfrom\\s{1,3}(?:users?|accounts?|admin\\w{0,8}|passwords?|credentials)\\b|@@version|version\\(\\))',
  ],
  'sql-tautology': [
    'Condition that is always true',
    'High',
    `(?:' or |" or |'\\) or |"\\) or )['"(]{0,2}(?:\\d{1,4}|[a-z]{1,8}|true)['"]?(?: ?(?:=|like) ?['"]?(?:\\d{1,4}|[a-z]{1,8})['"]?)?\\s?(?:--|#|/\\*|$|;|\\))`,
  ],
  'sql-stacked': [
    'Second statement behind a value',
    'Critical',
    `['"\\d)]\\s{0,3};\\s{0,3}(?:drop\\s{1,3}(?:table|database|schema)|truncate\\s{1,3}table|delete\\s{1,3}from|update\\s{1,3}\\w{1,40}\\s{1,3}set|insert\\s{1,3}into|alter\\s{1,3}(?:table|user)|create\\s{1,3}user|grant\\s{1,3}all|exec(?:ute)?\\s{1,3}\\w{2})\\b[^\\n]{0,80}(?:--|#|;|$)`,
  ],
  'sql-time-based': [
    'Query that waits',
    'High',
    `['"\\d)]\\s{0,3}(?:and|or|;|\\|\\|)\\s{0,3}(?:\\(?select\\s{1,3})?(?:sleep|pg_sleep|benchmark|dbms_pipe\\.receive_message)\\s{0,3}\\(\\s{0,3}['"]?\\d`,
    `\\bwaitfor\\s{1,3}delay\\s{1,3}['"]\\d`,
  ],
  'sql-catalogue': [
    'Catalogue of a database read',
    'Medium',
    `(?<=['"\\d)]\\s{1,3}(?:and|or|union)\\b[^\\n]{0,100}\\b)(?:information_schema\\.(?:tables|columns)|sqlite_master|pg_catalog\\.pg_\\w{3,20}|sysobjects|all_tables)\\b`,
  ],
  'sql-commands': [
    'Commands run by a database',
    'Critical',
    `\\bxp_cmdshell\\b`,
    `\\bcopy\\s{1,3}[^\\n;]{1,80}\\b(?:from|to)\\s{1,3}program\\s{1,3}['"]`,
    `\\bsys_(?:exec|eval)\\s{0,3}\\(\\s{0,3}['"]`,
  ],
  'sql-files': [
    'Files read or written by a database',
    'High',
    `\\binto\\s{1,3}(?:outfile|dumpfile)\\s{1,3}['"]`,
    `\\bload_file\\s{0,3}\\(\\s{0,3}['"0(]`,
    `\\bload\\s{1,3}data\\s{1,3}(?:local\\s{1,3})?infile\\s{1,3}['"]`,
  ],
  'sql-obfuscated': [
    'Query cut up by comments or built of codes',
    'High',
    `\\b(?:un|uni|unio)/\\*[^*]{0,20}\\*/\\w{1,4}[^\\n]{0,40}sel`,
    `/\\*!\\d{5}\\s{0,3}(?:union|select)\\b`,
    `\\b(?:char|chr)\\(\\s{0,2}\\d{2,3}\\s{0,2}\\)(?:\\s{0,2}(?:\\|\\||\\+|,)\\s{0,2}(?:char|chr)\\(\\s{0,2}\\d{2,3}\\s{0,2}\\)){3}`,
    `\\b0x(?:73656c656374|53454c454354|756e696f6e|554e494f4e)`,
  ],
  'nosql-operator': [
    'Operator smuggled into a query',
    'High',
    `["']?(?:username|user|login|email|password|pass|pwd|token|_id)["']?\\s{0,3}(?::\\s{0,3}\\{\\s{0,3}["']\\$(?:ne|gt|gte|regex|exists|nin|in)["']|\\[\\$(?:ne|gt|regex|exists|nin)\\])`,
    `["']\\$where["']\\s{0,3}:\\s{0,3}["'][^"'\\n]{0,120}(?:sleep|this\\.|function|return)`,
  ],
  'ldap-filter': [
    'Filter of a directory broken open',
    'High',
    `\\*\\)\\(\\s{0,2}(?:\\||&|!)?\\(?(?:uid|cn|objectclass|userpassword|mail)\\s{0,2}=`,
    `\\)\\(\\|\\((?:uid|cn|objectclass|userpassword)=`,
  ],
  'template-injection': [
    'Template that reaches into its engine',
    'High',
    `(?:\\{\\{|\\$\\{|<%=|#\\{)[^\\n}]{0,80}(?:__class__|__mro__|__globals__|__subclasses__|getRuntime\\(\\)|ProcessBuilder|freemarker\\.template|T\\(java\\.lang)`,
    `\\{\\{7\\*'?7'?\\}\\}|\\$\\{7\\*7\\}|<%= 7 ?\\* ?7|#\\{7\\*7\\}`,
  ],
  'jndi-lookup': [
    'Lookup in a log message',
    'Critical',
    `\\$\\{(?:jndi|\\$\\{(?:lower|upper|::-|env:\\w{0,20}:-)[^}]{0,12}\\})[^\\n]{0,60}(?:ldaps?|rmi|dns|iiop|corba|nds|http):`,
    `\\$\\{jndi:`,
  ],
  'xml-external-entity': [
    'Document that loads foreign entities',
    'High',
    `<!entity\\s{1,3}(?:%\\s{1,3})?\\w{1,40}\\s{1,3}(?:system|public)\\s{1,3}["'](?:file|https?|ftp|php|expect|jar|gopher):`,
  ],
  'script-injection': [
    'Script planted in a page',
    'High',
    `<script[^>]{0,80}>[^<]{0,120}(?:document\\.cookie|localstorage|eval\\(|alert\\(|fetch\\(|xmlhttprequest|window\\.location)`,
    `<(?:img|svg|body|iframe|input|details|video|audio|object)\\b[^>]{0,120}\\son(?:error|load|mouseover|focus|toggle|start)\\s{0,2}=\\s{0,2}["']?[^"'>\\s]{0,60}(?:\\(|javascript:)`,
    `(?:href|src|action)\\s{0,2}=\\s{0,2}["']?\\s{0,3}javascript:[^"'\\n]{0,60}(?:document|eval|fetch|alert|atob)\\b`,
  ],
  'metadata-address': [
    'Address of a cloud’s metadata',
    'Critical',
    `(?<![\\d.])169\\.254\\.169\\.254(?![\\d.]\\d)`,
    `\\bmetadata\\.google\\.internal\\b`,
    `\\b(?:0xa9fea9fe|2852039166|0251\\.0376\\.0251\\.0376)\\b`,
    `\\[(?:fd00:ec2::254|::ffff:a9fe:a9fe)\\]`,
  ],
  'odd-protocol': [
    'Address with a protocol for attacks',
    'High',
    `\\b(?:gopher|dict|phar|expect|netdoc|jar:https?|php)://[\\w./?=&%:@-]{3,200}`,
    `\\b(?:url|uri|href|endpoint|target)["']?\\s{0,3}[:=]\\s{0,3}["']?file:///`,
  ],
  deserialisation: [
    'Serialised object that runs code',
    'Critical',
    `\\brO0AB[A-Za-z0-9+/]{20}`,
    `!!python/(?:object(?:/apply|/new)?|name|module):`,
    `\\bc(?:os|posix|nt|subprocess|__builtin__)\\\\?n(?:system|popen|eval|exec|check_output)\\\\?n`,
    `"\\$type"\\s{0,3}:\\s{0,3}"System\\.(?:Windows\\.Data\\.ObjectDataProvider|Diagnostics\\.Process)`,
  ],
  'prototype-pollution': [
    'Prototype overwritten',
    'High',
    `"(?:__proto__|constructor)"\\s{0,3}:\\s{0,3}\\{[^}\\n]{0,120}`,
    `(?:\\[|\\.)__proto__(?:\\]|\\.)[\\w\\[\\].]{1,60}\\s{0,3}=`,
  ],
  'header-injection': [
    'Header broken open by line ends',
    'Medium',
    `(?:%0d%0a|\\\\r\\\\n)(?:set-cookie|location|content-type|content-length|host|x-forwarded-\\w{2,6})(?:%3a|:)`,
  ],
  'code-in-argument': [
    'Code that runs commands in an argument',
    'High',
    `\\b__import__\\s{0,2}\\(\\s{0,2}["'](?:os|subprocess|pty|socket)["']\\s{0,2}\\)\\.\\w{3,12}`,
    `\\brequire\\s{0,2}\\(\\s{0,2}["'](?:node:)?child_process["']\\s{0,2}\\)\\.(?:exec|spawn|fork)\\w{0,8}\\s{0,2}\\(`,
    `\\bRuntime\\.getRuntime\\(\\)\\.exec\\s{0,2}\\(`,
    `\\bprocess\\.mainModule\\.require\\b`,
  ],
});
