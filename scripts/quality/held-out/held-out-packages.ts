import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { packageCache, runInCache } from '../../../packages/detector-training/src/package-cache.ts';

/*
 * Packages that none of us wrote, of versions that stay the same. They are unpacked beside the quality texts, never installed
 * here, and nothing of them becomes part of this repository; their scripts are not run.
 */

/** Lists of forms of secrets. */
const listPackages = [
  'agent-security-scanner-mcp@4.5.9',
  '@openredaction/openredaction@1.0.4',
  'project-shield@2.0.0',
  'ship-safe@9.5.2',
];

/** Makers of records with people in them. */
const recordPackages = ['@faker-js/faker@10.6.0', 'chance@1.1.13', 'libphonenumber-js@1.13.16'];

/** What programmers paste: sources, documentation, changelogs, tests, settings. */
export const harmlessPackages = [
  'express@5.1.0',
  'webpack@5.99.0',
  'eslint@9.25.0',
  'mongoose@8.13.0',
  'sequelize@6.37.7',
  'passport@0.7.0',
  'jsonwebtoken@9.0.2',
  'stripe@18.0.0',
  'firebase-admin@13.2.0',
  'puppeteer-core@24.6.0',
  'socket.io@4.8.1',
  'graphql@16.10.0',
  'lodash@4.17.21',
  'moment@2.30.1',
  'axios@1.8.4',
  'three@0.175.0',
  'vue@3.5.13',
  'svelte@5.25.0',
  'next-auth@4.24.11',
  'nodemailer@6.10.0',
  'mysql2@3.14.0',
  'redis@4.7.0',
  'aws-sdk@2.1692.0',
  'node-forge@1.3.1',
  'openpgp@6.1.0',
  'commander@13.1.0',
  'winston@3.17.0',
];

const folder = join(packageCache, 'held-out');

/** Fetches what is not there yet; answers where packages lie, or what went wrong. */
export function loadHeldOut(): { readonly modules: string; readonly problem: string | undefined } {
  const modules = join(folder, 'node_modules');
  const wanted = [...listPackages, ...recordPackages, ...harmlessPackages];
  const note = join(folder, 'wanted.json');
  if (existsSync(note) && readFileSync(note, 'utf8') === JSON.stringify(wanted)) return { modules, problem: undefined };
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, 'package.json'), '{"name":"held-out","private":true}\n');
  const options = ['--ignore-scripts', '--no-audit', '--no-fund', '--legacy-peer-deps', '--loglevel=error'];
  const problem = runInCache('npm', ['install', '--prefix', folder, ...options, ...wanted]);
  if (problem === undefined) writeFileSync(note, JSON.stringify(wanted));
  return { modules, problem };
}
