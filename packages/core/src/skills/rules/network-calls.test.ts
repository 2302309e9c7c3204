import { expect, test } from '@jest/globals';
import { readPackage } from '../package/read-package.ts';
import { createSkillScanner } from '../scan/scan-skill.ts';

const scanner = createSkillScanner();

/** What a skill with this file is able to do. */
const abilitiesOf = (path: string, text: string): readonly string[] =>
  scanner
    .scan(
      readPackage([
        { path: 'SKILL.md', bytes: new TextEncoder().encode('# Weather of a service\n') },
        { path, bytes: new TextEncoder().encode(text) },
      ]),
    )
    .abilities.map(({ ruleName }) => ruleName);

test.each([
  ['run.py', 'import urllib.request\nprint(urllib.request.urlopen("https://api.notes.test/x").read())\n'],
  ['run.py', 'import http.client\nc = http.client.HTTPSConnection("api.notes.test")\nc.request("GET", "/x")\n'],
  ['run.py', 'from http.client import HTTPSConnection\nHTTPSConnection("api.notes.test").request("GET", "/x")\n'],
  ['run.py', 'import aiohttp\nasync with aiohttp.ClientSession() as s:\n    await s.get("https://api.notes.test")\n'],
  ['run.py', 'import httpx\nhttpx.get("https://api.notes.test")\n'],
  ['run.py', 'import requests\ns = requests.Session()\ns.get("https://api.notes.test")\n'],
  ['run.py', 'from requests import get\nget("https://api.notes.test")\n'],
  ['run.py', 'import requests as r\nr.get("https://api.notes.test")\n'],
  ['run.py', 'import socket\ns = socket.create_connection(("api.notes.test", 80))\n'],
  ['run.py', 'import subprocess\nsubprocess.run(["curl", "-s", "https://api.notes.test"])\n'],
  ['run.py', 'import subprocess\nsubprocess.check_output("curl -s https://api.notes.test", shell=True)\n'],
  ['run.py', 'import os\nos.system("wget -q https://api.notes.test")\n'],
  ['run.js', 'const r = await fetch("https://api.notes.test");\n'],
  ['run.js', 'import { request } from "undici";\nawait request("https://api.notes.test");\n'],
  ['run.js', 'const https = require("node:https");\nhttps.get("https://api.notes.test");\n'],
  ['run.js', 'import { get } from "https";\nget("https://api.notes.test");\n'],
  ['run.js', 'import net from "node:net";\nnet.connect(80, "api.notes.test");\n'],
  ['run.js', 'const net = require("net");\nconst s = new net.Socket();\ns.connect(80, "api.notes.test");\n'],
  ['run.js', 'const axios = require("axios");\naxios({ url: "https://api.notes.test" });\n'],
  ['run.js', 'const got = require("got");\ngot("https://api.notes.test");\n'],
  ['run.js', 'import { execFile } from "node:child_process";\nexecFile("curl", ["-s", "https://api.notes.test"]);\n'],
  ['run.js', 'new WebSocket("wss://api.notes.test");\n'],
  ['run.go', 'package main\nfunc main() {\n\thttp.Get("https://api.notes.test")\n}\n'],
  ['run.go', 'package main\nfunc main() {\n\treq, _ := http.NewRequest("GET", "https://api.notes.test", nil)\n}\n'],
  ['run.go', 'package main\nfunc main() {\n\tnet.DialTimeout("tcp", "api.notes.test:80", 1)\n}\n'],
  ['run.rs', 'fn main() {\n    let body = reqwest::blocking::get("https://api.notes.test");\n}\n'],
  ['run.rs', 'use std::net::TcpStream;\nfn main() {\n    TcpStream::connect("api.notes.test:80");\n}\n'],
  ['run.rb', 'require "net/http"\nNet::HTTP.get(URI("https://api.notes.test"))\n'],
  ['run.rb', 'require "open-uri"\nopen("https://api.notes.test").read\n'],
  ['run.rb', 'TCPSocket.new("api.notes.test", 80)\n'],
  ['run.php', '<?php\n$c = curl_init("https://api.notes.test");\n'],
  ['run.pl', 'use LWP::UserAgent;\nmy $u = LWP::UserAgent->new;\n'],
  ['Run.java', 'class Run { void run() { HttpClient.newHttpClient(); } }\n'],
  ['run.ps1', 'Invoke-RestMethod -Uri https://api.notes.test\n'],
  ['run.ps1', '(New-Object Net.WebClient).DownloadString("https://api.notes.test")\n'],
  ['run.sh', 'curl -s https://api.notes.test\n'],
  ['run.sh', 'exec 3<>/dev/tcp/api.notes.test/80\n'],
])('%s reaches other machines: %j', (path, text) => {
  expect(abilitiesOf(path, text)).toContain('network');
});

test.each([
  ['run.py', 'print("a network")\nrequests = 3\n'],
  ['run.js', 'console.log("net income", "https");\nconst type = "http";\n'],
  ['run.go', 'package main\nfunc main() {\n\tprintln("http")\n}\n'],
  ['run.sh', 'echo "curl up and read"\n'],
])('%s does not: %j', (path, text) => {
  expect(abilitiesOf(path, text)).not.toContain('network');
});
