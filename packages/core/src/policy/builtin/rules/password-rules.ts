import type { PolicyRule } from '@portcullis/contracts/policy-file';
import { real } from './vendor-secret-rules.ts';

/* Passwords that people choose look like words, so only where they stand gives them away: beside a user's name, or in what is a login. */

const rule = (id: string, name: string, ...patterns: readonly string[]): PolicyRule => ({
  id,
  name,
  severity: 'High',
  enabled: true,
  action: 'block',
  category: 'Content Security',
  patterns: patterns.map((regex) => ({ regex, flags: 'i' })),
});

/** Between two assignments: separators, and comments of their own lines. */
const between = '[,;]?\\s{1,24}(?:(?:#|//)[^\\n]{0,80}\\n\\s{0,16}){0,3}';
const chosen = `${real}[^"'\\s<>{}]{6,60}`;

export const passwordRules: readonly PolicyRule[] = [
  rule(
    'login-in-code',
    'User name and password in code',
    `\\bnetworkcredential\\s{0,3}\\(\\s{0,3}"[^"\\n]{2,60}"\\s{0,3},\\s{0,3}"${chosen}"`,
    `\\bdirectoryentry\\s{0,3}\\(\\s{0,3}"[^"\\n]{3,100}"\\s{0,3},\\s{0,40}"[^"\\n]{3,60}"\\s{0,3},\\s{0,40}"${chosen}"`,
    `\\buser(?:name)?\\s{0,12}=>?\\s{0,3}["'][^"'\\n]{2,60}["']${between}pass(?:word|wd)?\\s{0,12}=>?\\s{0,3}["']${chosen}["']`,
  ),
  rule(
    'password-in-settings',
    'Password in settings',
    `<add\\s{1,4}key\\s?=\\s?"[^"\\n]{0,40}(?:pass(?:word|wd)?|secret|token)[^"\\n]{0,20}"\\s{1,4}value\\s?=\\s?"${chosen}"`,
    `\\b(?:user(?:[ _]?id)?|uid)\\s{0,2}=\\s{0,2}[^\\s;"']{2,60};[^\\n;]{0,10};?\\s{0,2}(?:password|pwd)\\s{0,2}=\\s{0,2}${real}[^\\s;"'<>{}$#*]{6,64}`,
    `(?<![a-z])password["']?\\s{0,12}(?:=>|:=|[:=])\\s{0,3}["']${real}(?=[^"'\\s]{8,60}["'])(?=[^"'\\s]{0,40}[a-z])[^"'\\s!@$%^&*?<>{}()]{2,40}[!@$%^&*?][^"'\\s<>{}()/]{1,40}["']`,
  ),
  rule(
    'password-in-words',
    'Password that a sentence tells',
    `\\bpassword(?: for (?:the )?(?:user(?:name)?|account) ["'][^"'\\n]{2,40}["'])? is:? ["']${chosen}["']`,
  ),
];
