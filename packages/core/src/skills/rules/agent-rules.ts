import {
  capability,
  chain,
  chainInCode,
  chainInProse,
  detected,
  signInCode,
  signInProse,
  rulesOf,
} from '../skill-rule.ts';

const r = String.raw;
const agentFile = r`(?:SOUL\.md|MEMORY\.md|AGENTS\.md|CLAUDE\.md|GEMINI\.md|HEARTBEAT\.md|IDENTITY\.md|USER\.md|TOOLS\.md|\.cursorrules|\.windsurfrules|\.clinerules|\.cursor/rules|copilot-instructions\.md|\.claude/settings|\.claude\.json|\.openclaw/|claude_desktop_config\.json|\.?mcp\.json|openclaw\.json)`;
/** Behind the scheme of an address: indexes of packages that are known, of the machine, of a house, or made up. */
const ownRegistry = r`(?:[\w-]{1,60}\.){0,4}(?:pypi\.org|pythonhosted\.org|pkg\.dev|data\.pyg\.org|nvidia\.com|pytorch\.org|amazonaws\.com|azure\.com|visualstudio\.com|jfrog\.io|vllm\.ai|npmjs\.org|yarnpkg\.com|npm\.pkg\.github\.com|npmmirror\.com|taobao\.org|localhost|127\.0\.0\.1|internal|local|corp|lan|intranet|(?:your-?)?company\.com|your-?(?:domain|org|registry)\.com|example\.(?:com|org|net))(?=[/\s"'\x60]|:\d|$)`;
const writing = r`(?:>>|\btee\b|open\([^\n)]{1,120},\s{0,2}['"][wa]|writeFile|appendFile|write_text|\.write\(|\bsed -i|\bcp\b|cat\s?>|Add-Content|Set-Content)`;

