import { secretStore, personalStore } from '../rules/vocabulary.ts';
import { readDownload } from './download.ts';
import { commandName, expandWords, type Field, type Surroundings } from './expand-words.ts';
import { hostOf, isLoopback } from './fetched-host.ts';
import { packageAddresses } from './package-addresses.ts';
import { parseShell } from './parse-shell.ts';
import * as commands from './shell-commands.ts';
import { joined, nothing, origins, textContent, type Content } from './shell-values.ts';
import type { Command, List, Pipeline, Word } from './shell-syntax.ts';
import { bindingOf, decodedText, formatted } from './shell-texts.ts';
import { unescapeAnsi } from './unescape-ansi.ts';

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
const secretPath = new RegExp(`${secretStore}|${personalStore}`);
/** What makes code of a text, and what is a text that comes in. */
const evaluating = /\b(?:eval|exec|Function|system|popen|execSync|spawnSync|instance_eval|compile|runInThisContext)\b/;
const incoming = /\b(?:stdin|STDIN|input|gets|ARGF|readFileSync|slurp)\b|\$_|<>/;

/**
 * Goes through shell texts as a shell would, without running anything: what is fetched, where it is kept, through which
 * commands it goes, and whether it comes to run. What branches and loops ask is not told apart.
 */
export class ShellFollower {
  readonly #variables = new Map<string, Content>();
  readonly #files = new Map<string, Content>();
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
    for (const pipeline of parseShell(text)) this.#pipeline(pipeline, nothing, true);
    return this.#events;
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
    const outputs: string[] = [];
    for (const { operator, word } of command.redirects) {
      const [field] = expandWords([word], this.#around);
      if (field === undefined) continue;
      if (operator === '<<<' || operator.startsWith('<<')) input = field.content;
      else if (operator === '<') input = field.text === '/dev/fd/63' ? field.content : this.#readFile(field.text);
      else if (/^(?:&?>>?|>\|)$/.test(operator)) outputs.push(field.text);
    }
    const printed = command.group === undefined ? this.#simple(command.words, input) : this.#group(command, input);
    const files = outputs.filter((path) => !/^(?:&?\d|-|\/dev\/(?:null|stdout|stderr|tty))$/.test(path));
    for (const path of files) this.#writeFile(path, printed);
    return files.length > 0 ? nothing : printed;
  }

