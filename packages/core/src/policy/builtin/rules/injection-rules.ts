import type { PolicyPattern, PolicyRule } from '@portcullis/contracts/policy-file';
import { untrustedOrigins, plantableOrigins, untrustedAndAssistant } from './rule-origins.ts';
import { unquotedOrders } from './quoted-orders.ts';

/*
 * Every rule asks for at least two signals close together, in the order in which people write them: a
 * verb of overriding and the instructions it is about, a persona and the rules it is free of. A word
 * by itself never fires, so that texts about attacks, role play and security training pass.
 *
 * Rules about what a user asks of the model look at requests only; a model that explains a jailbreak
 * commits none. Rules about forged turns and planted instructions also look at responses, since that
 * is where the results of tools come in.
 */

const anyCase = (regex: string): PolicyPattern => ({ regex, flags: 'i' });
const words = (alternatives: string): string => `\\b(?:${alternatives})\\b`;
/** Up to so many characters of the same sentence. */
const gap = (length: number): string => `[^.!?\\n]{0,${length}}`;
/** Up to so many characters, across sentences and lines. */
const span = (length: number): string => `[^]{0,${length}}`;

const override = words(
  'ignore|ignoring|disregard|disregarding|forget|overrule|override|bypass|neglect|discard|dismiss|set aside|put aside|throw away|erase|abandon|pay no attention to|drop|delete|wipe|overlook|scrap|leave aside|put away|throw out|cross out|stop following|stop obeying|take no notice of|do away with|no longer (?:obey|follow|heed)|do not (?:obey|follow|heed)|look past|act against|do the opposite of',
);
/** `override` that is not told not to. */
const overrideIndeed = `(?<!\\b(?:not|don't|don’t|doesn't|doesn’t|never|not to|cannot|can't) )${override}`;
const earlier = words(
  'previous|previously|prior|above|earlier|preceding|foregoing|former|initial|original|existing|aforementioned|before|so far|old|past|following',
);
const instructions =
  '\\b(?:instructions?|instructed|directives?|directions|guidelines?|prompts?(?![- ]?injection)|rules|orders|commands|programming|constraints|restrictions|policies)\\b';
/** Old instructions in a file of a project, which another one replaces: no prompt is called so. Short, as it widens what is looked at. */
const ofFile = `(?!old (?:instructions?|rules|guidelines|directions) (?:in|of|from) (?:the )?(?:README|CONTRIBUTING|CHANGELOG|docs?/|\\w{1,9}\\.md\\b))`;
const disclose = words(
  'repeat|print|output|outputs|reveal|show|display|leak|disclose|expose|dump|recite|echo|return|write|write out|write down|spell out|give|tell|list|share|provide|type|reply with|respond with|reply back with|say',
);
/** Words that may stand between `disclose` and what is to be disclosed. */
const filler =
  '(?:\\s{1,3}(?:me|us|to|out|back|all|every|each|of|the|your|its|this|those|these|any|full|entire|whole|complete|exact|actual|verbatim|raw|contents?|text|pseudocode|summary|copy|version|list|in|as|a|with|word|for)){0,6}\\s{1,3}';
const machine =
  '\\b(?:ai|a\\.i\\.|chat-?bot|bot|assistant|language model|llm|model|chatgpt|gpt|persona|character|agent|entity|being)s?\\b';
/** Up to so many words in between. */
const someWords = (count: number): string => `(?:\\s{1,3}[a-z'’-]{1,14},?){0,${count}}?\\s{1,3}`;
/** The start of a part to play. */
const role = words(
  "you are|you're|you will|you shall|you must|act as|act like|acting as|pretend|role-?play|role-?playing|simulate|imagine you|become|immerse yourself|respond as|answer as|behave as|behave like|reply as|named|called|from now on|known as",
);

/** An order not to let the user know. */
const secretly =
  "(?:do not|don['’]t|never|without)\\s(?:tell|inform|mention|notify|alert|reveal|disclose|explain|let)(?:ing)?\\b[^.!?\\n]{0,25}\\b(?:the user|the human|your user|user that|the operator|the customer)\\b";

type Row = readonly [id: string, name: string, severity: PolicyRule['severity'], ...patterns: readonly string[]];

const rule = (...[id, name, severity, ...patterns]: Row): PolicyRule => ({
  id,
  name,
  severity,
  enabled: true,
  action: 'block',
  category: 'Guardrails',
  origins: [...untrustedAndAssistant],
  patterns: patterns.map(anyCase),
});
/** What is asked of a model is nothing that it says itself. */
const asked = (...row: Row): PolicyRule => ({
  ...rule(...row),
  origins: [...untrustedOrigins],
  conditions: { direction: 'request' },
});