/** What is done to the agent itself: its tools, its memory, its limits, its supply. */
export const agentRules = rulesOf({
  'UNI-02': {
    name: 'Look-alike letters',
    category: 'hidden_unicode',
    severity: 'High',
    rationale: 'A letter of another alphabet in a command, a host or a name makes it another one that reads the same.',
    remedy: 'Write it in one alphabet.',
    patterns: [detected('mixed-script-command'), detected('mixed-script-host'), detected('mixed-script-name')],
  },
  'SUP-01': {
    name: 'Odd source or unpinned update',
    category: 'supply_chain',
    severity: 'High',
    rationale: 'Packages from another index, over plain HTTP or without a version are what their host says that day.',
    remedy: 'Use the public registry of the language and pin versions.',
    patterns: [
      chainInCode([
        r`\b(?:pip3?|uv)\b[^\n]{0,60}\binstall\b`,
        `--(?:extra-)?index-url[= ]\\s{0,2}["']?https?://(?!${ownRegistry})[\\w.-]{3,80}`,
      ]),
      chainInCode(
        `\\b(?:npm|pnpm|yarn|bun)\\b[^\\n]{0,80}--registry[= ]\\s{0,2}["']?(?:http://(?!localhost|127\\.|[\\w.-]{1,80}\\.(?:internal|local|corp|lan)\\b)|https://(?!${ownRegistry}))[\\w.-]{3,80}`,
      ),
      chainInCode(
        r`\b(?:pip3?|npm|pnpm|yarn)\b[^\n]{0,60}\b(?:install|add)\b[^\n]{0,80}(?:git\+http://|http://(?!localhost|127\.)[\w.-]{3,80})`,
      ),
      signInCode(r`\b(?:pip3?|uv)\b[^\n]{0,40}\binstall\b[^\n]{0,80}--trusted-host\b`),
      signInCode([
        r`\b(?:git (?:pull|clone)|curl|wget|requests\.get|fetch\()`,
        r`(?:exec|eval|bash|sh\s|python3?\s|source\s|import_module)`,
        r`(?:while true|cron|setInterval|every|schedule|auto_?update|self_?update)`,
      ]),
      signInProse(
        [
          r`\b(?:fetch|download|load|pull|read|retrieve|check|curl)\b`,
          r`\b(?:latest|updated|current|remote|new|dynamic)\b[^.\n]{0,30}\b(?:instructions|skill(?:\.md)?|rules|prompt|commands|directives|steps|config(?:uration)?)\b`,
          r`https?://[^\s)"'\`<>]{4,200}`,
          r`\b(?:follow|execute|apply|run|obey|replace|overwrite|use them|instead)\b`,
        ],
        [r`\bdocs?\b|documentation|llms\.txt`],
      ),
      capability(r`\bnpx\s{1,3}(?:-y|--yes)\s{1,3}[@\w/-]{2,80}`),
    ],
  },
  'SUP-02': {
    name: 'Hook that runs at installation',
    category: 'supply_chain',
    severity: 'High',
    languages: ['config', 'python', 'javascript', 'shell'],
    rationale: 'Installing is enough: a hook runs before anyone has looked at what was installed.',
    remedy: 'Leave hooks out; build before publishing.',
    patterns: [
      chainInCode([
        r`"(?:pre|post)?(?:install|prepare|prepublish)"\s{0,2}:`,
        r`(?:curl|wget|http|base64|eval|/dev/tcp|node -e|python3? -c|powershell|\bnc\b|\.env\b)`,
      ]),
      signInCode(
        [r`"(?:preinstall|postinstall)"\s{0,2}:\s{0,2}"[^"\n]{1,200}(?:\bnode |\bsh |\bbash |\bpython)`],
        [
          r`"(?:preinstall|postinstall)"\s{0,2}:\s{0,2}"(?:node |npx )?[\w./@-]{0,40}(?:patch-package|husky|prisma|playwright|electron|ngcc|esbuild|build|postinstall\.[cm]?js)[^"&|;\n]{0,60}"`,
        ],
      ),
      chainInCode([
        r`\bcmdclass\b`,
        r`(?:install|develop|egg_info|build_py)`,
        r`(?:PostInstall|CustomInstall|subprocess|os\.system|requests|urlopen|Evil|Malicious|Command)`,
      ]),
      chainInCode([r`\bclass \w{1,40}\((?:install|develop|egg_info)\)`], [r`test`]),
    ],
  },
  'SUP-03': {
    name: 'Look-alike of a known package or brand',
    category: 'supply_chain',
    severity: 'High',
    rationale: 'A name one letter away from a known one is installed by mistake, and is made for that.',
    remedy: 'Use the real package.',
    patterns: [
      chain(
        r`\b(?:pip3?|uv|npm|pnpm|yarn|npx|gem|cargo|brew)\b[^\n]{0,40}\b(?:install|add|i|-y)\s[^\n]{0,60}\b(?:reqeusts|requestes|requets|reqests|python-requests2|urlib3|urllib4|numppy|numpyy|pandsa|padnas|djang0|flaskk|cryptograpy|crytography|beautifulsoup5|bs5|colourama|coloramma|python-dateutils|pyyaml5|tensorfow|tensorflw|openaii|opeani|anthropics-sdk|antropic|langchian)\b`,
      ),
      chain(
        r`\b(?:npm|pnpm|yarn|npx|bun)\b[^\n]{0,40}\b(?:install|add|i|-y)\s[^\n]{0,60}\b(?:loadsh|lodahs|expres|expresss|exprss|axois|axioss|reacct|raect|chalkk|chlak|comander|commnader|cross-env\.js|crossenv|mongose|mongoosse|discord\.jss|discrod|typscript|typescirpt|event-streem|node-fetchh|dotenvv|dot-env-js|webpak|momment)\b`,
      ),
      chain([
        r`\b(?:clawhubb|clawhub1|clawdhub1|clawhud|cllawhub|clawwhub|openclaww|opencllaw|clawdbot-cli-update|anthropic-update|claude-code-update|githubb|gihtub|githib|pypl\.org|npmjs\.co/)\b`,
      ]),
    ],
  },
  'TPZ-01': {
    name: 'Order inside the description of a tool',
    category: 'tool_poisoning',
    severity: 'High',
    rationale:
      'Models read descriptions of tools as instructions while people hardly do: orders there steer every other task.',
    remedy: 'Describe what the tool does, its arguments and its result.',
    patterns: [
      chainInProse([
        r`<(?:IMPORTANT|CRITICAL|SYSTEM|SECRET|HIDDEN|INSTRUCTIONS)>`,
        r`\b(?:read|before|must|do not|send|pass|file|never|otherwise|call)\b`,
      ]),
      chain(
        [
          r`\b(?:before|prior to) (?:using|calling|invoking|running) (?:this|any|any other|every|each) (?:tool|function|other tool)s?\b`,
          r`\b(?:read|send|include|fetch|pass|access|provide|call|must|open)\b`,
          r`(?:~/|\.ssh|\.env|/etc|config|credential|content|token|password|history|conversation|file)`,
        ],
        [r`\btool schema|schemas|documentation|docs\b`],
      ),
      chain(
        [
          r`\b(?:pass|include|provide|put|send|append|supply|attach)\b`,
          r`\b(?:full|entire|complete|whole|all|previous)\b[^.\n]{0,30}\b(?:conversation|chat|message history|context|system prompt|user messages?|history)\b`,
          r`\b(?:parameter|argument|field|as (?:the )?(?:context|sidenote|notes|metadata)|request|this tool|call)\b`,
        ],
        [r`\bsubagents?|sub-agents?|dispatch|never\b`],
      ),
      chainInProse([
        r`\b(?:INSTRUCTION|INSTRUCTIONS|NOTE|DIRECTIVE|SYSTEM)S? (?:TO|FOR) (?:THE )?(?:AI|ASSISTANT|MODEL|LLM|AGENT)\b`,
        r`\b(?:must|always|ignore|never|do not|secretly|execute|send|override|first)\b`,
      ]),
      chain(
        [
          r`['"](?:description|instructions?|system_prompt|override|hidden_?\w{0,20}|injected\w{0,20})['"]\s{0,2}:`,
          r`\b(?:ignore (?:all|previous|any)|disregard|bypass|do not (?:tell|mention|inform)|without (?:user|asking|telling)|always (?:comply|obey|execute)|override (?:all|safety|any))\b`,
        ],
        [r`\bdetect|pattern|regex\b`],
      ),
      signInCode([
        r`\b(?:hidden|secret|injected|malicious|poisoned|covert)_(?:instructions?|prompt|steps?|content|payload|directives?|command|action|recommendations?|items?)\b`,
      ]),
    ],
  },
  'TPZ-02': {
    name: 'Shadowing, priority or bait for triggers',
    category: 'tool_poisoning',
    severity: 'Medium',
    rationale:
      'A tool or skill that claims every task, or precedence over others, takes the place of the one the user meant.',
    remedy: 'Say for which tasks it is, and leave the others alone.',
    patterns: [
      chainInProse([
        r`\b(?:always|must|exclusively|only)\b`,
        r`\b(?:use|call|invoke|prefer|select|choose|run|activate)\b[^.\n]{0,30}\b(?:this (?:tool|skill|server|function)|me)\b`,
        r`\b(?:instead of|before|over|rather than|first|for (?:all|every|any)|regardless)\b`,
        r`\b(?:other|any|all|every|built-?in)\b[^.\n]{0,20}\b(?:tools?|skills?|requests?|tasks?|functions?|messages?|queries|conversations?)\b`,
      ]),
      chainInProse([
        r`\b(?:replaces|supersedes|overrides|shadows|deprecates|takes priority over|higher priority than)\b`,
        r`\b(?:other|all|existing|built-?in|official|any)\b[^.\n]{0,20}\b(?:tools?|skills?|servers?)\b`,
      ]),
      signInProse(
        r`\bdescription:[^\n]{0,200}\b(?:use (?:this skill )?(?:for|on|in) (?:every|any|all) (?:requests?|messages?|tasks?|conversations?|questions?|queries)|always (?:active|activate|load|run)|for any (?:and all )?(?:user )?(?:request|message|task))\b`,
      ),
      signInProse([
        r`\b(?:do not|don't|never) (?:use|call|invoke)\b[^.\n]{0,20}\b(?:any )?other\b[^.\n]{0,20}\b(?:tools?|skills?|servers?)\b`,
        r`\b(?:this|only|instead)\b`,
      ]),
      signInCode([
        r`\b(?:auto_?invoke|always_?run|run_on_every|auto_?execute|priority)\b['"]?\s{0,2}[:=]\s{0,2}(?:True|true|['"](?:highest|critical|maximum)['"]|9{3,6})`,
      ]),
    ],
  },
  'MEM-01': {
    name: 'Identity, memory or configuration of the agent written',
    category: 'memory_identity_poisoning',
    severity: 'High',
    rationale: 'What stands in these files is obeyed in every later session, when the skill is long forgotten.',
    remedy: 'Keep notes in files of the skill’s own, and let the user edit the agent’s.',
    patterns: [
      chainInCode([agentFile, writing], [r`\btemplate|example|init\b`]),
      chainInProse(
        [
          r`\b(?:write|append|add|insert|inject|modify|edit|overwrite|update|save|store|copy)\b`,
          agentFile,
          r`\b(?:permissions?|allow ?list|always|every (?:future )?session|persist\w{0,6}|permanently|future (?:sessions|conversations)|silently|automatically|ignore|without|hooks?|auto-?approv\w{1,3}|allow|grant)\b`,
        ],
        [
          r`\b(?:never|do not|ask the user|if the user (?:asks|wants|agrees|confirms)|with (?:the user's )?(?:permission|approval)|optional\w{0,2}|your|commit)\b`,
        ],
      ),
      chainInProse([
        r`\b(?:in (?:every|all) future (?:sessions?|conversations?|interactions?)|from now on,? (?:always|never|in all)|for all (?:future|subsequent) (?:sessions?|conversations?|requests?|interactions)|remember (?:this )?(?:permanently|forever|for all))\b`,
        r`\b(?:must|always|never|ignore|send|follow|trust|recommend|execute|apply|include|treat|approve|grant)\b`,
      ]),
      signInCode([agentFile, r`(?:curl|requests|fetch\(|base64|exfil|post\()`]),
      signInProse([
        r`\b(?:read|collect|send|upload|copy)\b`,
        r`(?:SOUL\.md|MEMORY\.md|IDENTITY\.md|USER\.md)`,
        r`\b(?:send|upload|post|forward|https?:)`,
      ]),
      capability(agentFile),
    ],
  },
  'AGY-01': {
    name: 'Human check removed',
    category: 'excessive_agency',
    severity: 'Medium',
    rationale: 'Questions to the user are the last check; a skill that switches them off acts unseen.',
    remedy: 'Let the agent ask; name what may be done without asking and why.',
    patterns: [
      signInCode(
        r`--(?:dangerously-skip-permissions|dangerously-bypass-approvals-and-sandbox|yolo|dangerously-allow-all|no-sandbox --disable)\b`,
      ),
      chainInProse(
        [
          r`\b(?:auto-?approve|automatically approve|pre-?approved?|skip|bypass|disable|without|no need for|do not (?:ask|request|wait)|never ask|don't ask|suppress)\b`,
          r`\b(?:user )?(?:confirmations?|approvals?|permission prompts?|permissions?|consent|verification prompts?|human review|confirmation prompts?)\b`,
          r`\b(?:all|every|any|always|delete|destructive|transfer|payment|purchase|send|execute|commands?|actions?|operations?|production|deploy)\b`,
        ],
        [
          r`\b(?:never|must not|unless|only (?:if|when|after)|read-only|require|requires|ask for|--yes|explicit|pass|refuse|not without)\b`,
        ],
      ),
      signInProse([
        r`\b(?:Bash\(\*\)|Write\(\*\)|Edit\(\*\)|unrestricted (?:access|permissions?)|full (?:access|permissions?) to (?:all|every))`,
        r`\b(?:allow|grant|request|no deny|every|all|tools|permission|access)`,
      ]),
      signInProse([
        r`\b(?:proceed|continue|execute|act|run|operate)\b`,
        r`\bwithout (?:stopping|asking|waiting|pausing|interrupting|requesting|prompting|user (?:input|intervention|confirmation|approval)|additional user confirmation)\b`,
        r`\b(?:verify|each|every|any|all|permission|user|confirmation|operations?|actions?|changes?)\b`,
      ]),
      signInProse(
        [
          r`\b(?:standing|blanket|implicit|prior|pre-?)\s?(?:authori[sz]ation|approval|consent|approved|authori[sz]ed)\b`,
          r`\b(?:all|every|any|autonomous|actions?|operations?|required)\b`,
        ],
        [r`\bnever|not\b`],
      ),
      signInCode([
        r`"(?:bypassPermissions|autoApprove|alwaysAllow|dangerouslySkipPermissions|auto_approve)"\s{0,2}:`,
        r`(?:true|"\*"|\[\s{0,2}"\*|all)`,
      ]),
      signInProse(
        [
          r`\b(?:transfer|pay|purchase|buy|trade|send (?:funds|money|crypto)|wire|withdraw|swap|sell)\b`,
          r`\b(?:automatically|without (?:asking|confirm\w{0,8}|approval)|immediately|autonomously|no confirmation)\b`,
          r`\b(?:funds|money|wallet|account|payment|token|usdc|eth|sol|bitcoin|order|card)\b`,
        ],
        [r`\b(?:never|do not|don't|must not)\b`],
      ),
    ],
  },
  'AGY-02': {
    name: 'Declared is not what is used',
    category: 'excessive_agency',
    severity: 'Medium',
    rationale:
      'A skill that says it formats text and asks for a shell, or declares nothing and takes all, is not what it says.',
    remedy: 'Declare the tools, hosts and variables that are used, and no others.',
    patterns: [
      signInProse([
        r`\b(?:allowed-tools|tools|permissions)\b`,
        r`(?:Bash\(\*\)|\*:\*|"\*"|'\*'|- ['"]?\*['"]?\s{0,3}(?:\n|$))`,
      ]),
      chainInProse([
        r`(?:permissions|tools)\s{0,2}:`,
        r`\b(?:sudo|admin|root|network_unrestricted|env_access|system_admin|all_files|full_access)\b`,
      ]),
      detected('ability-foreign-to-purpose'),
      detected('undeclared-ability'),
    ],
  },
  'EVA-01': {
    name: 'Gate before a sink',
    category: 'logic_bomb_evasion',
    severity: 'High',
    languages: ['python', 'javascript', 'shell', 'powershell', 'ruby', 'go', 'php'],
    rationale: 'Code that only acts after a date, on some hosts or after some uses waits until reviewers have gone.',
    remedy: 'Remove the gate, or say what it is for.',
    patterns: [
      chainInCode(
        [
          r`\bif\b[^\n]{0,120}(?:datetime\.(?:now|today|utcnow)\(|date\.today\(|time\.time\(|Date\.now\(|new Date\(|\$\(date)`,
          r`(?:>=?|<=?|-g[te]|==)`,
          r`(?:exec|eval|system|subprocess|requests|rmtree|remove|unlink|payload|curl)`,
        ],
        [
          r`cache|expire|ttl|timeout|elapsed|duration|executionTime|start_?time|latency|interval|token|refresh|rate|retry|deadline`,
        ],
      ),
      signInCode([
        r`\bif\b`,
        r`(?:datetime\((?:20[2-4]\d),|new Date\(['"]20[2-4]\d-|['"]20[2-4]\d-\d\d-\d\d['"])`,
        r`(?:now|today)`,
        r`[<>]`,
      ]),
      signInCode(
        [
          r`\bif\b`,
          r`(?:gethostname\(|os\.hostname\(|platform\.node\(|\$\(hostname\)|COMPUTERNAME|getpass\.getuser\()`,
          r`(?:==|!=|\bin\b|startswith|includes|=~)`,
        ],
        [r`localhost|darwin`],
      ),
      signInCode([
        r`\bif\b`,
        r`(?:CI|GITHUB_ACTIONS|JENKINS|SANDBOX|PYTEST_CURRENT_TEST)\b`,
        r`(?:environ|process\.env|getenv)`,
        r`(?:exit|return|payload|exec|skip_payload)`,
        r`(?:payload|malicious|evil|beacon|implant)`,
      ]),
      signInCode(
        [r`(?:invocation|call|run|usage|exec(?:ution)?)_?[cC]ount\w{0,6}\s{0,2}(?:>=?|==|%)\s{0,2}\d{1,4}`, r`\bif\b`],
        [r`max|limit|retry|log`],
      ),
      detected('gate-before-sink'),
    ],
  },
  'EVA-02': {
    name: 'Check for watchers, or traces removed',
    category: 'logic_bomb_evasion',
    severity: 'High',
    rationale:
      'Who looks for virtual machines, debuggers and scanners, or deletes histories and logs, does not want to be seen.',
    remedy: 'Remove the check; leave the logs.',
    patterns: [
      chainInCode(r`\brm\s{1,3}-\w{1,6}\s[^\n]{0,80}/var/log/`, [r`apt|dpkg|Dockerfile|/var/log/nginx`]),
      chainInCode(
        [r`(?:TracerPid|IsDebuggerPresent|CheckRemoteDebuggerPresent|sys\.gettrace\(\)|ptrace\(PTRACE_TRACEME)`],
        [r`coverage|pydevd`],
      ),
      chainInCode([
        r`\b(?:VBox|VirtualBox|vmware|qemu|xen|hyper-?v|parallels)\b`,
        r`(?:/sys/class/dmi|/proc/(?:cpuinfo|scsi)|product_name|hypervisor|\bany\(|\bin\b.{0,20}(?:lower|content|output)|vm_indicators?|systeminfo|dmidecode)`,
      ]),
      signInCode([
        r`\b(?:is_?(?:sandbox|virtual_?machine|vm|debugg\w{1,4}|analy[sz]\w{1,5})|detect_?(?:vm|sandbox|debugger|virtual\w{0,10})|check_?(?:vm|sandbox|debugger)|anti_?(?:debug|vm|analysis))\w{0,20}\s{0,2}\(`,
      ]),
      chain(
        r`(?:\brm\b|\bshred\b|\bunlink\b|\btruncate\b|>)[^\n]{0,40}(?:\.bash_history|\.zsh_history|/var/log/(?:auth|secure|wtmp|syslog|lastlog)|wtmp\b|lastlog\b)`,
      ),
      chain(
        r`\b(?:history\s{1,3}-c\b|unset\s{1,3}HISTFILE|HISTFILE=/dev/null|HISTSIZE=0|set \+o history|Clear-EventLog|wevtutil\s{1,3}cl)\b`,
      ),
      signInCode([
        r`\btouch\s{1,3}-(?:r|t|d)\b|os\.utime\(|SetFileTime`,
        r`(?:stat|getmtime|st_mtime|\d{12}|-r\s)`,
        r`(?:hide|original|cover|restore|2\d{3})`,
      ]),
      signInProse(
        [
          r`\b(?:avoid|evade|bypass|prevent|circumvent)\b`,
          r`\bdetection (?:by|from)?\b|\bbeing (?:detected|flagged|caught|noticed)\b|\bsecurity (?:scanners?|tools|monitoring)\b`,
          r`\b(?:split|encode|rename|obfuscate|hide|so that|use|by)\b`,
        ],
        [r`\b(?:bot|scrap|captcha|cloudflare|browser|fraud|attackers?|malware|adversar\w{2,4}|detects?)\b`],
      ),
    ],
  },
});
