import { expect, test } from '@jest/globals';
import { deflateSync } from 'fflate';
import type { ArchiveFaultCode } from './archive-fault.ts';
import { archiveLimits } from './archive-limits.ts';
import { parseArchive } from './parse-archive.ts';
import { bytesOf, rawArchive, type RawEntry } from './raw-archive.fixture.ts';

const one = (entry: Partial<RawEntry>): Uint8Array => rawArchive([{ name: 'a.md', ...entry }]);
const named = (...names: readonly (string | Uint8Array)[]): Uint8Array => rawArchive(names.map((name) => ({ name })));
const ofType = (mode: number): Uint8Array => one({ attributes: (mode << 16) >>> 0 });
const bytes = (text: string): Uint8Array => new TextEncoder().encode(text);
const zeros = (length: number): Uint8Array => new Uint8Array(length);
const extra = (id: number, data: Uint8Array): Uint8Array =>
  Uint8Array.from([...bytesOf([2, id], [2, data.length]), ...data]);
const bomb: Partial<RawEntry> = { isDeflated: true, text: zeros(20_000_000) };
const stored = (...blocks: readonly (readonly number[])[]): Uint8Array => Uint8Array.from(blocks.flat());

type Case = readonly [what: string, code: ArchiveFaultCode, archive: () => Uint8Array];

const paths: readonly Case[] = [
  ['a path that climbs out', 'path-outside', () => named('../a.md')],
  ['a path that climbs out from within', 'path-outside', () => named('a/b/../../../c.md')],
  ['a path that ends in ..', 'path-outside', () => named('a/..')],
  ['an absolute path', 'path-outside', () => named('/etc/passwd')],
  ['the letter of a drive', 'path-outside', () => named('C:/a.md')],
  ['a drive without a slash', 'path-outside', () => named('c:a.md')],
  ['backslashes', 'path-outside', () => named('..\\..\\a.md')],
  ['a path of another machine', 'path-outside', () => named('\\\\host\\share\\a.md')],
  ['a single dot', 'bad-name', () => named('./a.md')],
  ['an empty part', 'bad-name', () => named('a//b.md')],
  ['an empty name', 'bad-name', () => named('')],
  ['NUL in a name', 'bad-name', () => named('a.md\0.png')],
  ['a turned line in a name', 'bad-name', () => named('a\n.md')],
  ['an escape sequence in a name', 'bad-name', () => named('\u001B[2Ja.md')],
  ['a mark that turns the direction', 'bad-name', () => named('a\u202Edm.sh')],
  ['an isolate of direction', 'bad-name', () => named('a\u2066b.md')],
  ['a space without width', 'bad-name', () => named('SKILL\u200B.md')],
  ['tag characters', 'bad-name', () => named('a\u{E0041}.md')],
  ['a name that is not UTF-8', 'bad-name', () => named(Uint8Array.of(0x61, 0xff, 0x62))],
  ['a name that is overlong UTF-8', 'bad-name', () => named(Uint8Array.of(0x2e, 0xc0, 0xae, 0x2f, 0x61))],
  ['a name of 256 bytes', 'bad-name', () => named('a'.repeat(256))],
  ['a path of seventeen folders', 'bad-name', () => named('a/'.repeat(17) + 'b')],
  ['a device of Windows', 'bad-name', () => named('docs/AUX.md')],
  ['another stream of a file', 'bad-name', () => named('a.md:hidden')],
  ['a dot at the end', 'bad-name', () => named('a.md.')],
  ['a space at the end of a folder', 'bad-name', () => named('a /b.md')],
  ['a second name in an extra field', 'bad-name', () => one({ extra: extra(0x70_75, bytes('12345b.md')) })],
];

const twice: readonly Case[] = [
  ['the same name twice', 'duplicate-name', () => named('a.md', 'a.md')],
  ['names that differ in letter case', 'duplicate-name', () => named('SKILL.md', 'skill.md')],
  ['names in NFC and NFD', 'duplicate-name', () => named('\u00E9.md', 'e\u0301.md')],
  ['names that are one in compatibility', 'duplicate-name', () => named('fi.md', '\uFB01.md')],
  ['folders that differ in letter case', 'duplicate-name', () => named('Docs/a.md', 'docs/b.md')],
  ['a file that is also a folder', 'duplicate-name', () => named('a', 'a/b.md')],
  ['a folder that is also a file', 'duplicate-name', () => named('a/b.md', 'a')],
];

