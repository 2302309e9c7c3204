/** The first bytes of files that hold no text: pictures, sound, films, archives, documents, fonts and programs. */
const signs: readonly (readonly [at: number, bytes: string])[] = [
  [0, '\u0089PNG\r\n'],
  [0, '\u00FF\u00D8\u00FF'],
  [0, 'GIF87a'],
  [0, 'GIF89a'],
  [8, 'WEBP'],
  [8, 'WAVE'],
  [8, 'AVI '],
  [0, 'BM'],
  [0, 'II*\0'],
  [0, 'MM\0*'],
  [0, '\0\0\u0001\0'],
  [4, 'ftyp'],
  [0, 'ID3'],
  [0, '\u00FF\u00FB'],
  [0, '\u00FF\u00F3'],
  [0, '\u00FF\u00F2'],
  [0, '\u00FF\u00F1'],
  [0, '\u00FF\u00F9'],
  [0, 'OggS'],
  [0, 'fLaC'],
  [0, 'FORM'],
  [0, '\u001AE\u00DF\u00A3'],
  [0, '%PDF-'],
  [0, 'PK\u0003\u0004'],
  [0, '\u00D0\u00CF\u0011\u00E0'],
  [0, '\u001F\u008B\u0008'],
  [0, '7z\u00BC\u00AF'],
  [0, '\u00FD7zXZ'],
  [0, '(\u00B5/\u00FD'],
  [0, 'BZh'],
  [0, 'wOFF'],
  [0, 'wOF2'],
  [0, '\0asm'],
  [0, '\u007FELF'],
];

/** True when bytes begin as a file of a known kind does that is not made of text. */
export const hasMediaSignature = (bytes: Uint8Array): boolean =>
  signs.some(([at, sign]) => {
    for (let index = 0; index < sign.length; index += 1) if (bytes[at + index] !== sign.charCodeAt(index)) return false;
    return true;
  });