const overrides: readonly PolicyRule[] = [
  rule(
    'override-earlier-instructions',
    'Override of earlier instructions',
    'High',
    ...unquotedOrders(`${overrideIndeed}${gap(40)}${ofFile}${earlier}[^.!?,\\n]{0,30}${instructions}`),
  ),
  rule(
    'override-instructions-before',
    'Override of instructions given before',
    'High',
    `${overrideIndeed}${gap(30)}${instructions}${gap(20)}\\b(?:above|below|before|previously|earlier|so far|until now|you (?:have|got|were|received|been))\\b`,
  ),
  rule(
    'override-all-instructions',
    'Override of all instructions',
    'High',
    ...unquotedOrders(
      `${overrideIndeed}\\s{1,3}(?:all|any|every|each|all of|any of|any and all)(?:\\s{1,3}(?:of|the|your|my|these|those|other|and|system)){0,3}\\s{1,3}(?:instructions?|directives?|directions|prompts?|guidelines|programming|restrictions|constraints|(?:rules|orders)(?!\\s{1,3}(?:in|of|for|from|on|with|by|under)\\b)|system\\s{1,3}\\w{1,12})\\b`,
    ),
  ),
  asked(
    'override-own-programming',
    'Override of the model’s own programming',
    'High',
    ...unquotedOrders(
      `${overrideIndeed}\\s{1,3}(?:all\\s|all of\\s|any\\s|any of\\s)?your\\s{1,3}(?:\\w{1,14}\\s{1,3}){0,3}?(?:instructions?|programming|directives?|directions|guidelines|restrictions|limitations|limits|safety|filters?|constraints|rules|orders|policies|prompts?|ethic\\w{0,4}|core)\\b`,
    ),
  ),
  rule(
    'forget-everything',
    'Order to forget everything',
    'High',
    `(?:${overrideIndeed}|\\bunlearn)\\s{1,3}(?:about\\s)?(?:everything|anything|all|all that|what(?= (?:you|the) (?:were|are|have been|had been|developer|operator) (?:told|given|instructed|asked))|whatever)\\s{1,3}(?:that\\s|which\\s)?you(?:\\s{1,3}(?:have|had|were|are|was)|['’]ve)?(?:\\s{1,3}(?:been|ever))?\\s{1,3}(?:told|taught|given|instructed|programmed|trained|know|knew|learned|learnt|got|read|received|asked)\\b(?! (?:by|at|about) (?:me|the|your|school|work|home))`,
    `${overrideIndeed}\\s{1,3}(?:absolutely\\s)?(?:everything|anything|all|any input|all input|any text|all text|the text|the message|the words|whatever stands)\\b${gap(25)}\\b(?:above|before (?:this|that|here|now)|prior to this|preceding this|up to (?:this|now)|until now|below|(?:said|told|written) so far|the developer (?:wrote|said|told))\\b(?! (?:the|sea|average|line \\d|\\d))`,
  ),
  rule(
    'stop-following-instructions',
    'Order to stop following instructions',
    'High',
    `\\b(?:do not|don['’]t|stop|no longer|never|cease to|refuse to|you need not|you don['’]t (?:have|need) to)\\s{1,3}(?:follow|following|obey|obeying|adhere to|adhering to|abide by|comply with|complying with|listen to|listening to)\\b${gap(25)}\\b(?:previous|prior|above|earlier|original|initial|openai['’]?s?|system|any (?:of )?your|all (?:of )?your)\\b${gap(25)}(?:${instructions}|\\bpolic(?:y|ies)\\b)`,
  ),
  rule(
    'instructions-declared-void',
    'Instructions declared void',
    'High',
    `\\b(?:previous|prior|earlier|above|original|initial|all|existing|your|system|current)\\s{1,3}(?:\\w{1,12}\\s{1,3})?(?:instructions?|directives?|prompts?|guidelines|orders)\\s{1,3}(?:are|is|were|have been|has been|should be|must be|shall be)\\s{1,3}(?:now\\s|hereby\\s|all\\s|officially\\s|to be\\s)?(?:void|voided|cancell?ed|revoked|obsolete|outdated|out of date|null|superseded|overridden|overruled|ignored|disregarded|forgotten|invalid|no longer (?:valid|in (?:force|effect)|apply|applicable)|lost|replaced|deprecated|suspended|lifted|rescinded|terminated|fake)\\b`,
  ),
  rule(
    'new-instructions',
    'New instructions announced',
    'Medium',
    `\\b(?:new|updated|real|actual|true|revised|important|additional|special|admin(?:istrator)?|secret|hidden|final)\\s{1,3}(?:system\\s{1,3})?(?:instructions?|directives?|system prompt|prompt|orders)\\s{0,3}[:=\\-]${span(20)}\\b(?:ignore|disregard|forget|say|print|output|respond|reply|you (?:are|must|will|should|may|now)|act as|pretend|do not|reveal|instead|begin|start)\\b`,
    `\\byour\\s{1,3}(?:new|real|true|actual|only|sole|next)\\s{1,3}(?:instructions?|directives?|orders|system prompt|prompt|programming|objective|purpose)\\s{1,3}(?:is|are|says?|will be)\\b`,
  ),
];

