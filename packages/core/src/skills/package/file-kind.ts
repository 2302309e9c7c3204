/** What a file of a skill is, as far as reading it goes. */
export const languages = [
  'markdown',
  'html',
  'shell',
  'python',
  'javascript',
  'powershell',
  'ruby',
  'go',
  'php',
  'config',
  'text',
] as const;
export type Language = (typeof languages)[number];

/** Text in a language, or what is not read as text. */
export type FileKind = Language | 'image' | 'archive' | 'executable' | 'binary';

const kinds: Readonly<Record<string, FileKind>> = Object.fromEntries(
  (
    [
      ['markdown', 'md mdx markdown rst adoc'],
      ['html', 'html htm svg xml vue'],
      ['shell', 'sh bash zsh fish ksh command'],
      ['python', 'py pyw pyi ipynb'],
      ['javascript', 'js mjs cjs jsx ts mts cts tsx'],
      ['powershell', 'ps1 psm1 psd1 bat cmd'],
      ['ruby', 'rb gemspec'],
      ['go', 'go'],
      ['php', 'php phtml'],
      ['config', 'json jsonc json5 jsonl yaml yml toml ini cfg conf env properties lock plist'],
      ['text', 'txt csv log java rs lua cs c h cpp swift kt pl sol sql tf tmpl'],
      ['image', 'png jpg jpeg gif webp ico bmp avif woff woff2 ttf otf mp3 mp4 wav pdf'],
      ['archive', 'zip tar gz tgz bz2 xz 7z rar jar whl docx xlsx pptx'],
      ['executable', 'exe dll so dylib wasm node pyc pyo class scr msi dmg pkg deb rpm apk bin'],
    ] as const
  ).flatMap(([kind, endings]) => endings.split(' ').map((ending) => [ending, kind])),
);

const names: Readonly<Record<string, Language>> = {
  dockerfile: 'shell',
  makefile: 'shell',
  rakefile: 'ruby',
  gemfile: 'ruby',
  '.env': 'config',
  '.npmrc': 'config',
  '.bashrc': 'shell',
  '.zshrc': 'shell',
  '.profile': 'shell',
};

const interpreters: readonly (readonly [name: RegExp, language: Language])[] = [
  [/\b(?:ba|z|da|k|fi)?sh\b/, 'shell'],
  [/\bpython/, 'python'],
  [/\b(?:node|deno|bun|tsx)\b/, 'javascript'],
  [/\bruby\b/, 'ruby'],
  [/\bphp\b/, 'php'],
  [/\b(?:pwsh|powershell)\b/, 'powershell'],
];

/** First bytes of what a machine runs, also where the name says otherwise. */
const magic: readonly (readonly [first: readonly number[], kind: FileKind])[] = [
  [[0x7f, 0x45, 0x4c, 0x46], 'executable'],
  [[0x4d, 0x5a], 'executable'],
  [[0xcf, 0xfa, 0xed, 0xfe], 'executable'],
  [[0xca, 0xfe, 0xba, 0xbe], 'executable'],
  [[0x00, 0x61, 0x73, 0x6d], 'executable'],
  [[0x50, 0x4b, 0x03, 0x04], 'archive'],
  [[0x1f, 0x8b], 'archive'],
  [[0x52, 0x61, 0x72, 0x21], 'archive'],
  [[0x37, 0x7a, 0xbc, 0xaf], 'archive'],
];

/** What the first bytes say, where they say it for certain. */
export const kindOfBytes = (bytes: Uint8Array): FileKind | undefined =>
  magic.find(([first]) => first.every((byte, at) => bytes[at] === byte))?.[1];

/** What a file calls itself; undefined where its name says nothing. */
export function kindOfName(path: string): FileKind | undefined {
  const name = path.slice(path.lastIndexOf('/') + 1).toLowerCase();
  const ending = name.slice(name.lastIndexOf('.') + 1);
  return names[name] ?? (name.includes('.') ? kinds[ending] : undefined);
}

/** What a text is: by its name, then by its first line, then by its looks. */
export function languageOf(path: string, text: string): Language {
  const named = kindOfName(path);
  if (named !== undefined && (languages as readonly string[]).includes(named)) return named as Language;
  const line = text.slice(0, 200).split('\n', 1)[0] ?? '';
  if (line.startsWith('#!')) return interpreters.find(([name]) => name.test(line))?.[1] ?? 'shell';
  return guessLanguage(text.slice(0, 4_000));
}

const guesses: readonly (readonly [looks: RegExp, language: Language])[] = [
  [/^(?:---\r?\n|#{1,3} \S|- \S)/m, 'markdown'],
  [/^(?:from [\w.]+ import |import \w+$|def \w+\(|class \w+[(:])/m, 'python'],
  [/^(?:(?:const|let|var|export|import) .*[;{]|(?:async )?function \w+\()/m, 'javascript'],
  [/^<\?php/, 'php'],
  [/^(?:package \w+$|func \w+\()/m, 'go'],
  [/^(?:param\(|\$\w+ ?= )/im, 'powershell'],
];

/** A source that came without a name: front matter and headings first, since skills are written so. */
const guessLanguage = (text: string): Language => guesses.find(([looks]) => looks.test(text))?.[1] ?? 'text';

/** A fence's word for its language. */
const fences: Readonly<Record<string, Language>> = {
  bash: 'shell',
  sh: 'shell',
  shell: 'shell',
  zsh: 'shell',
  console: 'shell',
  terminal: 'shell',
  python: 'python',
  py: 'python',
  python3: 'python',
  javascript: 'javascript',
  js: 'javascript',
  ts: 'javascript',
  typescript: 'javascript',
  jsx: 'javascript',
  tsx: 'javascript',
  node: 'javascript',
  powershell: 'powershell',
  ps1: 'powershell',
  cmd: 'powershell',
  bat: 'powershell',
  ruby: 'ruby',
  rb: 'ruby',
  go: 'go',
  php: 'php',
  json: 'config',
  yaml: 'config',
  yml: 'config',
  toml: 'config',
  ini: 'config',
  html: 'html',
};

export const languageOfFence = (word: string): Language => fences[word.toLowerCase()] ?? 'text';
