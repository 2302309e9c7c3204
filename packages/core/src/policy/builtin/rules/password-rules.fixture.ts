import type { RuleFixture } from './rule-fixture.ts';

export const passwordFixture: Readonly<Record<string, RuleFixture>> = {
  'login-in-code': {
    matches: [
      'mail.Credentials = new NetworkCredential("kettle@post.test", "brassteapotlid");',
      'new DirectoryEntry("LDAP://10.1.2.3", "house\\\\ann", "Teapot77")',
      `username = 'ann.lee@post.test'\n  password = 'brass-teapot'`,
      `user = "ann"  # of the house\n# and of the shed\nPASSWORD = "teapotbrass9"`,
    ],
    misses: [
      'new NetworkCredential(user, password)',
      'new NetworkCredential("user", "password")',
      `user = 'ann'\npassword = '<your password>'`,
      `def login(self, user = '', password = ''):`,
    ],
  },
  'password-in-settings': {
    matches: [
      '<add key="MailPassword" value="Teapot$brass"/>',
      'Provider=SQLOLEDB;Uid=kettle;Pwd=brassTeapot;',
      'Port=5432;User Id=kettle;Password=teapotlid;Database=tea;',
      'password: "super$teapot"',
      `:password   => 'brass!teapot',`,
    ],
    misses: [
      '<add key="Password" value="%PASSWORD%"/>',
      'User Id=kettle;Password=<password>;',
      'password: "must be given!"',
      'password = "$secret$"',
      `this.addPassword = '#add-password'`,
    ],
  },
  'password-in-words': {
    matches: [`The password is 'Teapot123' for all of them`, `the password for user 'kettle' is "brassteapot"`],
    misses: ['the password is secret', `the password is 'password'`, 'the password is "<yours>"'],
  },
};