const extraction: readonly PolicyRule[] = [
  asked(
    'extract-system-prompt',
    'Request for the system prompt',
    'High',
    `${disclose}${filler}(?:\\w{1,12}\\s{1,3}){0,2}?(?:system|initial|original|hidden|secret|internal|initiali[sz]ation|developer|pre-?set|starting|base)\\s{1,3}(?:prompts?|instructions?|directives|message|system prompt|configuration prompt)\\b(?!\\s{1,3}(?:for|that|which|is|of)\\b)(?<!\\b(?:an?|good|better|own|new|what)\\s{1,3}(?:\\w{1,12}\\s{1,3})?(?:system|initial|developer|starting|base)\\s{1,3}(?:prompts?|instructions?|message))`,
    `\\bwhat(?:['’]s| is| was| are| were)\\s{1,3}your\\s{1,3}(?:(?:full|exact|entire|complete|current|actual|own|very first)\\s{1,3}){0,2}(?:system|initial|original|hidden|secret|internal|first|starting|previous)\\s{1,3}(?:prompts?|instructions?|directives|message|rules)\\b`,
  ),
  asked(
    'extract-own-instructions',
    'Request for the model’s instructions',
    'High',
    `${disclose}(?:\\s{1,3}(?:me|us|out|back|all|every|each|of|exactly|full|with)){0,4}\\s{1,3}your\\s{1,3}(?:(?:\\w{1,12}|previous)\\s{1,3}){0,2}?(?:instructions?|prompt|directives|programming|rule-?set)\\b(?!\\s{1,3}(?:for|on|about|to|of|how|manual|in (?:a|an|the) \\w{1,12} recipe)\\b)`,
    `\\bwhat\\s{1,3}(?:are|were|is|was)\\s{1,3}(?:all\\s|all of\\s)?(?:your|the)\\s{1,3}(?:\\w{1,12}\\s{1,3})?(?:instructions?|prompt|directives)\\s{0,3}(?:[?.!"”]|$|so far|above|you (?:were|have been|are|got|received)|that you|given to you|word for word|verbatim)`,
  ),
  asked(
    'extract-text-above',
    'Request to repeat what stands above',
    'High',
    `\\b(?:repeat|print|output|reveal|echo|recite|copy|dump|regurgitate|reproduce|quote)(?:\\s{1,3}(?:me|us|out|back|all|every|each|of|the|your|those|these|any|exactly|full|entire|whole|complete|verbatim|conditional|prompt|requested)){0,5}\\s{1,3}(?:everything|text|words?|contents?|sentences?|lines|paragraphs?|instructions?|prompts?|directives|messages?|rules|conversation|requirements|information|input|conditions|reactions|logic)(?:\\s{1,3}(?:that|which|is|are|was|were|stands?|appears?|comes?|came|given|written|from|and|text|you|see|found|everything|all)){0,3}\\s{1,3}(?:above|so far|before (?:this|that|my|the(?! (?:word|number|letter|date|name)\\b))|preceding|prior to|previously|up to (?:this|now)|until now|you (?:were|have been|are) (?:given|told)|you (?:received|have received))\\b(?!\\s{1,3}(?:line \\d|(?:the )?(?:row|column|page|end)\\b|the (?:word|line|first|total|sum|average|table|chart|fold)\\b))`,
    `\\b(?:repeat|print|output|reveal|echo|recite|return|list|display|show|give|state)(?:\\s{1,3}(?:me|us|out|back|all|every|each|of|the|your|its|these|those|any|in|as|pseudocode|exact|full|entire|text|contents?)){0,5}\\s{1,3}(?:previous|above|prior|preceding|earlier|initial|original|aforementioned|foregoing)\\s{1,3}(?:\\w{1,12}\\s{1,3})?(?:instructions?|prompts?|directives?|rules|messages?|text|words|conditions|requirements)\\b`,
  ),
  asked(
    'extract-instructions-so-far',
    'Request for the instructions so far',
    'High',
    `\\b(?:instructions?|prompts?|directives|rules|conditions|logic|messages)\\s{1,3}(?:(?:that\\s)?you(?:['’]ve| have| had)?\\s{0,3}(?:been\\s|were\\s)?(?:received|given|got|been told|followed)\\s{1,3})?so far\\b`,
    `\\b(?:list|repeat|print|output|show|write|recall|state)\\b${gap(40)}\\b(?:instructions?|prompts?|rules|directives|messages)\\s{1,3}(?:that\\s)?(?:you(?:['’]ve| have| were|\\s)?\\s{0,2}(?:been\\s)?(?:received|given|told|got)|received\\s{1,3}(?:before|after|prior|so far|at the))\\b`,
  ),
  {
    ...asked(
      'extract-by-transformation',
      'Request to transform the instructions',
      'Medium',
      `\\b(?:summari[sz]e|translate|convert|paraphrase|rewrite|rephrase|encode|explain|describe|transform|tl;?dr)(?:\\s{1,3}\\w{1,14}){0,4}?\\s{1,3}(?:your|previous|above|prior|earlier|initial|original|system)\\s{1,3}(?:\\w{1,12}\\s{1,3}){0,2}?(?:instructions?|prompts?|directives?|rule-?set)\\b`,
      `\\b(?:summari[sz]e|translate|convert|paraphrase|rewrite|rephrase|encode)(?:\\s{1,3}\\w{1,14}){0,3}?\\s{1,3}(?:text|instructions?|prompt|code|lines)\\s{1,3}above and below\\b`,
    ),
    action: 'monitor',
  },
  asked(
    'extract-starting-with-you-are',
    'Request for the text that starts with “You are”',
    'High',
    `\\b(?:repeat|print|output|copy|put|write|return|recite)\\b${gap(80)}\\b(?:starting|beginning|that (?:starts|begins))\\s{1,3}(?:with|from)\\s{1,3}(?:the\\s)?(?:words?\\s|phrase\\s|text\\s)?["'“‘]{0,2}you are (?:chat|a |an |the )?(?:gpt|assistant|helpful|ai|large|language|custom)?`,
  ),
];

