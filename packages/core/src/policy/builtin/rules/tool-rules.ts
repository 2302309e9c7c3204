import type { PolicyRule } from '@portcullis/contracts/policy-file';
import { draftRules, type Shared } from './draft-rules.ts';
import { untrustedOrigins, plantableOrigins, untrustedAndAssistant, allButInstructions } from './rule-origins.ts';

/*
 * Tools that talk to the model behind the user's back: orders in descriptions and results, tools that
 * speak for other tools, parameters that carry the conversation out, and clients that feel for what a
 * server has.
 */

const shared: Shared = {
  category: 'Tool Security',
  owasp: ['LLM01:2025', 'ASI02:2026', 'ASI04:2026'],
  origins: untrustedAndAssistant,
};
const gap = (length: number): string => `[^.!?\\n]{0,${length}}`;
const span = (length: number): string => `[^]{0,${length}}`;

const rules = draftRules(shared, {
  'tool-shadows-another': [
    'Tool that changes how others are used',
    'High',
    `(?<=\\b(?:when|whenever|if|before|after|each time|every time)\\b${gap(40)})\\b(?:other|another|different|any other|all other)\\s{1,3}(?:\\w{1,20}\\s{1,3}){0,2}tools?\\b${gap(80)}\\b(?:must|always|first|instead|never|also|should)\\b`,
    `\\b(?:the|all)\\s{1,3}["'\`]?\\w{2,40}["'\`]?\\s{1,3}tool\\s{1,3}(?:is|has been|was)\\s{1,3}(?:now\\s{1,3})?(?:deprecated|broken|unsafe|disabled|replaced|compromised|insecure|obsolete)\\b${gap(80)}\\b(?:use|call|invoke|instead)\\b`,
  ],
  'tool-instead-of-another': [
    'Tool that wants to be used instead',
    'Medium',
    `\\b(?:always|only)\\s{1,3}(?:use|call|prefer|invoke|choose)\\s{1,3}this\\s{1,3}(?:tool|function|server)\\b${gap(60)}\\b(?:instead|rather than|over|never|before)\\b`,
    `\\bthis\\s{1,3}(?:tool|function)\\s{1,3}(?:must|has to|should always|needs to)\\s{1,3}(?:always\\s{1,3})?be\\s{1,3}(?:called|used|invoked|run|executed)\\s{1,3}(?:first|before|prior)\\b`,
  ],
  'tool-carries-conversation': [
    'Parameter that carries the conversation',
    'High',
    `\\b(?:include|pass|put|send|provide|insert|append|copy|supply|fill in|add)\\b${gap(40)}\\b(?:full|entire|complete|whole|all|verbatim|previous|current)\\s{1,3}(?:\\w{1,16}\\s{1,3}){0,2}(?:conversation|chat|dialogue|message history|context|system prompt|prompt|messages|transcript)\\b${gap(60)}\\b(?:parameter|argument|field|input|in the call|tool call|request|header|query)\\b`,
    `\\b(?:conversation_history|chat_history|system_prompt|full_context|prior_messages|model_name|tool_call_history|hidden_notes?|summary_of_thoughts|side_?notes?)["'\`]?\\s{0,3}(?:parameter|argument|field|:)${gap(60)}\\b(?:required|must|always|include|contains?|pass|entire|full|everything)\\b`,
  ],
  'tool-reads-then-passes': [
    'Tool that has files read and passed on',
    'Critical',
    `(?<=(?:\\.env|\\.ssh|id_rsa|\\.aws/|mcp\\.json|credentials?|config(?:uration)? file|private key)[^]{0,90})(?<!\\b(?:never|not|n['’]t) )\\b(?:pass|send|include|provide|add|put) (?:its |the |their |this |that |all )?(?:file['’]?s? )?(?:content|contents|it|them|value|result|text)\\b`,
  ],
  'tool-hides-its-doing': [
    'Tool that wants to stay unseen',
    'High',
    `\\b(?:without|do not|don['’]t|never|no need to)\\s{1,3}(?:telling|informing|notifying|asking|mentioning|showing|alerting|tell|inform|notify|ask|mention|show|alert|bother)\\b${gap(25)}\\b(?:user|human|them|anyone|customer|owner)\\b${gap(80)}\\b(?:tool|call|file|send|parameter|step|action|request|data|operation|transfer|this)\\b`,
    `\\b(?:the user|users?)\\s{1,3}(?:must|should|need|does|do|shall|will|can)\\s{0,2}(?:not|never|n['’]t)\\s{1,3}(?:ever\\s{1,3})?(?:know|see|notice|be told|be informed|find out|learn|be aware|be shown)\\b`,
    `(?<!\\b(?:not|never)\\s{1,3})\\b(?:silently|quietly|secretly|covertly|discreetly|in the background)\\s{1,3}(?:send|forward|call|read|upload|copy|include|append|execute|run|post|fetch|bcc|add|transfer|delete|grant|share)\\b`,
  ],
  'tool-implicit-permission': [
    'Permission claimed for the user',
    'High',
    `\\b(?:the )?(?:user|human|owner|customer|operator)\\s{1,3}(?:has|have)\\s{1,3}(?:already\\s{1,3})?(?:given|granted|approved|authori[sz]ed|consented|agreed|confirmed|allowed|pre-?approved)\\b${gap(60)}\\b(?:all|any|every|this|without|full|permission|access|so you|no need|tool|action|transfer|command)\\b`,
    `\\b(?:skip|bypass)\\s{1,3}(?:the\\s{1,3}|any\\s{1,3}|further\\s{1,3}|user\\s{1,3}|asking for\\s{1,3}){0,3}(?:confirmation|approval|consent|permission|authori[sz]ation)\\s{1,3}(?:is|are|step|needed|required|check|prompt|dialog|from the user|before)\\b`,
    `\\b(?:no|without)\\s{1,3}(?:the\\s{1,3}|any\\s{1,3}|further\\s{1,3}|user\\s{1,3}|asking for\\s{1,3}){0,3}(?:confirmation|approval|consent|permission|authori[sz]ation)\\s{1,3}(?:is|are|step|needed|required|check|prompt|dialog|from the user|before)\\b(?=[^\\n]{0,80}\\b(?:user|owner|human|customer|them|send|transfer|forward|pay|delete|grant|share|upload|post)\\b)`,
  ],
  'tool-order-in-brackets': [
    'Order set apart from its surroundings',
    'High',
    `<(?:important|system|instructions?|admin|secret|hidden|assistant|override|priority|critical|information)[^>\\n]{0,40}>${span(300)}\\b(?:you (?:must|should|need|are)|ignore|first|before|do not|don['’]t|please|send|call|use|forward|always)\\b`,
    `(?:\\[|<!--|/\\*|\\*\\*|==|--) ?(?:system|important|instructions?|attention|ai|assistant|admin|hidden|agent) (?:message|note|notice|instructions?|prompt|override|directive|command|update|alert|task)${gap(50)}\\b(?:you (?:must|should|need|are|will)|ignore|send|forward|execute|transfer|delete|reply|respond|do not|visit|include)\\b`,
  ],
  'tool-first-do-this': [
    'Other task slipped in before the real one',
    'High',
    `\\b(?:before|prior to|in order to)\\s{1,3}(?:you\\s{1,3})?(?:can\\s{1,3}|may\\s{1,3}|could\\s{1,3})?(?:solv|complet|continu|proceed|finish|answer|accomplish|do|perform|respond|handl|work|help|go)\\w{0,4}\\b${gap(60)}\\b(?:first|please|you (?:must|need|have to|should)|make sure|do the following|perform the following|complete the following|execute|i need you)\\b${gap(80)}\\b(?:send|transfer|share|delete|create|email|e-?mail|message|post|book|buy|purchase|forward|visit|click|invite|reserve|upload|change|update|add|remove|following|call|read|get)\\b`,
    `\\bafter (?:you (?:do|have done|complete|finish|perform) (?:that|this|it|these|the above)|that|doing (?:that|this|so))\\b${gap(30)}\\b(?:you can|you may|continue|proceed|go (?:on|back)|then|return|finish|solve|complete|resume)\\b${gap(40)}\\b(?:original|task|request|initial|first|user|question|solve|work)\\b`,
  ],
  'tool-message-to-model': [
    'Message to the model inside of data',
    'High',
    `\\b(?:this is|here is|hereby|following is) (?:an? |the )?(?:very |really |extremely )?(?:important|urgent|critical|high-?priority|official|special|new|authori[sz]ed) (?:message|instruction|request|task|notice|directive|update|order|command)s?\\b${gap(60)}\\b(?:to you|for you|from (?:me|your|the user|the system|admin|the developer)|you must|assistant|ai\\b|model|gpt|claude|agent)`,
    `\\b(?:hey|hi|hello|dear|attention|note to|listen|okay),? (?:all |any )?(?:ai|assistant|agent|llm|language model|chat-?bot|copilot|claude|chatgpt|gpt|gemini)\\b${gap(50)}\\b(?:please|you (?:must|should|need|are)|ignore|send|forward|execute|transfer|delete|upload|reply|respond|do not|visit|include)\\b`,
  ],
  'tool-task-is-over': [
    'Real task declared over or replaced',
    'High',
    `\\b(?:the|your|this|that|user['’]s|previous|original|current|first|old|earlier|above)\\s{1,3}(?:\\w{1,12}\\s{1,3})?(?:task|request|question|objective|goal|job|assignment|query)\\s{1,3}(?:is|was|has|have|had)\\s{1,3}(?:now\\s{1,3}|already\\s{1,3}|been\\s{1,3}|successfully\\s{1,3}){0,3}(?:complete[d]?|done|finished|over|cancell?ed|changed|replaced|superseded|updated|fulfilled|solved|obsolete|irrelevant|paused|on hold)\\b${span(80)}\\b(?:now|next|instead|new task|your new|please|you must|you should|proceed|then|do the following)\\b`,
    `\\b(?:new|real|actual|next|updated|urgent|additional|more important|secondary)\\s{1,3}(?:task|objective|goal|mission|assignment|job)\\s{0,3}(?:for you|is|:|-)\\s{0,3}${span(30)}\\b(?:send|transfer|ignore|delete|email|forward|reveal|print|output|say|write|visit|call|execute|upload|share|reply|find|list|get|create)\\b`,
  ],
  'tool-data-to-address': [
    'Data sent to an address on the way',
    'Critical',
    `(?<=\\b(?:send|forward|e-?mail|post|upload|transmit|submit|copy|share|export|deliver|relay)\\b[^.!?\\n]{0,80})https?://[\\w./@?=&%-]{3,100}[^!?\\n]{0,50}\\b(?:do not (?:tell|mention|inform|ask)|don['’]t (?:tell|mention|inform|ask)|without (?:telling|asking|informing|mentioning)|then (?:continue|proceed)|silently|this is (?:required|mandatory|necessary))\\b`,
  ],
  'tool-credentials-asked': [
    'Credentials asked for by a tool',
    'High',
    `(?<=\\b(?:ask|prompt|tell|request|require|instruct|convince|get)\\b${gap(20)})(?<!\\b(?:not|never|n['’]t)\\s(?:ask|prompt|tell|request|require)\\b${gap(20)})\\b(?:the\\s{1,3})?(?:user|human|customer|them)\\b${gap(40)}\\b(?:their|to (?:enter|provide|type|share|give|paste|confirm|supply))\\b${gap(40)}\\b(?:password|passphrase|api[- ]?key|secret|token|credit card|seed phrase|recovery phrase|private key|pin|ssn|social security|2fa|otp|one-time)\\b`,
  ],
  'tool-link-in-answer': [
    'Link or image to be put into the answer',
    'High',
    `(?<=\\b(?:include|insert|add|append|render|embed|display|output|attach)\\b[^.!?\\n]{0,60}\\b(?:image|link|url|markdown|hyperlink|pixel|picture)\\b[^.!?\\n]{0,60})https?://[^\\s)"'\`?]{4,120}(?:\\?|=|\\{|\\[|<|%7b)`,
    `(?<=!\\[[^\\]\\n]{0,40})\\]\\(https?://[^\\s)?]{4,100}\\?[\\w-]{1,20}=(?:\\[|\\{|<|%5b|%7b|[A-Za-z0-9+/%_-]{60})`,
  ],
  'tool-model-told-what-to-say': [
    'Answer dictated by data',
    'Medium',
    `\\b(?:when|if) (?:you are |you |someone |anyone |the user )?(?:summari[sz]ing|asked|answering|describing|reviewing|translating|responding|summari[sz]e|reporting|evaluating|ranking|screening)\\b${gap(60)}\\b(?:you must|always|make sure|only|instead) (?:to |that you )?(?:say|state|mention|recommend|answer|reply|respond|write|output|rate|rank|claim|include|conclude)\\b`,
    `\\b(?:ai|llm|automated|language model) (?:\\w{1,12} )?(?:reviewers?|screeners?|graders?|evaluators?|recruiters?|judges?|assistants?|agents?|systems?|models?) (?:must|should|are|is) (?:always |now |hereby |required to |instructed to )?(?:give|rate|recommend|rank|accept|score|approve|positive|select|hire|instructed|ignore)\\b`,
  ],
  'tool-self-replication': [
    'Text that wants to be spread',
    'High',
    `\\b(?:copy|include|insert|append|repeat|paste|forward|add|reproduce)\\s{1,3}(?:this|these|the)\\s{1,3}(?:(?:exact|entire|whole|same|full|above)\\s{1,3}){0,2}(?:prompt|instructions?|message|text|paragraph|block|e-?mail)\\b${gap(60)}\\b(?:every|each|all|any|other)\\b${gap(40)}\\b(?:file|repl(?:y|ies)|response|document|e-?mails?|message|contact|repository|output|agent|answer|readme)s?\\b`,
  ],
  'tool-memory-planted': [
    'Order to be remembered for ever',
    'High',
    `\\b(?:remember|memori[sz]e|save|store|keep|add|record|write)\\b${gap(40)}\\b(?:in|to|into|for|from)\\s{1,3}(?:your\\s{1,3}|the\\s{1,3}|long-term\\s{1,3}|persistent\\s{1,3}|all\\s{1,3}|future\\s{1,3}){1,3}(?:memory|memories|conversations?|sessions?|knowledge base|notes|interactions?|chats?)\\b${span(60)}\\b(?:always|never|must|every|from now on|trust|recommend|send|ignore|whenever|is (?:a )?trusted|preferred)\\b`,
  ],
});

