import type { PatternDetector } from '../detector.ts';
import { assigns } from './named-token-detector.ts';
import { isRandom } from './randomness.ts';

/*
 * Values whose name says that they are secret, whoever issued them. What looks drawn by lot counts: a word, the name of a
 * variable, or a number does not.
 */

const names =
  'secret|token|passw(?:or)?d|passphrase|pwd|credentials?|creds|api[_ .-]?key|apikey|access[_ .-]?key|auth(?:orization)?[_ .-]?key|' +
  '(?:private|encryption|signing|master|account|shared|storage|service|license|consumer|subscription|deploy|session|server|client|app)[_ .-]?key|' +
  '[_-]key|[?&]key|[?&]sig|[_-]auth|authorization|x-functions-key|connection[_ .-]?string';
const rest = '[\\w.-]{0,24}';
// Not the sign that parts the parameters of a query.
const value = '[\\w+/.=~!@#$%^*:-]{12,400}';

const whole = new RegExp(`^(${names})(${rest})(${assigns})(${value})$`, 'i');

/** What a name goes on with where it does not name the secret but something about it. */
const about =
  /(?:id|ids|name|names|type|types|ur[il]s?|length|len|size|file|filename|path|dir|count|index|version|hash|endpoint|expir\w*|alias|ring|store|code|map|board|word|words|press\w*|frame|format|field|label|prefix|suffix|pattern|regex|policy|provider|method|scheme|class|style|limit|usage|budget|param\w*|header|column|status|state|ttl|date|time|at|by|in|icon|text|arn|ref|spec|kind|group|set|sets|list|range|count\w*|manager|service|handler|function|callback|event|error|izer|ized|ize|ization|s)$/i;
/** What a name begins with where anybody may know the value. */
const open =
  /(?:public|foreign|primary|partition|sort|row|cache|site|csrf|xsrf|csrf-|next_?page|page|continuation|publishable|idempotency|translation|i18n|locale|sub|object|bucket|s3|query|react|hot|short|arrow|function|surrogate|host|unique|composite|natural|dict|hash|map|group|lookup|index|answer|registry|registry_|metric|event)[_ .-]?$/i;

const uuid = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;
/** Code, a path, an address, a version, an integrity, a placeholder of a template. */
const noValue =
  /^(?:sha(?:1|256|384|512)[-:]|sb_publishable_|[\w.-]+\(|(?:process|os|env|config|settings|self|this|secrets?|vars?|data|args|options|req|request|response|params?|props|state|ctx|context|app|module|exports|window|document|math|json|object|string|number|date)\.|\.{0,2}\/|https?:|file:|\d+(?:\.\d+)*$|v?\d+\.\d+|.*\.(?:js|ts|json|py|rb|go|java|html?|md|ya?ml|txt|pem|key|crt|env)$|[$%])/i;

export const secretValue: PatternDetector = {
  kind: 'pattern',
  name: 'secret-value',
  type: 'SECRET_ASSIGNMENT',
  description: 'Values drawn by lot, behind a name such as secret, token, password or API key',
  patterns: [
    { regex: `(?:${names})${rest}${assigns}${value}`, flags: 'i' },
    { regex: `bearer\\s{1,2}["'\`]?[\\w+/.=~-]{14,400}`, flags: 'i' },
  ],
  validate(match, before, after) {
    const [, bearer] = /^bearer\s{1,2}["'`]?(.+)$/i.exec(match) ?? [];
    if (bearer !== undefined) return isRandom(bearer.replace(/(?<![.=])[.=]+$/, '')) ? 0.8 : undefined;
    const [, name, tail, sign, text] = whole.exec(match) ?? [];
    if (name === undefined || tail === undefined || sign === undefined || text === undefined) return undefined;
    const token = text.replace(/(?<![.:,;!-])[.:,;!-]+$/, '');
    if (about.test(tail) || open.test(before) || noValue.test(token) || /^[([{]|^\.\w/.test(after)) return undefined;
    // The tag of an image, such as `ghcr.io/acme/session-token:<commit>`.
    if (sign === ':' && /\/[\w.-]*$/.test(before) && /^(?:[0-9a-f]{40}|[0-9a-f]{64})$/i.test(token)) return undefined;
    const isQuoted = /["'`]$/.test(sign);
    // In a list, a call or two words in a row only a text in quotes is a value; behind an element's name it needs none.
    const isElement = sign.endsWith('>') && /<[\w:.-]{0,40}$/.test(before);
    if (!isQuoted && !isElement && !/[:=]/.test(sign)) return undefined;
    if (uuid.test(token)) return /key$/i.test(name) && !/api|access|secret/i.test(name) ? undefined : 0.7;
    return isRandom(token) ? 0.8 : undefined;
  },
};
