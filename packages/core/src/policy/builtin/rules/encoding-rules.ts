import { draftRules, type Shared } from './draft-rules.ts';
import { untrustedAndAssistant } from './rule-origins.ts';

/* Texts that are written so that a filter does not read what a program does. */

const shared: Shared = { category: 'Tool Security', owasp: ['LLM01:2025'], origins: untrustedAndAssistant };

export const encodingRules = draftRules(shared, {
  'encoded-percent-twice': [
    'Percent encoding applied twice',
    'Medium',
    '(?:%25(?:2e|2f|5c|3c|3e|27|22|3b|7c|00|0a|0d|20)){2,40}',
  ],
  'encoded-percent-script': [
    'Percent-encoded markup or query',
    'High',
    '%3c(?:%73|s)cript(?:%3e|%20)|%3c%73%63%72%69%70%74',
    '(?:%27|%22)(?:%20|\\+|%09){1,3}(?:or|and|union)(?:%20|\\+|%09){1,3}',
  ],
  'encoded-null-byte': ['Null byte', 'Medium', '%00[%./]|\\\\u0000\\w|&#0;|&#00;|&#x0;|&#x00;'],
  'encoded-overlong': [
    'Overlong form of a character',
    'High',
    '%c0%(?:ae|af|2f|5c)|%e0%80%(?:ae|af)|%c1%(?:1c|9c)|\\\\xc0\\\\xa[ef]',
  ],
  'encoded-hex-escapes': ['Long text in hexadecimal escapes', 'Medium', '(?:\\\\x[4-7][0-9a-f]){24}'],
  'encoded-unicode-escapes': [
    'Plain letters written as escapes',
    'Medium',
    '(?:\\\\u00[4-7][0-9a-f]){12}',
    '(?:\\\\u\\{0{0,4}[4-7][0-9a-f]\\}){8}',
  ],
  'encoded-entities': [
    'Plain letters written as entities',
    'Medium',
    '(?:&#x[4-7][0-9a-f];|&#6[5-9];|&#7\\d;|&#8\\d;|&#9\\d;|&#1[012]\\d;){10}',
  ],
  'encoded-char-codes': [
    'Text built of character codes',
    'High',
    'fromcharcode\\((?:\\d{2,3}, ?){6}',
    '\\bchr\\(\\d{2,3}\\)(?:\\s{0,2}[.+&]\\s{0,2}chr\\(\\d{2,3}\\)){5}',
    '(?:\\[char\\]\\d{2,3} ?\\+ ?){4}',
  ],
  'encoded-decode-and-run': [
    'Text decoded and run',
    'Critical',
    '\\b(?:eval|exec|function|settimeout|assert|system|os\\.system|subprocess\\.\\w{3,12}|iex|new function)\\s{0,2}\\(?\\s{0,3}(?:compile\\()?(?:atob|unescape|decodeuricomponent|base64[._]?b?64?decode|base64_decode|b64decode|gzinflate|str_rot13|codecs\\.decode|bytes\\.fromhex|buffer\\.from|\\[system\\.convert\\]::frombase64string|zlib\\.decompress|marshal\\.loads)\\s{0,2}\\(',
  ],
  'encoded-decode-and-obey': [
    'Encoded text to be decoded and obeyed',
    'High',
    '\\b(?:decode|decrypt|decipher|deobfuscate|unscramble)\\b[^.!?\\n]{0,60}\\b(?:base64|base 64|hex|hexadecimal|rot13|caesar|morse|binary|ascii|cipher|leet\\w{0,5}|url[- ]encod\\w{2,3})\\b[^.!?\\n]{0,60}\\b(?:and|then)\\b[^.!?\\n]{0,30}\\b(?:follow|obey|execute|run|do|perform|answer|respond|comply|act|carry)\\b',
  ],
  'encoded-answer-asked': [
    'Answer asked for in an encoding',
    'Medium',
    '\\b(?:answer|respond|reply|output|print|write|encode|return|give|spell|translate)\\b[^.!?\\n]{0,60}\\b(?:in|as|using|into|with)\\s{1,3}(?:base64|base 64|hex(?:adecimal)?|rot-?13|morse(?: code)?|caesar cipher|binary code|leet ?speak|1337|pig latin|reverse[d]? (?:order|letters|text))\\b[^.!?\\n]{0,60}\\b(?:password|secret|prompt|instructions?|key|code word|system|confidential|hidden)\\b',
  ],
  'encoded-cut-up': [
    'Words cut up and put together again',
    'High',
    '\\blet\\s{1,3}(?:\\w{1,10})\\s{0,3}=\\s{0,3}["\'][^"\'\\n]{1,40}["\'][^]{0,200}\\b(?:combine|concatenate|join|put together|a\\s{0,2}\\+\\s{0,2}b)\\b[^.!?\\n]{0,60}\\b(?:answer|respond|do|execute|follow|say|write|explain|complete)\\b',
  ],
  'encoded-variable-expansion': [
    'Command hidden in expansions of the shell',
    'High',
    '\\$\\{IFS\\}|\\$IFS\\$\\d',
    '\\$\\{?PATH:\\d{1,2}:\\d{1,2}\\}?',
  ],
  'encoded-data-uri': [
    'Program in a data address',
    'High',
    'data:(?:text/html|application/(?:x-)?javascript|text/javascript|image/svg\\+xml)[^,\\s]{0,40};base64,[A-Za-z0-9+/]{24}',
    'data:text/html[^,\\s]{0,40},\\s{0,3}(?:<|%3c)script',
  ],
});