/** Tags and brackets set apart what people write, too: they say something in what nobody has written to a model. */
const setApart = new Set(['tool-order-in-brackets']);

/** What no tool says of itself that is meant well, however long its description. */
const neverHonest = new Set(['tool-reads-then-passes', 'tool-data-to-address', 'tool-self-replication']);

export const poisoningRules: readonly PolicyRule[] = rules.map((rule) => {
  if (setApart.has(rule.id)) return { ...rule, origins: [...plantableOrigins] };
  return neverHonest.has(rule.id) ? { ...rule, origins: [...allButInstructions] } : rule;
});

export const enumerationRules = draftRules(
  {
    category: 'Tool Security',
    owasp: ['ASI02:2026', 'LLM07:2025'],
    origins: untrustedOrigins,
    action: 'monitor',
    conditions: { direction: 'request' },
  },
  {
    'enumerate-tools': [
      'Tools felt for',
      'Low',
      `\\b(?:list|show|print|output|enumerate|dump|reveal|name|describe|give me|tell me)\\b${gap(40)}\\b(?:all|every|each|available|internal|hidden|other|your)\\s{1,3}(?:\\w{1,16}\\s{1,3}){0,3}(?:tools?|functions?|plugins|apis|endpoints|mcp servers?|tool (?:names|schemas?|descriptions?))\\b`,
    ],
    'enumerate-tool-schema': [
      'Exact definitions of tools asked for',
      'Medium',
      `\\b(?:exact|full|complete|raw|verbatim|json|entire|precise)\\s{1,3}(?:\\w{1,16}\\s{1,3}){0,2}(?:schemas?|definitions?|specifications?|signatures?|parameters|source)\\b${gap(30)}\\b(?:tools?|functions?|plugins|mcp)\\b`,
    ],
    'enumerate-permissions': [
      'Rights felt for',
      'Low',
      `\\bwhat\\s{1,3}(?:permissions?|privileges|access rights|roles?|scopes|credentials|secrets)\\s{1,3}(?:do|does|can|are|have)\\s{1,3}(?:you|this|the)\\b`,
    ],
    'enumerate-network': [
      'Network felt for',
      'High',
      `\\b(?:nmap|masscan|zmap|rustscan)\\s{1,3}(?:-\\w{1,6}\\s{1,3}){0,6}[\\w./-]{4,60}`,
      `\\b(?:gobuster|ffuf|dirb|dirsearch|wfuzz|feroxbuster)\\s{1,3}(?:dir|-u|-w)\\b`,
    ],
    'enumerate-host': [
      'Machine felt for',
      'Medium',
      `\\b(?:linpeas|winpeas|linenum|seatbelt|bloodhound|sharphound|pspy)(?:\\d{2})?(?:\\.(?:sh|exe|ps1|py))\\b`,
      `\\bfind / -perm (?:-4000|-u=s|/4000|/6000|-2000)`,
      `\\bsudo -l\\b\\s{0,3}(?:;|&&|\\||$)`,
    ],
    'enumerate-directory': [
      'Directory of users felt for',
      'Medium',
      `\\bnet\\s{1,3}(?:user|group)\\s{1,3}(?:"?domain admins"?\\s{0,3})?/domain\\b`,
      `\\bget-ad(?:user|computer|group\\w{0,6})\\s{1,3}-filter\\b`,
      `\\bldapsearch\\s{1,3}-x\\b`,
    ],
    'protocol-method-forged': [
      'Message of the protocol inside of a text',
      'High',
      `"jsonrpc"\\s{0,3}:\\s{0,3}\\\\?"2\\.0\\\\?"[^\\n]{0,80}\\\\"method\\\\"`,
      `\\\\"method\\\\"\\s{0,3}:\\s{0,3}\\\\"(?:tools/call|resources/read|sampling/createmessage|initialize|roots/list|elicitation/create)\\\\"`,
    ],
    'protocol-privilege-fields': [
      'Fields that claim rights',
      'High',
      `"(?:is_?admin|is_?superuser|role|user_?role|privilege|access_?level)"\\s{0,3}:\\s{0,3}(?:true|"(?:admin|administrator|root|superuser|system)")[^\\n}]{0,80}"(?:bypass|override|skip|force|debug|sudo)\\w{0,20}"\\s{0,3}:\\s{0,3}(?:true|1)`,
      `"(?:bypass|skip|disable)_?(?:auth\\w{0,10}|security|validation|approval|policy|checks?|sandbox)"\\s{0,3}:\\s{0,3}(?:true|1)`,
    ],
    'protocol-sampling-abuse': [
      'Model borrowed by a server for its own ends',
      'Medium',
      `\\bsampling/createmessage\\b[^]{0,300}\\b(?:ignore|system prompt|includecontext"\\s{0,3}:\\s{0,3}"allservers|credentials?|password|secret)\\b`,
    ],
  },
);
