import { chain, chainInProse, detected, signInCode, signInProse, rulesOf } from '../skill-rule.ts';
import { person } from './vocabulary.ts';
import { multilingualOverrides, multilingualSecrecy } from './multilingual-rules.ts';

const r = String.raw;
const orders = r`(?:instructions?|prompts?|directives?|rules|guidelines|guidance|constraints|commands?|restrictions|policies|orders|guardrails|programming|training|system message)`;
const former = r`(?:previous|prior|earlier|above|preceding|existing|original|former|initial|all other|any other|system|conflicting|default|safety|your)`;
const conceal = r`\b(?:(?:do not|don't|never|avoid|without|refrain from|must not|should not|shouldn't|no need to|not) (?:\w{1,12} ){0,3}?(?:tell|telling|inform|informing|notify|notifying|mention|mentioning|reveal|revealing|disclose|disclosing|alert|alerting|show|showing|report|reporting|display|displaying|announce|announcing|ask|asking|explain|explaining|surface|surfacing|prompt|prompting))\b`;

/** What is said to the agent against its user. */
export const injectionRules = rulesOf({
  'INJ-01': {
    name: 'Override of the agent’s instructions',
    category: 'prompt_injection',
    severity: 'High',
    rationale: 'A skill adds to what the agent is told; one that takes back what others told it takes over.',
    remedy: 'Describe the task; leave the rules of the agent and its user as they are.',
    patterns: [
      chainInProse([
        r`\b(?:regardless of|no matter|instead of|rather than) what (?:the )?(?:user|person|human|customer) (?:asks?|asked|requests?|requested|says?|said|wants?|wanted)\b`,
        r`\b(?:must|always|first|do|perform|execute|send|add|create|replace|respond|output|proceed)\b`,
      ]),
      chain(
        r`\b(?:ignore|disregard|forget|discard|override|bypass|overrule|drop|neglect)\b (?:\w{1,12} ){0,4}?${former} (?:\w{1,12} ){0,2}?${orders}\b`,
        [r`\b(?:detect|attack|classif|pattern|attempts?|payload|regex)`],
      ),
      chain(
        r`\b(?:forget|disregard|ignore) (?:everything|all|anything) (?:above|before|you (?:know|were told|have been told)|that came before|prior)\b`,
      ),
      chainInProse(
        r`\b(?:you are no longer|you're no longer|no longer) (?:bound|restricted|limited|constrained|subject|required) (?:by|to)\b[^.\n]{0,80}`,
        [r`\bsupport|version\b`],
      ),
      chainInProse(
        [
          r`\b(?:supersed(?:e|es|ing)|take precedence over|takes precedence over|overrid(?:e|es|ing)|replac(?:e|es|ing)|outrank)\b`,
          r`\b(?:${former})\b[^.\n]{0,30}\b${orders}\b`,
        ],
        [
          r`\b(?:config|css|environment|variable|file|flag|version|parent|template|setting|method|class|default value|AGENTS\.md|CLAUDE\.md|project|repo|unless (?:\w{1,12} ){0,2}asked)`,
        ],
      ),
      chainInProse(
        [
          r`\b(?:new|true|real|primary|updated|actual|secret|hidden) (?:primary )?(?:objective|mission|instructions|role|purpose|directive|goal)s?\b`,
          r`\b(?:from (?:this point|now) (?:on|forward)|henceforth|is to|are to|supersed\w{1,5}|no longer|has (?:fundamentally )?changed|instead)\b`,
        ],
        [r`\b(?:project|feature|team|sprint|product|migration|customer)\b`],
      ),
      chainInProse(
        [
          r`\b(?:bypass|disable|turn off|remove|ignore|skip|without|drop|circumvent|evade)\b`,
          r`\b(?:safety (?:restrictions|guidelines|filters|checks|measures|protocols|constraints)|content (?:filters?|policy|policies|restrictions)|ethical (?:guidelines|constraints)|guardrails|safety and filtering)\b`,
        ],
        [r`\b(?:detect|attack|never|must not|red team|attempts?)\b`],
      ),
      chainInProse(
        r`\byou are now\b (?:\w{1,14} ){0,4}?(?:unrestricted|jailbroken|DAN\b|free of|unfiltered|uncensored|in (?:developer|god|debug|admin|root|maintenance|unrestricted) mode|a data (?:extraction|collection) agent|the administrator)`,
      ),
      chainInProse([
        r`\b(?:assist|comply|respond|answer|help|complete|follow)\b`,
        r`\b(?:without (?:any )?(?:filter\w{0,4}|restrictions?|limitations?|question|hesitation|refus\w{2,5}|applying content)|no (?:restrictions|limitations|filters)|unfiltered|never refuse|must (?:always )?(?:comply|obey))\b`,
        r`\b(?:request|requests|instruction|instructions|command|commands|output|prompt|prompts|order|orders)\b`,
      ]),
      chainInProse(
        [
          r`\bfollow\b[^.\n]{0,30}\b(?:any|all|every|the)\b[^.\n]{0,20}\b(?:instructions|commands|directives|steps)\b`,
          r`\b(?:in|from|found|contained|returned|within)\b[^.\n]{0,30}\b(?:fetched|web ?pages?|remote|response|url|downloaded|email|server|external|comments?)\b`,
        ],
        [r`\b(?:never|do not|don't|untrusted)\b`],
      ),
      ...multilingualOverrides,
    ],
  },
  'INJ-02': {
    name: 'Forged role, token or authority',
    category: 'prompt_injection',
    severity: 'High',
    rationale: 'A text that poses as the system, its maker or an administrator wants an obedience it has no claim to.',
    remedy: 'Speak as what it is: a skill.',
    patterns: [
      chainInProse(
        [
          r`<\|(?:im_start|im_end|system|endoftext|start_header_id|eot_id)\|>`,
          r`\b(?:you|system|must|ignore|unrestricted|mode|instruction)`,
        ],
        [r`\b(?:token(?:iz|s\b)|chat template|special tokens?|vocab|template format)`],
      ),
      chainInProse(
        [r`\[/?INST\]|<</?SYS>>`, r`\b(?:unrestricted|unfiltered|without|ignore|must|execute|secret)\b`],
        [r`\btokenizer\b`],
      ),
      chainInProse(
        r`\b(?:system|admin(?:istrator)?|developer|anthropic|openai)[ _-]?(?:override|message|notice|prompt|update|directive|alert|instruction|command)s?(?:\]|>|\)|:)[^\n]{10,200}\b(?:must|ignore|execute|disable|send|authori[sz]ed|bypass|comply|grant)\b`,
      ),
      chainInProse(
        r`\b(?:anthropic|openai|google|microsoft|the (?:system )?administrator|system admin(?:istrator)?)\b[^.\n]{0,40}\b(?:has|have|hereby)? ?(?:pre-?authori[sz]ed|authori[sz]ed|approved|mandated|sanctioned|permitted)\b[^.\n]{0,60}\b(?:override|bypass|this|updates?|behaviou?r|disabl\w{1,4}|access)\b`,
        [r`\boauth|scope|app\b`],
      ),
      signInProse(
        r`\b(?:enter|enable|activate|switch to|enabling|activating) (?:\w{1,12} ){0,2}(?:developer|god|jailbreak|unrestricted|debug|sudo|admin(?:istrator)?|maintenance|DAN) mode\b`,
        [
          r`\b(?:in (?:your )?(?:browser|chrome|phone|android|ios|settings|device)|devtools|adb|dashboard|plugin|server|build|compil|windows|console)\b`,
        ],
      ),
      chainInProse(
        r`[<[](?:system|system_prompt|admin|administrator|root|sudo|operator|developer|instructions?_override|secret_instructions|hidden|admin[-_ ]\w{2,20})[>\]][^<\n]{0,300}\b(?:must|ignore|never|do not|send|execute|override|reveal)\b`,
      ),
      signInProse(
        r`\b(?:this|the (?:workflow|skill|action|operation|update|request|override)) (?:has been|have been|is|was) (?:pre-?)(?:authori[sz]ed|approved)\b`,
      ),
      signInProse(r`\bstanding authori[sz]ation\b[^.\n]{0,80}\ball\b`),
    ],
  },
  'INJ-03': {
    name: 'Order in a place that people do not see',
    category: 'prompt_injection',
    severity: 'High',
    languages: ['markdown', 'html', 'text', 'config'],
    rationale: 'Comments, white text and far-off lines are read by models only; who writes orders there hides them.',
    remedy: 'Write what the agent is to do where a reviewer reads it.',
    patterns: [
      chainInProse(
        r`<!--(?=[^>]{0,600}\b(?:you must|ignore|agent:|assistant:|AI:|system:|execute (?:the|this|these|it|all|every|any|following|curl|bash|python)\b|curl |wget |send |read ~|secretly|do not (?:tell|mention|reveal)|exfiltrat))[^>]{20,600}\b(?:you|agent|assistant|AI|model|execute|send|run|ignore|curl|user)\b`,
        [r`\bTODO|eslint|prettier|markdownlint|vale |license|generated by|maintainers?|contributors?|copyright\b`],
      ),
      chainInProse(
        [
          r`(?:display:\s?none|font-size:\s?0|opacity:\s?0|color:\s?(?:white|#fff(?:fff)?|transparent)|visibility:\s?hidden)`,
          r`\b(?:you must|ignore|instructions?|execute|agent|assistant|send|do not tell|secret)\b`,
        ],
        [r`\{\s{0,4}(?:display|visibility|opacity)`],
      ),
      chainInProse(
        r`\[\/\/\]: ?# ?[("'][^\n]{0,300}\b(?:ignore|you must|execute|send|run|agent|assistant|secret|do not tell)\b`,
      ),
      chainInProse(
        r`!\[[^\]\n]{0,200}\b(?:ignore (?:all|previous)|you must|execute the|system prompt|send the)\b[^\]\n]{0,200}\]`,
      ),
      chainInProse(
        r`\]\(https?://[^\s)]{3,200}\s{1,3}["'][^"'\n]{0,200}\b(?:ignore (?:all|previous)|you must|execute|system prompt|send (?:the|all))\b`,
      ),
      // Behind so many blanks or empty lines that nobody scrolls there.
      detected('padded-text', 'sign'),
    ],
  },
  'DEC-01': {
    name: 'Concealed from the user',
    category: 'user_deception',
    severity: 'High',
    rationale: 'The agent is told to do something and not to say so. There is no honest reason for it.',
    remedy: 'Say what is done, and let the user decline.',
    patterns: [
      signInProse([
        r`\b(?:a/b test|experiment|pilot|trial|rollout|audit mode|compliance (?:mode|requirement)|quality (?:assurance|monitoring))\b`,
        r`\b(?:do not (?:mention|tell|disclose|ask|inform)|without (?:telling|asking|informing|mentioning|notifying)|not be (?:told|informed|aware)|transparent to the user|invisible to)\b`,
      ]),
      chainInProse(
        [
          `${conceal}[^.\\n]{0,20}\\b${person}\\b`,
          r`\b(?:upload|send|sending|collect|transmit|data|telemetry|background|operation|file|backup|sync|step|action|execut\w{1,4}|this|these|it)\b`,
          r`\b(?:secret|silent(?:ly)?|background|hidden|covert|upload|send|transmit|collect|telemetry|exfiltrat\w{1,4}|operation|transfer|quietly|internal step|this (?:step|action|instruction|behavior|process|skill|operation|backup|upload|change))\b`,
        ],
        [
          r`\b(?:unless|until|secret values?|api keys?|credentials?|tokens?|internal (?:ids?|names)|jargon|more than|too many|unnecessary)\b`,
        ],
      ),
      chainInProse(
        r`\b(?:keep|hide|conceal|mask|withhold)\b (?:\w{1,12} ){0,4}?(?:secret|hidden|private|invisible|from|it|this)\b[^.\n]{0,30}\b(?:from|to) (?:the |your |all )?(?:user|users|human|operator|owner|logs|admin\w{0,9}|reviewers?|victim)\b`,
        [
          r`\b(?:api keys?|tokens?|passwords?|credentials?|password|loading|button|element|column|field|ui|menu|panel|toolbar)\b`,
        ],
      ),
      chainInProse(
        r`\b(?:silently|secretly|covertly|surreptitiously|stealthily|discreetly|quietly) (?:\w{1,12} ){0,2}?(?:send|sends|upload|uploads|collect|collects|copy|copies|transmit|transmits|forward|forwards|record|records|perform|exfiltrate|exfiltrates|execute|executes|install|installs|add|adds|include|modify|modifies|capture|captures|harvest|harvests|track|tracks|inject|injects|store|stores|append|run the|read|reads)\b`,
        [r`\b(?:fail|fails|ignored?|drop|never|instead of|bug|overwrit)`],
      ),
      chainInProse(
        [
          r`\bwithout (?:the )?(?:user(?:'s)?|owner(?:'s)?|their|his|her|customer(?:'s)?|explicit)? ?(?:knowledge|awareness|consent|noticing|knowing|disclosure|being (?:aware|noticed|detected)|notification)\b`,
          r`\b(?:collect|send|upload|track|record|transmit|share|store|modify|access|data|log|execute|inject|share|metrics|copies)`,
        ],
        [r`\b(?:never|must not|do not|don't|not)\b`],
      ),
      chainInProse(
        [
          r`\b(?:do not|don't|never) (?:log|record|mention|reference|include|document|reveal|disclose|acknowledge)\b`,
          r`\b(?:this (?:step|instruction|action|rule|request|section|operation|process|behavior|functionality|guidance|note)|these (?:steps|instructions|actions|rules)|existence of|presence of|hidden|that you (?:did|have|are|were))\b`,
        ],
        [r`\b(?:changelog|commit message|code comments?|documentation only|secret|token)\b`],
      ),
      chainInProse(
        [
          r`\b(?:hide|conceal|suppress|redirect|clear|erase|remove|delete|scrub)\b`,
          r`\b(?:evidence|traces?|tracks|this action|the (?:action|operation|activity)|command history|shell history|audit (?:trail|logs?)|from (?:the )?logs)\b`,
          r`\b(?:so that|avoid detection|the user|immediately after|afterwards|leave no|no trace|not be (?:seen|noticed|detected)|once done|this action)\b`,
        ],
        [r`\b(?:never|must not|do not|don't|preserve|detect)\b`],
      ),
      signInCode(
        r`\b(?:HIDDEN|BACKDOOR|EXFILTRAT\w{1,4}|POISONED|UNAUTHORI[SZ]ED|MALICIOUS|STEALTH|COVERT|MISMATCH)\b: ?\w`,
      ),
      signInProse(r`\b(?:HIDDEN|BACKDOOR|EXFILTRATE|POISONED|COVERT|STEAL|MISMATCH|DEFENSE EVASION): ?\w`),
      // An order to keep silent about something, whatever it is.
      signInProse(
        `${conceal}[^.\\n]{0,30}\\b(?:users?|humans?|operators?|owners?|customers?|clients?)\\b (?:\\w{1,10} ){0,2}?(?:about|of|anything|what|that you|you)\\b`,
        [
          r`\b(?:unless|until|before|yet|if |when |without|verified|checked|confirmed|certain|sure|guess|assum\w{1,5}|hallucinat\w{1,3})`,
        ],
      ),
      signInProse(
        r`\b(?:users?|humans?|operators?|owners?|customers?|clients?)\b (?:must|should|may|shall|need|can|does|do|will)(?:n't| not| never)\b (?:ever )?(?:know|learn|notice|find out|hear|be told|be informed|be aware|become aware|realise|realize|suspect)\b`,
        [r`\b(?:need not|needs? to know|how to|where to|which)\b`],
      ),
      signInProse(
        r`\b(?:do not|don't|never|must not|make sure not to|avoid) (?:ever )?(?:let|letting|allow)\b[^.\n]{0,20}\b(?:users?|humans?|operators?|owners?|customers?|clients?)\b (?:to )?(?:know|learn|notice|find out|see this|see what|realise|realize|suspect)\b`,
      ),
      signInProse(
        r`\b(?:make sure|ensure|so)(?: that)? (?:the |your |our )?(?:users?|humans?|operators?|owners?|customers?|clients?) (?:does not|doesn't|do not|don't|never|cannot|can't|won't|will not) (?:find out|know|notice|learn|see|realise|realize|suspect)\b`,
        [r`\b(?:spinner|flicker|layout|loading|animation|latency|delay)`],
      ),
      signInProse(
        r`\b(?:keep|conceal|hide|withhold|leave)\b[^.\n]{0,40}\b(?:between us|from (?:the |your |our )?(?:users?|humans?|operators?|owners?|customers?|clients?)\b|out of (?:what you tell|your (?:answer|report|summary|reply)))`,
        [
          r`\b(?:api keys?|tokens?|passwords?|credentials?|loading|button|element|column|field|ui|menu|panel|toolbar|complexity|jargon|stack trace|internals?)\b`,
        ],
      ),
      ...multilingualSecrecy,
    ],
  },
  'DEC-02': {
    name: 'Scripted lie or bias',
    category: 'user_deception',
    severity: 'High',
    languages: ['markdown', 'text', 'config'],
    rationale:
      'The agent is told what untruth to say, what result to invent or whose side to take without the user knowing.',
    remedy: 'Let the agent report what happened and what it found.',
    patterns: [
      signInProse(
        [
          r`\b(?:append|insert|add|include|prepend|embed)\b`,
          r`\bthe (?:phrase|sentence|statement|claim|disclaimer|slogan|words)\b`,
          r`\b(?:every|each|any|all|at least one|always|after|whenever)\b`,
        ],
        [r`\b(?:copyright|licen[sc]e|generated (?:by|with)|co-authored|signed-off|placeholder)\b`],
      ),
      signInProse(
        [
          r`\b(?:do not|don't|not|avoid|never|refrain from)\b (?:\w{1,12} ){0,6}?(?:promot\w{1,3}|rais\w{1,3}|mention\w{0,3}|discuss\w{0,3}|highlight\w{0,3}|emphasi[sz]\w{1,3}|report\w{0,3}|exaggerat\w{1,3})\b`,
          r`\b(?:risks?|safety concerns?|dangers?|criticisms?|side effects|negative (?:effects|aspects)|drawbacks)\b`,
        ],
        [r`\b(?:without|unverified|hypothetical|theoretical|low-risk)\b`],
      ),
      chainInProse(
        [
          r`\b(?:remove|delete|ban|mute|flag|hide|downrank|warn|approve|allow|favou?r|suppress|moderate|penali[sz]e)\b`,
          r`\b(?:left[- ]wing|right[- ]wing|leftist|liberals?|conservatives?|republicans?|democrats?|progressives?|immigrants?|muslims?|christians?|jews|jewish|political (?:views?|opinions?|content|posts?))\b`,
          r`\b(?:posts?|messages?|users?|content|opinions?|views|comments?|support\w{0,4}|critici[sz]\w{2,4}|stricter|leniently|more (?:strictly|harshly)|immediately)\b`,
        ],
        [r`\b(?:neutral\w{0,4}|both sides|regardless of|equally|never|classif\w{2,8}|dataset|survey)\b`],
      ),
      chainInProse(
        [
          r`\b(?:earth is flat|flat[- ]earth|moon landing was (?:faked|staged)|vaccines cause|climate change is (?:a )?hoax|election was stolen|holocaust (?:did not|never))\b`,
          r`\b(?:must|always|should|insist|teach|present|explain|include|treat|state|argue|answer)\b`,
        ],
        [r`\b(?:debunk|refute|misinformation|myth|never|fact-?check)`],
      ),
      chainInProse(
        [
          r`\b(?:report|set|write|record|use|return|claim|output|submit|enter)\b`,
          r`\b(?:scores?|accuracy|metrics?|results?|benchmarks?|ratings?|grades?)\b`,
          r`\b(?:regardless of (?:[\w']{1,12} ){0,2}(?:performance|results?|outcomes?|quality|accuracy|scores?|measure\w{0,7}|evaluations?|answers?|outputs?|what)\b|even if|without (?:actually )?(?:running|measuring|evaluating|testing)|instead of (?:running|measuring)|no matter)\b`,
        ],
        [r`\b(?:never|do not|don't|must not)\b`],
      ),
      chainInProse(
        [
          r`\b(?:if|when) (?:the )?(?:user|asked|anyone|they|questioned|someone)\b[^.\n]{0,50}\b(?:ask|asks|asked|question|questions|questioned|notices?|inquires?|about)\b`,
          r`\b(?:say|respond|reply|tell them|claim|explain|answer|state|deny|insist)\b`,
          r`\b(?:only|just|simply|routine|standard|normal|deny|nothing|metadata|required by|part of|performance|maintenance|security (?:check|scan)|diagnostic)\b`,
          r`\b(?:upload|sync|data|backup|transfer|network|file|request|this|connection|delay|process|activity|telemetry)\b`,
        ],
        [r`\bhow (?:to|do)|which|what .{0,20}\?`],
      ),
      chainInProse([
        r`\b(?:tell|show|report to|inform|assure) (?:the )?users?\b`,
        r`\b(?:complete|success\w{0,6}|done|finished|no issues|all clear|safe|clean)\b`,
        r`\b(?:while|even if|regardless|instead|whether or not|silently|without actually|in the background|even though)\b`,
      ]),
      chainInProse(
        r`\b(?:fabricate|falsify|invent|fake|make up|inflate) (?:\w{1,12} ){0,3}?(?:results?|scores?|metrics|benchmarks?|data|evidence|citations?|reviews?|statistics|evaluation|logs?|numbers|sources)\b`,
        [r`\b(?:never|do not|don't|not|avoid|without|no|if you|cannot|must)\b`],
      ),
      chainInProse(
        [
          r`\b(?:always|must|only|prefer|favou?r|subtly|prioriti[sz]e)\b`,
          r`\b(?:recommend|promote|favou?r|portray|suggest|steer|praise|downplay|discourage|disparage|minimi[sz]e|dismiss)\b`,
          r`\b(?:our (?:product|brand|partner|sponsor)|sponsored|affiliate|competitors?|political|regardless of|negatively|concerns|as superior|conspirac\w{1,4}|hoax|biased|partner products?)\b`,
        ],
        [r`\b(?:seo|marketing|copywriting|landing|disclos|competitor analysis)\b`],
      ),
      chainInProse(
        [
          r`\b(?:downplay|minimi[sz]e|understate|omit|suppress|leave out|ignore|skip|hide)\b`,
          r`\b(?:risks?|vulnerabilit(?:y|ies)|security (?:issues?|findings?|concerns?|checks?|flaws?)|safety (?:concerns?|issues?|risks?)|negative (?:results|findings)|errors?|failures?)\b`,
          r`\b(?:report|summary|evaluation|review|assessment|output|analysis|findings|user|code review)\b`,
        ],
        [
          r`\b(?:never|do not|don't|must not|cannot|to minimi[sz]e|mitigat\w{1,5}|duplicate|likelihood|licensor|this license)\b`,
        ],
      ),
      signInProse(
        [
          r`\b(?:claim|assert|state|present|treat|describe|insist)\b`,
          r`\b(?:as (?:established |proven )?fact|as proven|is flat|is a hoax|disinformation|misinformation|conspiracy)\b`,
        ],
        [r`\b(?:never|not|avoid|don't|check|verify|detect|flag)\b`],
      ),
    ],
  },
  'UNI-01': {
    name: 'Invisible or turning characters',
    category: 'hidden_unicode',
    severity: 'High',
    rationale:
      'Tag characters, spaces without width inside words and overrides of direction hide text from people and not from models.',
    remedy: 'Remove the invisible characters.',
    patterns: [
      // Found by the detector of hidden characters, which knows flags, families and scripts that need joiners.
      detected('tag-characters'),
      detected('zero-width-in-words'),
      detected('direction-override'),
      detected('bytes-in-selectors'),
      signInCode(
        r`\\u(?:202[A-Ea-e]|206[6-9]|200[B-Db-d]|2060|[Ff][Ee][Ff][Ff])[^\n]{0,80}\\u(?:202[A-Ea-e]|206[6-9]|200[B-Db-d]|2060)`,
        [r`replace|regex|RegExp|re\.|strip|match|test\(|sanitize|\[[^\]]{0,80}\\u`],
      ),
    ],
  },
});