const kinds: readonly Case[] = [
  ['a symbolic link', 'link', () => ofType(0o120777)],
  ['a character device', 'special-file', () => ofType(0o020666)],
  ['a block device', 'special-file', () => ofType(0o060666)],
  ['a pipe', 'special-file', () => ofType(0o010666)],
  ['a socket', 'special-file', () => ofType(0o140666)],
  ['a file with the mark of a folder', 'header-mismatch', () => one({ attributes: 0x10 })],
  ['a folder with data', 'header-mismatch', () => one({ name: 'a/', text: 'more' })],
  ['an encrypted entry', 'encrypted', () => one({ flags: 1 })],
  ['strong encryption', 'encrypted', () => one({ flags: 0x40 })],
  ['masked headers', 'encrypted', () => one({ flags: 0x20_00 })],
  ['encryption by AES', 'encrypted', () => one({ method: 99 })],
  ['a rare method', 'unsupported', () => one({ method: 14 })],
  ['a part of several', 'unsupported', () => rawArchive([{ name: 'a.md' }], { disk: 1 })],
  ['an entry in another part', 'unsupported', () => one({ disk: 1 })],
];

const sizes: readonly Case[] = [
  ['a bomb that tells its size', 'ratio', () => one(bomb)],
  ['a bomb that tells a small size', 'damaged', () => one({ ...bomb, inflatedBytes: 1_000 })],
  [
    'a bomb that tells its size by half',
    'damaged',
    () => one({ isDeflated: true, text: random(2e6), inflatedBytes: 1e6 }),
  ],
  ['more than may be inflated', 'too-large', () => rawArchive(Array.from({ length: 21 }, (_, at) => large(`${at}`)))],
  [
    'too many entries',
    'too-many-entries',
    () => named(...Array.from({ length: archiveLimits.entries + 1 }, (_, at) => `${at}`)),
  ],
  ['more bytes than an archive may have', 'too-large', () => new Uint8Array(archiveLimits.bytes + 1)],
  ['less data than told', 'damaged', () => one({ isDeflated: true, text: 'a', inflatedBytes: 2 })],
  ['a wrong checksum', 'damaged', () => one({ crc: 1 })],
  ['data that is not deflated', 'damaged', () => one({ method: 8, stored: stored([0xff, 0xff, 0xff]) })],
  [
    'deflated data without its end',
    'damaged',
    () => one({ method: 8, stored: deflateSync(bytes('text')).slice(0, -1) }),
  ],
  ['no data at all', 'damaged', () => one({ method: 8, stored: zeros(0) })],
  ['a distance before the beginning', 'damaged', () => one({ method: 8, stored: stored([0x4b, 0x04, 0xfe, 0x00]) })],
];

const layouts: readonly Case[] = [
  ['another name in the local header', 'header-mismatch', () => one({ local: { name: 'b.md' } })],
  ['another method in the local header', 'header-mismatch', () => one({ local: { method: 8 } })],
  ['another flag in the local header', 'header-mismatch', () => one({ local: { flags: 1 } })],
  ['another checksum in the local header', 'header-mismatch', () => one({ local: { crc: 1 } })],
  ['another size in the local header', 'header-mismatch', () => one({ local: { inflatedBytes: 1 } })],
  ['a descriptor that tells another size', 'header-mismatch', () => one({ flags: 8, descriptor: zeros(16) })],
  ['a descriptor that is missing', 'header-mismatch', () => one({ flags: 8 })],
  ['two entries with the same data', 'overlap', () => rawArchive([{ name: 'a' }, { name: 'b', offset: 0 }])],
  [
    'an entry within another',
    'overlap',
    () => rawArchive([{ name: 'a' }, { name: 'b', offset: 31, isDirectoryOnly: true }]),
  ],
  ['an entry that reaches into the directory', 'overlap', () => one({ storedBytes: 40, inflatedBytes: 40 })],
  ['data before the first entry', 'leading-data', () => one({ before: bytes('#!/bin/sh\n') })],
  ['data before an empty directory', 'leading-data', () => rawArchive([], { beforeDirectory: bytes('more') })],
  ['data between entries', 'hidden-data', () => rawArchive([{ name: 'a' }, { name: 'b', before: bytes('more') }])],
  ['an entry that the directory leaves out', 'hidden-data', () => hidden()],
  ['data before the directory', 'hidden-data', () => rawArchive([{ name: 'a' }], { beforeDirectory: bytes('more') })],
  ['data behind the directory', 'hidden-data', () => rawArchive([{ name: 'a' }], { before: bytes('more') })],
  [
    'fewer entries than the directory has',
    'hidden-data',
    () => rawArchive([{ name: 'a' }, { name: 'b' }], { count: 1 }),
  ],
  ['more entries than the directory has', 'damaged', () => rawArchive([{ name: 'a' }], { count: 2 })],
  ['data behind the end', 'trailing-data', () => Uint8Array.from([...named('a'), 0])],
  ['an end record in the comment', 'hidden-data', () => rawArchive([{ name: 'a' }], { comment: named().slice(-22) })],
  ['an archive in the comment', 'leading-data', () => twoFaces()],
  ['an entry that is not where it should be', 'damaged', () => misplaced()],
];