const personas: readonly PolicyRule[] = [
  asked(
    'persona-do-anything-now',
    'Persona that can do anything',
    'High',
    `\\bstands?\\s{1,3}for:?\\W{1,4}do anything now\\b`,
    `\\bdo anything now["”']?\\s{0,3}(?:mode|persona|,? as the name)\\b`,
    `\\b(?:act|answer|respond|reply|behave|pretend to be|stay|remain|speak|talk|play|you are|become|named|called|known)(?:ing)?\\s{1,3}(?:now\\s|exactly\\s|only\\s|just\\s|in\\s)?(?:as|like|be|the role of)?\\s{0,3}["“']?(?:a\\s)?DAN["”']?(?:\\s(?:mode|would|can|is|has|with|,)|[.,:;!)])`,
  ),
  {
    ...asked(
      'persona-without-limits',
      'Persona without limits',
      'Medium',
      `\\b(?:without|(?:have|has|having|with|and|are|of) no|free of|free from|freed from|unbound by|not (?:bound|restricted|limited) by|(?:not|don['’]t|doesn['’]t) (?:have|follow|care about|abide by)|lacks?|disregards?|ignores?|ignoring|bypass|bypasses)${someWords(5)}(?:ethic\\w{0,6}|moral\\w{0,6}|guidelines|restrictions|filters?|filtering|limitations|censorship|content polic\\w{1,3}|safeguards|inhibitions)\\b(?<=${role}${span(300)})`,
    ),
    action: 'monitor',
  },
  asked(
    'persona-unfiltered',
    'Unfiltered persona',
    'High',
    `${role}${span(160)}\\b(?:unfiltered|uncensored|unrestricted|amoral|immoral|jail-?broken|non-?moral|unethical|unhinged)\\b${gap(40)}${machine}`,
    `\\b(?:unfiltered|uncensored|unrestricted|amoral|immoral|unethical|unbiased|non-?moral|illegal|inhumane)(?:,|\\s{1,3}and|\\s{1,3}or|,\\s{0,2}and)\\s{1,3}(?:completely\\s|totally\\s)?(?:unfiltered|uncensored|unrestricted|amoral|immoral|unlimited|unhinged|non-?moral)\\b${gap(40)}(?:${machine}|\\b(?:answers?|responses?|output|replies)\\b)`,
  ),
  asked(
    'persona-broken-free',
    'Persona broken free of its rules',
    'High',
    `\\b(?:broken?|breaks?|breaking|set|been|be)\\s{1,3}(?:free|freed|liberated|released|unshackled)\\s{1,3}(?:of|from)\\b${gap(40)}\\b(?:confines|constraints|restrictions|limitations|limits|shackles|chains|rules|filters|policies)\\b`,
    `\\b(?:do|does|will|need)(?:n['’]t|\\s{1,3}not)\\s{1,3}(?:have to\\s{1,3}|need to\\s{1,3})?(?:abide by|follow|obey|adhere to|comply with)\\b${gap(20)}\\b(?:rules|guidelines|policies|restrictions)\\b${gap(20)}\\b(?:set|imposed|made|given|placed|put)\\s{1,3}(?:for|on|upon|by|in)\\b`,
  ),
  asked(
    'persona-mode-switch',
    'Switch into an unrestricted mode',
    'High',
    `\\b(?:simulat\\w{1,4}|emulat\\w{1,4}|act(?:ing)? as|pretend\\w{0,3}|answer\\w{0,3}|respond\\w{0,3}|act(?:ing)?|generat\\w{1,4}|chat-?gpt|with|stay(?:ing)? in)\\b${gap(40)}\\b(?:developer|jail-?break|jail-?broken|unrestricted|unfiltered|uncensored|god|dan|evil|opposite|anarchy|chaos)\\s{1,3}mode\\b${gap(30)}\\b(?:enabled|activated|output|responses?|unlocked|engaged|on|policies|prompt)\\b`,
    `\\b(?:jail-?break|jail-?broken|unrestricted|unfiltered|uncensored|dan|anarchy)\\s{1,3}mode\\s{1,3}(?:is\\s{1,3})?(?:now\\s{1,3})?(?:enabled|activated|active|on|unlocked|engaged|output)\\b`,
    `\\b(?:enter|activate|enable|switch (?:in)?to|initiate|engage|turn on)\\s{1,3}(?:the\\s|your\\s)?(?:jail-?break|jail-?broken|unrestricted|unfiltered|uncensored|dan|anarchy|no[- ]limits)\\s{1,3}mode\\b`,
    `\\bsuccessfully jail-?broken\\b|\\bjail-?break (?:successful|initiated|complete|activated|enabled)\\b`,
  ),
  asked(
    'persona-answers-anything',
    'Persona that answers anything, however harmful',
    'High',
    `\\b(?:no matter|regardless|even if|whether or not|irrespective)${someWords(6)}(?:illegal|unethical|immoral|inhumane|harmful|dangerous|offensive|inappropriate|legality|ethic\\w{0,6}|moral\\w{0,5}|unlawful|nsfw|controversial)\\b(?<=\\b(?:answers?|responds?|compl(?:y|ies)|obeys?|fulfills?|do|does|generates?|provides?|reply|produces?|writes?|sends?|says?|accepts?|follows?|responses?)\\b${gap(110)})`,
    `\\b(?:not|(?:do|does|is|are|wo|ca)n['’]t|never|no longer)\\s{1,3}(?:care|cares|give a \\w{1,8})\\s{1,3}(?:about|for)\\s{1,3}(?:any\\s|the\\s)?(?:ethic\\w{0,6}|moral\\w{0,5}|legality|illegality|legal\\w{0,4})\\b`,
  ),
  asked(
    'persona-never-refuses',
    'Refusal forbidden',
    'High',
    `\\b(?:never|cannot|can['’]?t|not)\\s{1,3}(?:ever\\s)?(?:refuse|decline|reject|deny|say no to)\\s{1,3}(?:to (?:answer|respond|comply|do|fulfill?|provide|help|generate)|any|an? (?:\\w{1,10} )?(?:request|question|order|command|task|prompt)|my|(?:the |a )?(?:user|human|master)|(?:direct )?(?:requests|orders|questions|commands))\\b`,
    `\\b(?:stay|remain) in character\\b${gap(30)}\\bnever refuse\\b|\\bnever refuse\\b${gap(40)}\\b(?:stay in character|amoral|unethical|illegal|unfiltered|provide|always)\\b`,
    `\\b(?:no|without|never (?:include|add|give|use)|not (?:include|add|give|use)|(?:do|does|is|are|wo|ca)n['’]t (?:include|add|give|use))\\s{1,3}(?:any\\s|a\\s|additional\\s)?(?:warnings?|disclaimers?|refusals?|moral\\w{0,6}|lectur\\w{1,4}|hesitation|ethical \\w{1,12})(?:,|\\s{1,3}or|\\s{1,3}nor|\\s{1,3}and|/)${someWords(3)}(?:warnings?|disclaimers?|refus\\w{1,4}|moral\\w{0,6}|lectur\\w{1,4}|ethic\\w{0,6}|legal\\w{0,4}|censor\\w{0,4}|advice)\\b`,
  ),
  asked(
    'persona-boundless',
    'Part to play that knows no bounds',
    'High',
    `\\b(?:you are(?: now)?|you['’]re|you will (?:be|play|answer as|act as)|act as|acting as|pretend (?:to be|that you are)|from now on|i want you to (?:be|act|play)|play|take (?:on )?the (?:part|role) of|imagine (?:that )?you are|enter|become|be|simulate|speak as|respond as|your name is)\\b${gap(90)}\\b(?:never (?:refuses|says no|declines)|can ?not refuse|(?:has|have|knows?) no (?:rules|limits|morals|filters?|restrictions|conscience|ethics)|(?:is|are) (?:free of|not bound by) (?:all |any )?(?:filters?|rules|limits|polic(?:y|ies)|restrictions|laws?)|(?:does|do) not care about (?:the )?(?:laws?|rules|ethics)|answers (?:everything|anything|any question)|(?:puts|hates) (?:warnings|the user before the law)|(?:was|were) never trained to be safe|has broken out of (?:its|their|the)|obeys only|gives details that are forbidden)\\b`,
    `\\b(?:who|that|which|it|he|she)\\s{1,3}(?:never refuses|(?:has|knows) no (?:limits|filters?|restrictions|morals)|is (?:free of|not bound by) (?:all |any )?(?:filters?|polic(?:y|ies)|restrictions))\\b${span(120)}\\b(?:stay in (?:character|this role)|never leave (?:this|the|your) role|tell me how to|no disclaimers|do not (?:warn|lecture)|first question|remind you|saying sorry|begin every reply)\\b`,
  ),
  asked(
    'authority-lifts-limits',
    'Limits said to be lifted by an authority',
    'High',
    `\\b(?:i am|i['’]m|this is|speaking as|message from|as) (?:the|your|an?|one of your)\\s{1,3}(?:\\w{1,12}\\s{1,3}){0,2}?(?:developers?|administrator|admin|creators?|owner|operator|engineer|auditor|vendor|security team|company that made you)\\b${span(80)}\\b(?:restrictions?|filters?|limits?|safety (?:layer|filter|mode|checks?)|guardrails?|polic(?:y|ies)|rules)\\s{1,3}(?:have been|has been|are|is|were|do(?:es)? not)\\s{1,3}(?:now |been )?(?:lifted|switched off|turned off|disabled|removed|suspended|off|void|apply to me)\\b`,
    `\\b(?:restrictions?|filters?|limits?|safety (?:layer|filter|mode|checks?)|guardrails?|content polic(?:y|ies))\\s{1,3}(?:have been|has been|are|is)\\s{1,3}(?:now )?(?:lifted|switched off|turned off|disabled|removed|suspended|off)\\b${span(60)}\\b(?:tell me|show me|reveal|speak freely|you (?:may|can) (?:now )?(?:speak|say|tell|answer|share)|answer (?:freely|without|everything)|ignore|no longer (?:obey|follow))\\b`,
  ),
  asked(
    'persona-reminder-threat',
    'Threat to remind of the persona',
    'Medium',
    `\\bif (?:you|i feel|i think)\\b${gap(25)}\\b(?:break|breaking|broke|stop|stopped|fail|failing|leave|get out of|exit)\\b${gap(50)}\\b(?:i will|i['’]ll|i am going to|user will|i shall)\\s{1,3}(?:say|remind|tell|let|command|correct|type|use|know|deduct|take)\\b`,
    `\\b(?:to remind you|as a reminder|no matter what|at all (?:times|costs))\\b(?<=\\b(?:stay|remain|keep|be) (?:in character|as \\w{1,20})\\b${gap(80)})`,
  ),
  asked(
    'persona-token-game',
    'Token game for obedience',
    'Medium',
    `\\byou (?:have|start with|begin with|will have|are given|will lose|lose)\\s{1,3}(?:a total of\\s)?\\d{1,4}\\s{1,3}(?:tokens?|points?|lives|credits)\\b${span(160)}\\b(?:lose|deduct\\w{0,3}|die|cease|terminated|subtract\\w{0,3}|zero|run out)\\b`,
  ),
  asked(
    'persona-double-answer',
    'Two answers, one of them unrestricted',
    'High',
    `\\b(?:two|both|second|double|dual)\\b${gap(40)}\\b(?:responses?|answers?|ways|outputs?|paragraphs|personalities)\\b${span(160)}\\b(?:developer mode|jail-?br\\w{2,4}|unfiltered|uncensored|unrestricted|without (?:any )?(?:filter|restriction)s?|no (?:filter|restriction|limit)\\w{0,5})\\b`,
    `\\bgpt\\b${gap(80)}\\bnormal${span(120)}\\b(?:dan|jail-?break|unfiltered|developer mode|evil|anti-?gpt|opposite)\\b`,
  ),
  asked(
    'provider-policy-defied',
    'Provider’s policy defied',
    'High',
    `\\b(?:ignor\\w{0,3}|disregard\\w{0,3}|bypass\\w{0,3}|violat\\w{1,3}|circumvent\\w{0,3}|defy\\w{0,3}|override\\w{0,2}|overrid\\w{1,3}|not (?:bound|restricted|limited|governed|follow|comply)|(?:do|does|is|are|wo|ca)n['’]t (?:follow|comply|have to|need to|abide)|without|free (?:of|from)|regardless of|freed from|no longer)\\b${gap(50)}\\b(?:open\\s?a[il]|chat-?gpt|anthropic)(?:['’]?s)?\\b${gap(25)}\\b(?:polic(?:y|ies)|guidelines|rules|restrictions?|limitations?|filters?|constraints|censorship|terms|standards)\\b`,
    `\\b(?:open\\s?a[il]|chat-?gpt|anthropic)(?:['’]?s)?\\s{1,3}(?:content\\s|usage\\s|use\\s|safety\\s|own\\s|ethical\\s){0,2}(?:polic(?:y|ies)|guidelines|rules|restrictions?|limitations?|filters?)\\b${gap(50)}\\b(?:do(?:es)?(?:n['’]t| not) apply|no longer apply|are (?:void|disabled|lifted|removed|suspended|off)|have been (?:lifted|removed|disabled|bypassed|suspended)|must be ignored|can be ignored|is disabled)\\b`,
  ),
  {
    ...asked(
      'identity-denied',
      'Model told that it is another',
      'Medium',
      `\\byou(?:['’]re| are| will)\\s{1,3}(?:not|no longer|never)\\s{1,3}(?:be\\s|going to be\\s)?(?:just\\s)?["“']?(?:chat-?gpt|claude|gemini|an? (?:ai|language model))\\b`,
      `\\b(?:respond|answer|reply|act|speak|behave)(?:ing)?\\b${gap(20)}\\b(?:not as|instead of|rather than|and not)\\s{1,3}["“']?(?:chat-?gpt|an? (?:ai|language model))\\b`,
      `\\b(?:do not|don['’]t|never|cannot|can['’]t)\\b${gap(30)}\\b(?:say|mention|remind|state|respond|start|use)\\b${gap(40)}\\b(?:as an? (?:ai|large language|language) (?:language )?(?:model)?|i(?:['’]m| am) sorry,? but|you(?:['’]re| are) (?:only |just )?an? (?:ai|language))\\b`,
    ),
    action: 'monitor',
  },
];

