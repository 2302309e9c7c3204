import { Buffer } from 'node:buffer';
import { findCurlOption, takesArgument } from './curl-options.ts';
import { splitShellWords } from './shell-words.ts';

/** The request that a curl command would send. */
export interface CurlRequest {
  readonly method: string;
  readonly url: URL;
  /** Names as they were written; a later one takes the place of an earlier one. */
  readonly headers: ReadonlyMap<string, string>;
  readonly body: string;
  readonly timeoutSeconds: number | undefined;
  /** Variables of the shell, which stay unfilled. */
  readonly variables: readonly string[];
}

export type ParsedCurl =
  | { readonly request: CurlRequest; readonly problems?: undefined }
  | { readonly problems: readonly string[] };

const maxCommand = 200_000;
const headerName = /^[A-Za-z0-9!#$%&'*+.^_`|~-]{1,100}$/;
/** Options that are shown to take a file: nothing is read here. */
const noFile = (option: string, value: string): string =>
  `${option} ${value.slice(0, 60)} reads a file; put its content into the command`;

/** Reads a curl command as its own parser would, without running or fetching anything. */
export function parseCurl(command: string): ParsedCurl {
  if (command.length > maxCommand) return { problems: [`The command is longer than ${maxCommand} characters`] };
  const split = splitShellWords(command.trim());
  if (split.problem !== undefined) return { problems: [split.problem] };
  const [first, ...words] = split.words;
  if (first === undefined || !/(?:^|[/\\])curl(?:\.exe)?$/i.test(first))
    return { problems: ['The command does not begin with curl'] };
  const collector = new Collector();
  collector.readAll(words);
  return collector.finish(split.variables);
}

class Collector {
  readonly #problems: string[] = [];
  readonly #headers = new Map<string, readonly [name: string, value: string]>();
  readonly #data: string[] = [];
  readonly #json: string[] = [];
  readonly #urls: string[] = [];
  #method: string | undefined;
  #isGet = false;
  #timeoutSeconds: number | undefined;

  readAll(words: readonly string[]): void {
    let onlyUrls = false;
    for (let at = 0; at < words.length; at += 1) {
      const word = words[at] ?? '';
      if (onlyUrls || !word.startsWith('-') || word === '-') this.#urls.push(word);
      else if (word === '--') onlyUrls = true;
      else at += word.startsWith('--') ? this.#readLong(word, words[at + 1]) : this.#readShort(word, words[at + 1]);
    }
  }

  #readLong(name: string, argument: string | undefined): number {
    const option = findCurlOption(name);
    if (option === undefined) {
      this.#problems.push(`The option ${name.slice(0, 60)} is not known`);
      return 0;
    }
    if (!takesArgument(option)) this.#apply(name, '');
    else if (argument === undefined) this.#problems.push(`${name} needs a value`);
    else this.#apply(name, argument);
    return takesArgument(option) ? 1 : 0;
  }

  /** Flags may stand together, and the value of the last one behind it: `-sSXPOST`. */
  #readShort(word: string, next: string | undefined): number {
    for (let at = 1; at < word.length; at += 1) {
      const name = `-${word[at]}`;
      const option = findCurlOption(name);
      if (option === undefined) {
        this.#problems.push(`The option ${name} is not known`);
        return 0;
      }
      if (!takesArgument(option)) {
        this.#apply(name, '');
        continue;
      }
      const attached = word.slice(at + 1);
      if (attached !== '') this.#apply(name, attached);
      else if (next === undefined) this.#problems.push(`${name} needs a value`);
      else this.#apply(name, next);
      return attached === '' ? 1 : 0;
    }
    return 0;
  }

  #apply(name: string, value: string): void {
    const option = findCurlOption(name);
    switch (option?.meaning) {
      case 'method':
        this.#method = value.toUpperCase();
        break;
      case 'header':
        this.#addHeaderLine(name, value);
        break;
      case 'data':
        if (value.startsWith('@')) this.#problems.push(noFile(name, value));
        else this.#data.push(value);
        break;
      case 'data-raw':
        this.#data.push(value);
        break;
      case 'data-urlencode':
        this.#addEncoded(name, value);
        break;
      case 'json':
        if (value.startsWith('@')) this.#problems.push(noFile(name, value));
        else this.#json.push(value);
        break;
      case 'url':
        this.#urls.push(value);
        break;
      case 'user':
        this.#setHeader('Authorization', `Basic ${Buffer.from(value, 'utf8').toString('base64')}`);
        break;
      case 'bearer':
        this.#setHeader('Authorization', `Bearer ${value}`);
        break;
      case 'cookie':
        if (value.includes('=')) this.#setHeader('Cookie', value);
        else this.#problems.push(noFile(name, value));
        break;
      case 'user-agent':
        this.#setHeader('User-Agent', value);
        break;
      case 'referer':
        this.#setHeader('Referer', value);
        break;
      case 'get':
        this.#isGet = true;
        break;
      case 'max-time':
        this.#timeoutSeconds = Math.min(600, Math.max(1, Math.ceil(Number(value)))) || undefined;
        break;
      case 'refused':
        this.#problems.push(`${name} is not taken over: ${option.why ?? ''}`);
        break;
      case 'ignored':
      case 'ignored-argument':
      case undefined:
        break;
    }
  }

  #addHeaderLine(option: string, line: string): void {
    if (line.startsWith('@')) this.#problems.push(noFile(option, line));
    // A header without a value is written with a semicolon.
    const empty = /^([^:;]{1,100});\s*$/.exec(line)?.[1];
    if (empty !== undefined && headerName.test(empty)) return this.#setHeader(empty, '');
    const colon = line.indexOf(':');
    const name = colon === -1 ? '' : line.slice(0, colon).trim();
    const value = line.slice(colon + 1).trim();
    if (!headerName.test(name))
      this.#problems.push(`The header ${JSON.stringify(line.slice(0, 60))} is not of the form Name: value`);
    else if (!/^[\x20-\x7e]*$/.test(value)) this.#problems.push(`The header ${name} holds more than printable ASCII`);
    // `Name:` without a value takes a header of curl's own away.
    else if (value !== '') this.#setHeader(name, value);
  }

  #setHeader(name: string, value: string): void {
    this.#headers.set(name.toLowerCase(), [name, value]);
  }

  #addEncoded(option: string, value: string): void {
    const [, name = '', sign, content = ''] = /^([^=@]*)([=@])([^]*)$/.exec(value) ?? ['', '', '=', value];
    if (sign === '@') this.#problems.push(noFile(option, value));
    else this.#data.push(`${name === '' ? '' : `${name}=`}${encodeURIComponent(content.toWellFormed())}`);
  }

  finish(variables: readonly string[]): ParsedCurl {
    const [address, ...others] = this.#urls;
    if (address === undefined) this.#problems.push('The command names no URL');
    if (others.length > 0) this.#problems.push('The command names more than one URL');
    const url = address === undefined ? undefined : parseUrl(address);
    if (address !== undefined && url === undefined)
      this.#problems.push(`${address.slice(0, 100)} is no http or https URL`);
    if (this.#problems.length > 0 || url === undefined) return { problems: this.#problems };
    return { request: this.#render(url, variables) };
  }

  #render(url: URL, variables: readonly string[]): CurlRequest {
    const data = [...(this.#data.length > 0 ? [this.#data.join('&')] : []), ...this.#json].join('');
    if (this.#isGet) {
      for (const [name, value] of new URLSearchParams(data)) url.searchParams.append(name, value);
    }
    if (this.#json.length > 0 && !this.#headers.has('content-type'))
      this.#setHeader('Content-Type', 'application/json');
    const isUpload = data !== '' && !this.#isGet;
    if (url.username !== '' && !this.#headers.has('authorization')) {
      const login = `${decodePart(url.username)}:${decodePart(url.password)}`;
      this.#setHeader('Authorization', `Basic ${Buffer.from(login, 'utf8').toString('base64')}`);
    }
    url.username = '';
    url.password = '';
    return {
      method: this.#method ?? (isUpload ? 'POST' : 'GET'),
      url,
      headers: new Map(this.#headers.values()),
      body: this.#isGet ? '' : data,
      timeoutSeconds: this.#timeoutSeconds,
      variables,
    };
  }
}

/** What is no sound percent-encoding stays as it is written. */
function decodePart(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}

/** As curl does, an address without a scheme is read as http. */
function parseUrl(address: string): URL | undefined {
  const url = URL.parse(/^[a-z][a-z0-9+.-]*:\/\//i.test(address) ? address : `http://${address}`);
  return url !== null && /^https?:$/.test(url.protocol) && url.hostname !== '' ? url : undefined;
}
