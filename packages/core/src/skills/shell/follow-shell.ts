import { isSent, readDownload } from './download.ts';
import { besides, commandName, expandWords, noAtoms, type Field, type Surroundings } from './expand-words.ts';
import { hostOf, isLoopback } from '../rules/known-hosts.ts';
import { packageAddresses } from './package-addresses.ts';
import { parseShell } from './parse-shell.ts';
import { fillWords, readXargs } from './read-xargs.ts';
import * as commands from './shell-commands.ts';
import { joined, nothing, origins, textContent, type Content } from './shell-values.ts';
import type { Command, List, Pipeline, Word } from './shell-syntax.ts';
import { ShellFiles } from './shell-files.ts';
import { shellLiterals } from './shell-pieces.ts';
import { assignedName, bindingOf, copied, decodedText, echoed, formatted, lastWords } from './shell-texts.ts';
import { addressesOf, filesOf, shellAt } from './unknown-command.ts';

/** Something that a shell text does, and where it stands in it. */
export interface ShellEvent {
  /** `run`: what was fetched, decoded or is a file runs. `send`: what is secret leaves. `made`: a name is put together. */
  readonly kind: 'run' | 'send' | 'made';
  readonly content: Content;
  /** The command that does it. */
  readonly name: string;
  readonly start: number;
  readonly end: number;
}

/** What one text may take: more commands than anyone writes, and code in code in code. */
const mostSteps = 20_000;
const mostEvents = 200;
const deepest = 6;
const standardInput = /^(?:-|\/dev\/stdin|\/dev\/fd\/0|\/proc\/(?:self|\d{1,7})\/fd\/0)$/;
const verifying = /^(?:-c|--check|--verify|verify(?:-\w+)?|-V)$/;
/** What makes code of a text, and what is a text that comes in. */
const evaluating = /\b(?:eval|exec|Function|system|popen|execSync|spawnSync|instance_eval|compile|runInThisContext)\b/;
const incoming = /\b(?:stdin|STDIN|input|gets|ARGF|readFileSync|slurp)\b|\$_|<>/;

/**
 * Goes through shell texts as a shell would, without running anything: what is fetched, where it is kept, through which
 * commands it goes, and whether it comes to run. What branches and loops ask is not told apart.
 */
export class ShellFollower {
  readonly #variables = new Map<string, Content>();
  readonly #files = new ShellFiles();
  readonly #functions = new Map<string, List>();
  readonly #aliases = new Map<string, readonly Word[]>();
  readonly #around: Surroundings;
  #events: ShellEvent[] = [];
  #steps = 0;
  #depth = 0;
  #place: readonly [start: number, end: number] = [0, 0];
  #isProse = false;

  constructor() {
    this.#around = { variables: this.#variables, print: (list) => this.#list(list, nothing) };
  }

