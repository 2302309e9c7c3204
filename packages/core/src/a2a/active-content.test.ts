import { expect, test } from '@jest/globals';
import { findActiveContent } from './active-content.ts';
import type { Part } from './task.ts';

const raw = (bytes: string | Buffer, more: object = {}): Part => ({
  raw: Buffer.from(bytes as string).toString('base64'),
  ...more,
});

test.each<[Part, string]>([
  [{ text: '<p>', mediaType: 'text/html; charset=utf-8' }, 'HTML'],
  [{ url: 'https://files.example/a', mediaType: 'IMAGE/SVG+XML' }, 'SVG'],
  [{ url: 'https://files.example/run.ps1?x=1' }, 'script'],
  [{ url: 'data:text/html;base64,PHA+' }, 'HTML'],
  [raw('hello', { filename: 'report.pdf.exe. ' }), 'program'],
  [raw('hello', { filename: 'a.JS' }), 'script'],
  [raw('<!DOCTYPE html><p>'), 'HTML'],
  [raw('\uFEFF \n<!-- a --><script>alert(1)</script>', { mediaType: 'image/png' }), 'HTML'],
  [raw(Buffer.from('\uFEFF<html>', 'utf16le')), 'HTML'],
  [raw('<?xml version="1.0"?>\n<svg onload="x()">', { mediaType: 'text/plain' }), 'SVG'],
  [raw('#!/bin/sh\nrm -rf /'), 'script'],
  [raw('MZ\x90\0', { mediaType: 'application/pdf', filename: 'a.pdf' }), 'program'],
  [raw(Buffer.from([0x7f, 0x45, 0x4c, 0x46, 2])), 'program'],
])('%j runs as %s', (part, kind) => {
  expect(findActiveContent(part)).toBe(kind);
});

test.each<[Part]>([
  [{ text: 'A page begins with <html>' }],
  [{ data: { html: '<script>' } }],
  [raw('%PDF-1.7', { mediaType: 'application/pdf', filename: 'trip.pdf' })],
  [raw(Buffer.from([0x89, 0x50, 0x4e, 0x47]), { mediaType: 'image/png' })],
  [raw('<trip><html></trip>', { mediaType: 'application/xml' })],
  [{ url: 'https://files.example/html' }],
  [{ url: 'data:text/plain,hello' }],
])('%j runs nothing', (part) => {
  expect(findActiveContent(part)).toBeUndefined();
});

test('the head of a file is read in bounded time', () => {
  for (const piece of ['<!--', '<?', ' ', '<!-- -->', '<']) {
    expect(findActiveContent(raw(piece.repeat(200_000)))).toBeUndefined();
  }
});

test('dots and blanks inside of a name hide no extension, however many', () => {
  const inside = '. '.repeat(500_000);
  expect(findActiveContent({ url: `https://files.example/${'.'.repeat(500_000)}b` })).toBeUndefined();
  expect(findActiveContent(raw('hello', { filename: `a${inside}.exe${inside}` }))).toBe('program');
  expect(findActiveContent(raw('hello', { filename: `a.exe${inside}b` }))).toBeUndefined();
  expect(findActiveContent(raw('hello', { filename: 'exe' }))).toBeUndefined();
});