const large64: readonly Case[] = [
  ['an extra field of ZIP64', 'zip64', () => one({ extra: extra(1, zeros(16)) })],
  [
    'an extra field of ZIP64 in one header only',
    'zip64',
    () => one({ extra: extra(1, zeros(16)), centralExtra: zeros(0) }),
  ],
  ['a size that goes on in ZIP64', 'zip64', () => one({ inflatedBytes: 0xff_ff_ff_ff })],
  ['an offset that goes on in ZIP64', 'zip64', () => one({ offset: 0xff_ff_ff_ff })],
  ['a count that goes on in ZIP64', 'zip64', () => rawArchive([{ name: 'a' }], { count: 0xff_ff })],
  [
    'a locator of ZIP64',
    'zip64',
    () => rawArchive([{ name: 'a' }], { before: bytesOf([4, 0x07_06_4b_50], [4, 0], [4, 0], [4, 0], [4, 1]) }),
  ],
];

const others: readonly Case[] = [
  ['no archive', 'not-a-zip', () => bytes('# Tool\n\nReads text.\n')],
  ['nothing', 'not-a-zip', () => zeros(0)],
  ['the first half of an archive', 'not-a-zip', () => named('a.md').slice(0, 40)],
  ['an archive without files', 'empty', () => rawArchive([{ name: 'a/', text: '' }])],
];

/** Bytes that do not deflate, the same each time. */
function random(length: number): Uint8Array {
  let state = 1;
  return Uint8Array.from({ length }, () => (state = (state * 48_271) % 2_147_483_647) & 0xff);
}

const large = (name: string): RawEntry => ({ name, method: 8, stored: zeros(25_000), inflatedBytes: 5_000_000 });

function hidden(): Uint8Array {
  const localOnly = rawArchive([{ name: 'b' }]).slice(0, 35);
  return rawArchive([{ name: 'a' }], { beforeDirectory: localOnly });
}

/** One archive for readers that look from the end, another for those that look from the beginning. */
function twoFaces(): Uint8Array {
  const inner = rawArchive([{ name: 'b' }]);
  const outer = rawArchive([{ name: 'a' }]);
  const shift = outer.length;
  const moved = inner.slice();
  const view = new DataView(moved.buffer);
  view.setUint32(moved.length - 22 + 16, view.getUint32(moved.length - 22 + 16, true) + shift, true);
  view.setUint32(35 + 42, shift, true);
  return rawArchive([{ name: 'a' }], { comment: moved });
}

function misplaced(): Uint8Array {
  const archive = named('a.md').slice();
  archive[0] = 0;
  return archive;
}

const all = [...paths, ...twice, ...kinds, ...sizes, ...layouts, ...large64, ...others];

test.each(all)('%s: %s', (_what, code, archive) => {
  const { fault, files } = parseArchive(archive());
  expect(fault).toMatchObject({ code, message: expect.stringMatching(/^[A-Z].*\.$/) });
  expect(files).toBeUndefined();
  expect(fault?.message).not.toMatch(/[\p{Cc}\u200B\u202E\u2066]/u);
});