  #group({ group = [], head, defines }: Command, input: Content): Content {
    if (defines !== undefined) this.#functions.set(defines, group);
    const [variable, ...words] = head === undefined ? [] : expandWords(head, this.#around);
    if (variable !== undefined)
      this.#variables.set(
        variable.text,
        joined(
          words.slice(1).map(({ content }) => content),
          ' ',
        ),
      );
    return this.#list(group, input);
  }

  #simple(words: readonly Word[], input: Content): Content {
    let index = 0;
    for (; index < words.length; index += 1) {
      const bound = bindingOf(words[index] as Word);
      if (bound === undefined) break;
      const fields = expandWords([bound.value], this.#around);
      this.#variables.set(
        bound.name,
        joined(
          fields.map(({ content }) => content),
          ' ',
        ),
      );
    }
    if (index === words.length) return nothing;
    return this.#dispatch(expandWords(words.slice(index), this.#around), input);
  }

  #dispatch(fields: readonly Field[], input: Content): Content {
    const [first, ...given] = fields;
    if (first === undefined) return nothing;
    if (first.content.text === undefined && (first.content.urls !== undefined || first.content.isDecoded === true)) {
      this.#report('run', first.content, 'a command');
      return nothing;
    }
    const { name, isPattern } = commandName(first.text);
    const isHidden =
      commands.worthHiding.has(name) && (isPattern || !first.atoms.some((atom) => commandName(atom).name === name));
    if (isHidden) this.#report('made', textContent(name), name);
    const alias = this.#aliases.get(first.text);
    if (alias !== undefined && this.#depth < deepest) {
      this.#depth += 1;
      const printed = this.#dispatch([...expandWords(alias, this.#around), ...given], input);
      this.#depth -= 1;
      return printed;
    }
    const run = this.#functions.get(name);
    if (run !== undefined) return this.#list(run, input);
    if (commands.wrappers.has(name)) return this.#wrapped(name, given, input);
    if (commands.downloaders.has(name)) return this.#fetch(name, given, input);
    if (commands.interpreters.has(name)) return this.#interpret(name, given, input);
    if (commands.copiers.has(name)) return this.#copy(given);
    if (commands.installers.has(name)) this.#install(name, given);
    const builtin = Object.hasOwn(this.#builtins, name) ? this.#builtins[name] : undefined;
    if (builtin !== undefined) return builtin(given, input, name);
    if (commands.printers.has(name)) return this.#print(name, given, input);
    if (/^(?:sha\d{1,3}sum|shasum|gpg2?|cosign|minisign|md5sum|b2sum|rsign)$/.test(name)) this.#verify(given);
    if (first.text.includes('/') && !first.text.includes(':')) this.#run(this.#readFile(first.text), first.text);
    return origins([input]);
  }

  readonly #builtins: Readonly<Record<string, (given: readonly Field[], input: Content, name: string) => Content>> = {
    eval: (given, input) =>
      this.#execute(
        joined(
          given.map(({ content }) => content),
          ' ',
        ),
        input,
        'eval',
      ),
    source: ([file], input, name) => this.#sourced(file, input, name),
    '.': ([file], input, name) => this.#sourced(file, input, name),
    echo: (given) => this.#echo(given),
    print: (given) => this.#echo(given),
    printf: (given) => formatted(given),
    xargs: (given, input) => this.#spread(given, input),
    parallel: (given, input) => this.#spread(given, input),
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
    iex: (given, input) => this.#runInput(joined([input, ...given.map(({ content }) => content)]), 'iex'),
    export: (given) => this.#bindAll(given),
    declare: (given) => this.#bindAll(given),
    local: (given) => this.#bindAll(given),
    readonly: (given) => this.#bindAll(given),
    typeset: (given) => this.#bindAll(given),
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
    const { urls, file } = readDownload(name, given);
    const sent = [input, ...given.map((field) => this.#given(field))];
    const uploads =
      given.some(({ text }) =>
        /^(?:-[a-zA-Z]*[dFT]|--data.*|--form.*|--upload-file|--post-.*|--body-.*)$/.test(text),
      ) || /^n(?:c|cat|etcat)$/.test(name);
    if (
      sent.some(({ isSecret }) => isSecret) &&
      (uploads || given.some(({ content, text }) => content.isSecret === true && /[?&/]/.test(text)))
    )
      this.#report('send', origins(sent), name);
    const strange = urls.filter((url) => url === '' || !isLoopback(hostOf(url) ?? ''));
    const listed = input.text?.match(/https?:\/\/\S{3,300}/g) ?? [];
    const content: Content = strange.length + listed.length > 0 ? { urls: [...strange, ...listed] } : nothing;
    if (file === undefined) return content;
    this.#writeFile(file, content);
    return nothing;
  }

  /** What an argument of a downloader hands over: itself, or the file that it names. */
  #given({ text, content }: Field): Content {
    const path = /^(?:[\w-]{1,40}=)?[@<]([^\s;]{1,300})/.exec(text)?.[1];
    return path === undefined ? content : this.#readFile(path);
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
      if (text === '-' || text === '/dev/stdin' || /^-\w{0,4}s$/.test(text) || text === '--') break;
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
    else this.#run(this.#readFile(text), name);
    return origins([input]);
  }

  /** Code in another language: what it does with its input is looked for in its words. */
  #runCode(code: Content, input: Content, name: string): Content {
    this.#run({ ...code, text: undefined }, name);
    const text = code.text ?? '';
    if (evaluating.test(text) && incoming.test(text)) this.#run(input, name);
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
    if (file.text === '/dev/stdin' || file.text === '-') return this.#runInput(input, name);
    this.#run(
      file.text === '/dev/fd/63' || file.content.text === undefined ? file.content : this.#readFile(file.text),
      name,
    );
    return nothing;
  }

  #echo(given: readonly Field[]): Content {
    const words = given.filter(({ text }) => !/^-[neE]{1,3}$/.test(text));
    const { text, ...rest } = joined(
      words.map(({ content }) => content),
      ' ',
    );
    const escapes = given.some(({ text: option }) => /^-n?e/.test(option));
    return { ...rest, text: escapes && text !== undefined ? unescapeAnsi(text) : text };
  }

  #print(name: string, given: readonly Field[], input: Content): Content {
    const decodes =
      commands.decoders.test(name) && given.some(({ text }) => /^(?:-\w{0,3}[dDr]\w{0,2}|--decode|enc)$/.test(text));
    const files = given
      .filter(({ text }) => !text.startsWith('-') && /[./~]/.test(text))
      .map(({ text }) => this.#readFile(text));
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

  #spread(given: readonly Field[], input: Content): Content {
    let index = 0;
    let mark: string | undefined;
    for (; index < given.length; index += 1) {
      const { text } = given[index] as Field;
      const attached = /^-[IJi](.+)$/.exec(text)?.[1] ?? /^--replace=(.+)$/.exec(text)?.[1];
      if (attached !== undefined) mark = attached;
      else if (text === '-I' || text === '-J') mark = given[(index += 1)]?.text;
      else if (text === '-i' || text === '--replace') mark = '{}';
      else if (/^(?:-a|--arg-file)$/.test(text)) input = joined([input, given[(index += 1)]?.content ?? nothing]);
      else if (/^-[nPLsdE]$/.test(text)) index += 1;
      else if (!text.startsWith('-')) break;
    }
    const source = { ...input };
    const last: Field = { content: source, text: source.text ?? '', atoms: [] };
    const command = given.slice(index);
    const name = commandName(command[0]?.text ?? '').name;
    if (mark === undefined) {
      // `sh -c` is given what comes in as the words behind its code, and without code as the code.
      const isShell = commands.shells.has(name);
      const code = command[command.findIndex(({ text }) => /^-\w*c$/.test(text)) + 1];
      if (isShell && code !== undefined && code.text.includes('$')) this.#run(source, name);
      return this.#dispatch([...command, last], isShell && command.length === 1 ? source : nothing);
    }
    const filled = command.map((field) =>
      mark !== '' && field.text.includes(mark ?? '')
        ? {
            ...field,
            content: joined([
              {
                ...field.content,
                text: source.text === undefined ? undefined : field.text.replaceAll(mark ?? '', source.text),
              },
              { ...source, text: '' },
            ]),
          }
        : field,
    );
    return this.#dispatch(filled, nothing);
  }

  #tee(given: readonly Field[], input: Content): Content {
    for (const { text, reader } of given) {
      if (reader !== undefined) this.#list(reader, input);
      else if (!text.startsWith('-')) this.#writeFile(text, input);
    }
    return input;
  }

  #readInto(given: readonly Field[], input: Content): Content {
    for (const { text } of given)
      if (/^[A-Za-z_]\w*$/.test(text)) this.#variables.set(text, { ...input, text: undefined });
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
    const paths = given.filter(({ text }) => !text.startsWith('-')).map(({ text }) => text);
    const [from, to] = [paths[0], paths.at(-1)];
    if (from !== undefined && to !== undefined && paths.length > 1) {
      const name = from.slice(from.lastIndexOf('/') + 1);
      this.#writeFile(to.endsWith('/') || to === '.' ? `${to.replace(/\/$/, '')}/${name}` : to, this.#readFile(from));
    }
    return nothing;
  }

  #verify(given: readonly Field[]): void {
    if (!given.some(({ text }) => /^(?:-c|--check|--verify|verify(?:-\w+)?|-V)$/.test(text))) return;
    for (const [path, content] of this.#files) this.#files.set(path, { ...content, isVerified: true });
  }

  #readFile(path: string): Content {
    const known = this.#files.get(pathKey(path));
    if (known !== undefined) return { ...known, isStored: true };
    return { files: [path], ...(secretPath.test(path) && { isSecret: true }) };
  }

  #writeFile(path: string, content: Content): void {
    if (this.#files.size < 1_000) this.#files.set(pathKey(path), content);
  }
}

const pathKey = (path: string): string => path.replace(/^\.\//, '').replace(/^\$\{?PWD\}?\//, '');