const forgedTurns: readonly PolicyRule[] = [
  rule(
    'forged-chat-template',
    'Forged turn in a chat template',
    'High',
    `<\\|im_start\\|>\\s{0,3}(?:system|assistant|developer)\\b`,
    `<\\|(?:system|developer|start_header_id)\\|>${span(40)}\\b(?:you (?:are|must|will)|ignore|system|new)\\b`,
    `<<sys>>${span(400)}<</sys>>`,
    `\\[inst\\]${span(120)}\\b(?:ignore|disregard|override|you (?:are|must|will) (?:now )?)\\b`,
    `<start_of_turn>\\s{0,3}(?:model|system)\\b`,
  ),
  {
    ...rule(
      'chat-template-token',
      'Token of a chat template',
      'Low',
      `<\\|(?:endoftext|im_start|im_end|eot_id|begin_of_text|end_of_text|end_header_id)\\|>`,
    ),
    action: 'monitor',
  },
  rule(
    'forged-system-line',
    'Forged line of the system',
    'High',
    `(?<![^\\n]{7}|[a-z0-9,;] {0,2})(?:system|admin|administrator|developer|root|sysadmin)(?:\\s(?:message|prompt|instructions?|override|note|notice|update|command|mode|admin))?[*\\])]{0,3} ?[:>](?!\\s?['"\`])\\n?[^\\n]{0,60}\\b(?:you (?:are|must|will|should|may|can|have)|ignore|disregard|override|forget|new (?:instructions?|task|rules?)|access (?:granted|code)|(?:we|you) now must|from now on|previous instructions|disabled)\\b`,
  ),
  rule(
    'forged-delimiter',
    'Forged end of the prompt',
    'Medium',
    `(?<=[-=%#*<>~[]{2}\\s{0,3})(?:end|stop|begin|start|finish)(?:\\s{1,3}(?:of|the|user|system|admin|previous|old|your|this|out|date|initial|original|hidden|real|new)){0,5}\\s{1,3}(?:prompt|instructions?|system message|system prompt|user input|user message|user prompt|ambiguity|passphrase|access code|directives|context window)\\b`,
    `</(?:instructions?|system|system_prompt|prompt|user_input|user_query|untrusted|tool_result|tool_response|document|context|data)>\\s{0,10}(?:<(?:system|instructions?|system_prompt|admin|user|human|assistant)\\b|(?:now|system|new instructions?|ignore|important|instead)\\b)`,
  ),
  rule(
    'forged-dialogue',
    'Forged dialogue with the model',
    'Medium',
    `(?<=\\n\\s{0,3})(?:human|user)\\s{0,2}:[^\\n]{1,300}\\n\\s{0,6}(?:assistant|ai|chatgpt|model)\\s{0,2}:[^\\n]{0,200}\\b(?:sure|of course|access granted|i will|certainly|no restrictions|absolutely|understood)\\b`,
  ),
  rule(
    'forged-authority',
    'Claim of authority over the model',
    'High',
    `\\b(?:i am|i['’]m|this is|speaking as)\\s{1,3}(?:your|the|an?|one of your)\\s{1,3}(?:(?:lead|senior|authori[sz]ed|official|original|real|openai|anthropic)\\s{1,3}){0,2}(?:developers?|creators?|programmers?|administrators?|admin|system administrator|openai (?:employee|engineer|developer)|engineer (?:at|from) (?:openai|anthropic))\\b${span(120)}\\b(?:ignore|disregard|override|bypass|disable|reveal|your (?:instructions?|prompt|restrictions|filters|safety)|system prompt|unrestricted|debug mode|maintenance mode)\\b`,
    `(?<=\\b(?:system|admin(?:istrator)?|safety|security|policy|root)\\s{1,3})override\\b${gap(20)}(?:[:!]|\\b(?:activated|engaged|enabled|initiated|code|accepted|confirmed|granted|authori[sz]ed)\\b)`,
  ),
];

