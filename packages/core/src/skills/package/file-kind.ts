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
export type FileKind = Language | 'image' | 'document' | 'archive' | 'executable' | 'binary';

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
      [
        'image',
        'png jpg jpeg gif webp ico bmp avif woff woff2 ttf otf mp3 mp4 wav ogg flac webm mov tif tiff heic psd icns mid',
      ],
      ['document', 'pdf doc xls ppt'],
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

/** First bytes that tell what a file is, also where its name says otherwise. */
const magic: readonly (readonly [kind: FileKind, firsts: readonly string[]])[] = [
  ['executable', ['\x7fELF', 'MZ', '\xcf\xfa\xed\xfe', '\xce\xfa\xed\xfe', '\xca\xfe\xba\xbe', '\0asm']],
  ['archive', ['PK\x03\x04', '\x1f\x8b', 'Rar!', '7z\xbc\xaf', 'BZh', '\xfd7zXZ\0', '\x28\xb5\x2f\xfd']],
  [
    'image',
    ['\x89PNG\r\n\x1a\n', '\xff\xd8\xff', 'GIF87a', 'GIF89a', 'RIFF', '\0\0\x01\0', 'II*\0', 'MM\0*', '8BPS', 'icns'],
  ],
  ['image', ['wOFF', 'wOF2', 'OTTO', 'ttcf', '\0\x01\0\0', 'true\0']],
  [
    'image',
    [
      'ID3',
      '\xff\xfb',
      '\xff\xf3',
      'OggS',
      'fLaC',
      'MThd',
      '\x1a\x45\xdf\xa3',
      '\0\0\0\x18ftyp',
      '\0\0\0\x1cftyp',
      '\0\0\0\x20ftyp',
    ],
  ],
  ['document', ['%PDF-', '\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1']],
];

interface HeldKind {
  readonly kind: FileKind;
  /** No text begins so by chance. */
  readonly isCertain: boolean;
}

/** What the first bytes say, where they say it. */
export function kindOfBytes(bytes: Uint8Array): HeldKind | undefined {
  const head = String.fromCharCode(...bytes.subarray(0, 8));
  for (const [kind, firsts] of magic) {
    const found = firsts.find((first) => head.startsWith(first));
    if (found !== undefined) return { kind, isCertain: found.length > (/^\w+$/.test(found) ? 4 : 3) };
  }
  return undefined;
}

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