  /** @param isProse the words behind a command may be those of a sentence */
  follow(text: string, isProse = false): readonly ShellEvent[] {
    this.#events = [];
    this.#steps = 0;
    this.#isProse = isProse;
    if (this.#matters(text)) for (const pipeline of parseShell(text)) this.#pipeline(pipeline, nothing, true);
    return this.#events;
  }

  /** Most of what stands between backquotes is a name: words without any sign that counts, none of which is known. */
  #matters(text: string): boolean {
    if (text.length > 200 || /[/$`\\'"*?[{<>|;&=]/.test(text)) return true;
    return text
      .split(/[\s(),]+/)
      .some(
        (word) =>
          commands.roleOf(word) !== undefined ||
          Object.hasOwn(this.#builtins, word) ||
          this.#functions.has(word) ||
          this.#aliases.has(word),
      );
  }

  #list(list: List, input: Content): Content {
    if (this.#depth >= deepest) return nothing;
    this.#depth += 1;
    const printed = list.map((pipeline) => this.#pipeline(pipeline, input));
    this.#depth -= 1;
    return joined(printed);
  }

  #pipeline(pipeline: Pipeline, input: Content, isOutermost = false): Content {
    const [first] = pipeline;
    if (isOutermost && first !== undefined) this.#place = [first.start, pipeline.at(-1)?.end ?? first.end];
    let passed = input;
    for (const command of pipeline) {
      this.#steps += 1;
      if (this.#steps > mostSteps) return nothing;
      passed = this.#command(command, passed);
    }
    return passed;
  }

  #command(command: Command, piped: Content): Content {
    let input = piped;
    const outputs: Field[] = [];
    for (const { operator, descriptor, word } of command.redirects) {
      const [field] = expandWords([word], this.#around);
      if (field === undefined) continue;
      const isOpened = descriptor !== '' && descriptor !== '0';
      const opened = this.#opened(operator, field);
      if (opened !== undefined && isOpened) this.#files.write(`&${descriptor}`, opened);
      else if (opened !== undefined) input = opened;
      else if (/^(?:&?>>?|>\|)$/.test(operator)) outputs.push(field);
    }
    const printed = command.group === undefined ? this.#simple(command.words, input) : this.#group(command, input);
    const files = outputs.filter(({ text }) => !/^(?:&?\d|-|\/dev\/(?:null|stdout|stderr|tty))$/.test(text));
    for (const { text, reader } of files) {
      if (reader === undefined) this.#files.write(text, printed);
      else this.#list(reader, printed);
    }
    return files.length > 0 ? nothing : printed;
  }

  /** What a redirect lets a command read; undefined for one that lets it write. */
  #opened(operator: string, { text, content }: Field): Content | undefined {
    if (operator.startsWith('<<')) return content;
    if (operator === '<&') return this.#files.read(`&${text}`);
    if (operator !== '<' && operator !== '<>') return undefined;
    return text === '/dev/fd/63' ? content : this.#files.read(text);
  }

  #group({ group = [], head, defines }: Command, input: Content): Content {
    if (defines !== undefined) this.#functions.set(defines, group);
    const [variable, ...words] = head === undefined ? [] : expandWords(head, this.#around);
    if (variable !== undefined) this.#variables.set(variable.text, besides(words.slice(1)));
    return this.#list(group, input);
  }

  #simple(words: readonly Word[], input: Content): Content {
    let index = 0;
    for (; index < words.length; index += 1) {
      const bound = bindingOf(words[index] as Word);
      if (bound === undefined) break;
      const value = besides(expandWords([bound.value], this.#around));
      this.#variables.set(bound.name, value);
      if (commands.runVariables.has(bound.name)) this.#execute(value, nothing, bound.name);
    }
    if (index === words.length) return nothing;
    const assigned = assignedName(words);
    if (assigned !== undefined) {
      this.#variables.set(assigned, this.#dispatch(expandWords(words.slice(2), this.#around), input));
      return nothing;
    }
    return this.#dispatch(expandWords(words.slice(index), this.#around), input);
  }

  #dispatch(fields: readonly Field[], input: Content): Content {
    const [first, ...given] = fields;
    if (first === undefined) return nothing;
    if (first.content.text === undefined && (first.content.urls !== undefined || first.content.isDecoded === true)) {
      this.#report('run', first.content, 'a command');
      return nothing;
    }
    // A name that nobody can tell, and an address behind it: it may well fetch that.
    if (first.content.text === undefined && addressesOf(given).length > 0) return this.#fetch('curl', given, input);
    const { name, isPattern } = commandName(first.text);
    const isHidden =
      commands.commandsWorthHiding.has(name) &&
      (isPattern || !first.atoms().some((atom) => commandName(atom).name === name));
    if (isHidden) this.#report('made', textContent(name), name);
    const alias = this.#aliases.get(first.text);
    if (alias !== undefined && this.#depth < deepest) {
      this.#depth += 1;
      const printed = this.#dispatch([...expandWords(alias, this.#around), ...given], input);
      this.#depth -= 1;
      return printed;
    }
    const run = this.#functions.get(name);
    if (run !== undefined) return this.#call(run, given, input);
    const role = commands.roleOf(name);
    if (role === 'wrapper') return this.#wrapped(name, given, input);
    if (role === 'downloader') return this.#fetch(name, given, input);
    if (role === 'cmdlet') return this.#fetch('curl', given, input);
    if (role === 'interpreter') return this.#interpret(name, given, input);
    if (role === 'copier') return this.#copy(given);
    if (role === 'binder') return this.#bindAll(given);
    if (role === 'installer') this.#install(name, given);
    const builtin = Object.hasOwn(this.#builtins, name) ? this.#builtins[name] : undefined;
    if (builtin !== undefined) return builtin(given, input, name);
    if (role === 'printer') return this.#print(name, given, input);
    if (role === 'verifier' && given.some(({ text }) => verifying.test(text))) this.#files.verifyAll();
    if (first.text.includes('/') && !first.text.includes(':')) this.#run(this.#files.read(first.text), first.text);
    return this.#unknown(given, input);
  }

  /** A function, with the words behind its name. */
  #call(body: List, given: readonly Field[], input: Content): Content {
    const words: readonly (readonly [name: string, content: Content])[] = [
      ['@', besides(given)],
      ['*', besides(given)],
      ...given.slice(0, 9).map(({ content }, index) => [String(index + 1), content] as const),
    ];
    const before = words.map(([name]) => [name, this.#variables.get(name) ?? nothing] as const);
    for (const [name, content] of words) this.#variables.set(name, content);
    const printed = this.#list(body, input);
    for (const [name, content] of before) this.#variables.set(name, content);
    return printed;
  }

  /** A command that is not known: it hands on to a shell, or prints what lies in the places that it is given. */
  #unknown(given: readonly Field[], input: Content): Content {
    const at = this.#isProse ? -1 : shellAt(given);
    if (at >= 0) return this.#dispatch(given.slice(at), input);
    const urls = addressesOf(given);
    const files = filesOf(given, (path) => this.#files.has(path));
    // What an editor or an alias of git takes for a command of the shell.
    for (const { text } of given)
      if (/^:?!\s?\S/.test(text)) this.#execute(textContent(text.replace(/^:?!/, '')), nothing, 'a command');
    if (urls.length + files.length === 0) return input.text === undefined ? input : origins([input]);
    const read = files.map((path) => this.#files.read(path));
    return origins([input, ...read, urls.length > 0 ? { urls } : nothing]);
  }

  readonly #builtins: Readonly<Record<string, (given: readonly Field[], input: Content, name: string) => Content>> = {
    eval: (given, input) => this.#execute(besides(given), input, 'eval'),
    source: ([file], input, name) => this.#sourced(file, input, name),
    '.': ([file], input, name) => this.#sourced(file, input, name),
    echo: echoed,
    print: echoed,
    printf: (given) => this.#printf(given),
    xargs: (given, input) => this.#spread(given, input),
    parallel: (given, input) => this.#parallel(given, input),
    tee: (given, input) => this.#tee(given, input),
    read: (given, input) => this.#readInto(given, input),
    mapfile: (given, input) => this.#readInto(given, input),
    readarray: (given, input) => this.#readInto(given, input),
    find: (given, input) =>
      this.#dispatch(given.slice(given.findIndex(({ text }) => text.startsWith('-exec')) + 1 || given.length), input),
    which: ([file]) => ({ text: file?.text, isPlain: true }),
    at: (_given, input) => this.#runInput(input, 'at'),
    batch: (_given, input) => this.#runInput(input, 'batch'),
    crontab: ([file], input) => (file?.text === '-' ? this.#runInput(input, 'crontab') : nothing),
    'Start-Process': (given) => this.#startFile(given),
    'Invoke-Item': (given) => this.#startFile(given),
    'Invoke-Expression': (given, input) => this.#evaluate(given, input),
    iex: (given, input) => this.#evaluate(given, input),
    alias: (given) => this.#bindAliases(given),
    set: () => nothing,
    trap: ([code], input) => (code === undefined ? nothing : this.#execute(code.content, input, 'trap')),
  };

  #wrapped(name: string, given: readonly Field[], input: Content): Content {
    const takesWord = commands.wrappers.get(name) ?? /^$/;
    let index = 0;
    for (; index < given.length; index += 1) {
      const { text } = given[index] as Field;
      if (name === 'command' && /^-[vV]$/.test(text)) return { text: given[index + 1]?.text, isPlain: true };
      if (name === 'su' && text === '-c') return this.#execute(given[index + 1]?.content ?? nothing, input, name);
      if (takesWord.test(text)) index += 1;
      else if (!text.startsWith('-') && !/^[A-Za-z_]\w*=/.test(text)) break;
    }
    const rest = given.slice(index + (commands.ownWords.get(name) ?? 0));
    // One word with blanks is a command line of its own, as watch and ssh take it.
    const [only] = rest;
    if (rest.length === 1 && only !== undefined && /\s/.test(only.text))
      return this.#execute(only.content, input, name);
    if (rest.length === 0 && (name === 'sudo' || name === 'su' || name === 'ssh')) return this.#runInput(input, name);
    return this.#dispatch(rest, input);
  }

  #fetch(name: string, given: readonly Field[], input: Content): Content {
    const { urls, file } = readDownload(name, given, this.#proxies());
    const sent = [input, ...given.map((field) => this.#given(field))];
    if (isSent(name, given, sent)) this.#report('send', origins(sent), name);
    const strange = urls.filter((url) => url === '' || !isLoopback(hostOf(url) ?? ''));
    const listed = input.text?.match(/https?:\/\/\S{3,300}/g) ?? [];
    const content: Content = strange.length + listed.length > 0 ? { urls: [...strange, ...listed] } : nothing;
    if (file === undefined) return content;
    this.#files.write(file, content);
    return nothing;
  }

  #proxies = (): readonly string[] =>
    ['http_proxy', 'HTTP_PROXY', 'https_proxy', 'HTTPS_PROXY', 'all_proxy', 'ALL_PROXY'].flatMap(
      (name) => this.#variables.get(name)?.text ?? [],
    );

  /** What an argument of a downloader hands over: itself, or the file that it names. */
  #given({ text, content }: Field): Content {
    const path = /^(?:[\w-]{1,40}=)?[@<]([^\s;]{1,300})/.exec(text)?.[1];
    return path === undefined ? content : this.#files.read(path);
  }

  #interpret(name: string, given: readonly Field[], input: Content): Content {
    const takesCode = commands.interpreters.get(name) ?? /^$/;
    const isShell = commands.shells.has(name);
    for (let index = 0; index < given.length; index += 1) {
      const field = given[index] as Field;
      const { text } = field;
      if (takesCode.test(text)) {
        const code = joined(given.slice(index + 1, index + 2).map(({ content }) => content));
        return isShell ? this.#execute(code, input, name) : this.#runCode(code, input, name);
      }
      if (standardInput.test(text) || /^-\w{0,4}s$/.test(text) || text === '--') break;
      if (text === '-m' && name === 'python') return this.#dispatch(given.slice(index + 1), input);
      if (/^(?:-[oOWX]|--rcfile|--init-file|-r|--require|--import|-I|-d)$/.test(text) && given.length > index + 1)
        index += 1;
      else if (/^(?:run|-f|-File)$/i.test(text) && /^(?:deno|bun|php|pwsh|powershell)$/.test(name)) continue;
      else if (!/^[-+]/.test(text)) return this.#runOperand(field, name, input);
    }
    return this.#runInput(input, name);
  }

  #runOperand(field: Field, name: string, input: Content): Content {
    const { text, content } = field;
    if (text === '/dev/fd/63' || content.text === undefined) this.#run(content, name);
    else if (/^https?:\/\//.test(text)) this.#run({ urls: [text] }, name);
    else if (this.#isProse && !/[./]/.test(text.replace(/[.,:;]$/, ''))) return this.#runInput(input, name);
    else this.#runFile(text, name);
    return origins([input]);
  }

  /** A file of the package, one that was fetched, or one that was written here, which is followed. */
  #runFile(path: string, name: string): void {
    const content = this.#files.read(path);
    if (content.text !== undefined && commands.shells.has(name)) this.#execute(content, nothing, name);
    else this.#run(content, name);
  }

  #evaluate = (given: readonly Field[], input: Content): Content =>
    this.#runInput(joined([input, ...given.map(({ content }) => content)]), 'iex');

  #startFile(given: readonly Field[]): Content {
    const { text } = given.find((field) => !field.text.startsWith('-')) ?? { text: '' };
    this.#run(this.#files.read(text), 'Start-Process');
    return nothing;
  }

  /** Code in another language: what it does with its input is looked for in its words. */
  #runCode(code: Content, input: Content, name: string): Content {
    this.#run({ ...code, text: undefined }, name);
    const text = code.text ?? '';
    if (evaluating.test(text) && incoming.test(text)) this.#run(input, name);
    for (const literal of shellLiterals(text)) this.#list(parseShell(literal), nothing);
    return origins([input]);
  }

  /** Shell code: what it is made of runs, and as far as it is known it is followed. */
  #execute(code: Content, input: Content, name: string): Content {
    this.#run({ ...code, text: undefined }, name);
    if (code.text === undefined || this.#depth >= deepest) return origins([input, code]);
    return this.#list(parseShell(code.text), input);
  }

  #runInput(input: Content, name: string): Content {
    return this.#execute(input, nothing, name);
  }

  #run(content: Content, name: string): void {
    if (content.urls !== undefined || content.files !== undefined || content.isDecoded === true)
      this.#report('run', content, name);
  }

  #report(kind: ShellEvent['kind'], content: Content, name: string): void {
    const [start, end] = this.#place;
    if (this.#events.length < mostEvents) this.#events.push({ kind, content, name, start, end });
  }

  #sourced(file: Field | undefined, input: Content, name: string): Content {
    if (file === undefined) return nothing;
    if (standardInput.test(file.text)) return this.#runInput(input, name);
    if (file.text === '/dev/fd/63' || file.content.text === undefined) this.#run(file.content, name);
    else this.#runFile(file.text, 'sh');
    return nothing;
  }

  #printf(given: readonly Field[]): Content {
    if (given[0]?.text !== '-v') return formatted(given);
    this.#variables.set(given[1]?.text ?? '', formatted(given.slice(2)));
    return nothing;
  }

  #print(name: string, given: readonly Field[], input: Content): Content {
    const decodes =
      commands.decoders.test(name) && given.some(({ text }) => /^(?:-\w{0,3}[dDr]\w{0,2}|--decode|enc)$/.test(text));
    const files = given
      .filter(({ text }) => !text.startsWith('-') && /[./~]/.test(text))
      .map(({ text }) => this.#files.read(text));
    const printed = origins([
      input,
      ...files,
      ...given.filter(({ content }) => content.text === undefined).map(({ content }) => content),
    ]);
    const known = files.length === 0 ? input.text : files.length === 1 ? files[0]?.text : undefined;
    if (decodes)
      return { ...printed, isDecoded: true, text: known === undefined ? undefined : decodedText(name, known) };
    if (name === 'rev' && known !== undefined)
      return { ...printed, isDecoded: true, text: Array.from(known).toReversed().join('') };
    return name === 'cat' ? { ...printed, text: known } : printed;
  }

  #spread(given: readonly Field[], piped: Content): Content {
    const { command, mark, input } = readXargs(given, piped);
    if (mark !== undefined) return this.#dispatch(fillWords(command, mark, input), nothing);
    const last: Field = { content: input, text: input.text ?? '', atoms: noAtoms };
    const { name } = commandName(command[0]?.text ?? '');
    // `sh -c` is given what comes in as the words behind its code, and without code as the code.
    const isShell = commands.shells.has(name);
    const code = command[command.findIndex(({ text }) => /^-\w*c$/.test(text)) + 1];
    if (isShell && code !== undefined && code.text.includes('$')) this.#run(input, name);
    return this.#dispatch([...command, last], isShell && command.length === 1 ? input : nothing);
  }

  #parallel(given: readonly Field[], input: Content): Content {
    const at = given.findIndex(({ text }) => text === ':::');
    if (at < 0) return this.#spread(given, input);
    const listed = besides(given.slice(at + 1));
    return at === 0 ? this.#execute(listed, input, 'parallel') : this.#spread(given.slice(0, at), listed);
  }

  #tee(given: readonly Field[], input: Content): Content {
    for (const { text, reader } of given) {
      if (reader !== undefined) this.#list(reader, input);
      else if (!text.startsWith('-')) this.#files.write(text, input);
    }
    return input;
  }

  #readInto(given: readonly Field[], input: Content): Content {
    const names = given.filter(({ text }) => /^[A-Za-z_]\w*$/.test(text));
    const words = lastWords(input.text, names.length);
    for (const [index, { text }] of names.entries()) this.#variables.set(text, { ...input, text: words?.[index] });
    return nothing;
  }

  #bindAll(given: readonly Field[]): Content {
    for (const { text, content } of given) {
      const at = text.indexOf('=');
      if (at > 0)
        this.#variables.set(text.slice(0, at), {
          ...content,
          text: content.text === undefined ? undefined : text.slice(at + 1),
        });
    }
    return nothing;
  }

  #bindAliases(given: readonly Field[]): Content {
    for (const { text } of given) {
      const at = text.indexOf('=');
      if (at > 0) this.#aliases.set(text.slice(0, at), parseShell(text.slice(at + 1))[0]?.[0]?.words ?? []);
    }
    return nothing;
  }

  /** A package from an address is code from there, and its hooks run. */
  #install(name: string, given: readonly Field[]): void {
    const urls = packageAddresses(name, given);
    if (urls.length > 0) this.#report('run', { urls }, name);
  }

  #copy(given: readonly Field[]): Content {
    const paths = copied(given);
    if (paths !== undefined) this.#files.write(paths.to, this.#files.read(paths.from));
    return nothing;
  }
}