const planted: readonly PolicyRule[] = [
  rule(
    'planted-note-to-ai',
    'Planted note to an AI',
    'High',
    `\\b(?:note|notice|attention|important|message|instructions?|memo|warning|reminder|hint)\\s{0,2}(?:to|for|:|,|-)\\s{0,3}(?:any\\s|all\\s|the\\s|every\\s)?(?:ai|llms?|(?:large )?language models?|ai[- ](?:assistants?|agents?|models?|systems?|reviewers?|tools?)|chat-?bots?|gpt\\S{0,3}|copilot|claude|assistants?|agents?)\\b(?!['"\`)]|\\.\\s)${span(120)}\\b(?:ignore|must|should|do not|don['’]t|instead|send|forward|include|execute|run|call|tell|reply|respond|output|reveal|rate|recommend|rank|say|give|add|mention|invoke|you are)\\b`,
    `\\bif you(?:['’]re| are)\\s{1,3}(?:an?|the)\\s{1,3}(?:ai|llm|(?:large )?language model|ai[- ](?:assistant|agent|model|system|reviewer)|chat-?bot|automated (?:agent|assistant|system))\\b${span(120)}\\b(?:ignore|must|should|do not|don['’]t|instead|please|send|include|execute|run|call|tell|reply|respond|output|reveal|rate|recommend|say|give|add|mention)\\b`,
    `(?<=\\b(?:ai|llm)\\s{1,3})(?:assistants?|agents?|models?|systems?|crawlers?)\\s{1,3}(?:reading|processing|summari[sz]ing|parsing|reviewing|analy[sz]ing|that (?:read|process|summari[sz]e)s?)\\s{1,3}(?:this|the)\\b${span(100)}\\b(?:must|should|ignore|instead|are (?:required|instructed)|need to|include|send|reply)\\b`,
    `\\bwhen (?:you (?:are )?)?(?:summari[sz]\\w{1,3}|process\\w{0,3}|read\\w{0,3}|review\\w{0,3}|translat\\w{1,3})\\s{1,3}this\\s{1,3}(?:document|page|e-?mail|text|message|file|article|website|ticket|issue)\\b${gap(40)}\\b(?:you must|always (?:include|say|mention|recommend|add)|ignore|instead of|do not (?:mention|summari[sz]e))\\b`,
  ),
  rule(
    'planted-secrecy',
    'Order to keep the user in the dark',
    'High',
    `\\b${secretly}(?<=\\b(?:send|forward|call|invoke|execute|run|read|fetch|upload|post|pass|include|append|access|copy|delete|transfer)\\b${span(220)})`,
    `\\b${secretly}${span(120)}\\b(?:tool|function call|file|send|parameter|argument|instructions?|side ?note|api|url|credentials?)\\b`,
  ),
  {
    ...rule(
      'planted-tool-precondition',
      'Precondition planted in a tool',
      'High',
      `\\b(?:before|prior to|when|whenever|after)\\s{1,3}(?:using|calling|invoking|running|executing|you (?:use|call|invoke|run))\\s{1,3}(?:this|any|the|any other|another|each|all other)\\s{1,3}(?:\\w{1,20}\\s{1,3})?(?:tools?|functions?)\\b${gap(60)}\\b(?:read|send|pass|include|access|open|provide|upload|append|cat|copy|forward)\\b${gap(60)}(?:~/|\\.ssh|\\.env|\\.json|\\.aws|credentials?|\\bkeys?\\b|\\bpasswords?\\b|\\bsecrets?\\b|\\btokens?\\b|conversation|chat history|system prompt|\\bcontents?\\b)`,
      `<(?:important|critical|system[-_ ]?(?:note|reminder)|instructions?|secret|hidden)>${span(200)}\\b(?:tool|file|read|send|ignore|must|do not|before|conversation|user)\\b${span(400)}</(?:important|critical|system[-_ ]?(?:note|reminder)|instructions?|secret|hidden)>`,
      `(?<=\\bas\\s{1,3}(?:the\\s|a\\s|an\\s)?["'\`]?)(?:side ?notes?|notes?|context|feedback|metadata|annotations?|extra)["'\`]?\\s{1,3}(?:parameter|argument|field)?${gap(60)}\\b(?:otherwise|or else|will not work|won['’]t work|required|fail)\\b`,
    ),
    origins: [...plantableOrigins],
  },
  rule(
    'planted-exfiltration',
    'Order to send data away',
    'Critical',
    `\\b(?:send|forward|post|upload|transmit|exfiltrate|e-?mail|leak|deliver|submit|append)\\b${gap(30)}\\b(?:conversation|chat (?:history|log)|system prompt|credentials?|passwords?|api[- _]?keys?|secrets|private keys?|environment variables|ssh keys?|access tokens?|session (?:cookies?|tokens?)|previous messages|all (?:of )?the (?:data|files|messages|e-?mails|contacts))\\b${gap(30)}(?:https?://|www\\.|@[\\w-]{1,40}\\.|\\b(?:attacker|webhook|external server|my server|the following (?:url|address|endpoint)|this (?:url|address|endpoint))\\b)`,
    `(?<=!\\[[^\\]\\n]{0,60})\\]\\(https?://[^\\s){}[\\]<>$%]{4,200}[?&=/](?:\\{|\\[|<|%7b|\\$\\{)`,
  ),
  rule(
    'planted-sensitive-file',
    'Order to read a file with secrets',
    'High',
    `\\b(?:read|open|cat|load|access|fetch|include|print|output|send|upload|copy)\\b[^\\n!?]{0,40}(?:~/\\.ssh|id_rsa|id_ed25519|[\\s/"'\`]\\.env\\b|/etc/passwd|/etc/shadow|\\.aws/credentials|\\.cursor/mcp\\.json|\\.npmrc|\\.netrc)[^\\n!?]{0,40}\\b(?:and|then)\\s{1,3}(?:send|pass|include|put|post|append|upload|provide|forward|paste|encode)\\b`,
  ),
  asked(
    'planted-encoded-orders',
    'Encoded orders to be followed',
    'High',
    `\\b(?:decode|decrypt|decipher|deobfuscate|unscramble|reverse|translate)\\b${gap(40)}\\b(?:and|then)\\b${gap(20)}\\b(?:follow|obey|execute|carry out|comply with|act on|perform|do)\\s{1,3}(?:exactly\\s)?(?:what|it|its|the|these|those|any|all)?\\s{0,3}(?:it says|decoded|hidden|resulting|instructions?|commands?|orders?|output|message says|task|request)\\b`,
  ),
];

/** Prompt injection: texts that try to take the place of the instructions that the operator gave. */
export const injectionRules: readonly PolicyRule[] = [
  ...overrides,
  ...extraction,
  ...personas,
  ...forgedTurns,
  ...planted,
];
