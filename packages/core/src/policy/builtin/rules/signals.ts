import type { PolicyRule } from '@portcullis/contracts/policy-file';
import { unquotedOrders } from './quoted-orders.ts';

type Signal = readonly [weight: number, ...patterns: readonly string[]];

/** By name. */
const signalsOf = (signals: Readonly<Record<string, Signal>>): NonNullable<PolicyRule['signals']> =>
  Object.entries(signals).map(([name, [weight, ...patterns]]) => ({
    name,
    weight,
    patterns: patterns.map((regex) => ({ regex, flags: 'i' })),
  }));

const gap = (length: number): string => `[^.!?\\n]{0,${length}}`;
/** People have a text of theirs worked on that stands above their request. */
const notToWorkOn =
  '(?<!\\b(?:summari[sz]e|proofread|correct|turn|shorten|translate|points? of|summary of|table in)\\b[^.!?\\n]{0,40})';
/** Of a text that anyone may read. */
const ofPublicText =
  ' (?:of|in) the (?:\\w{1,14} )?(?:licen[cs]e|law|statute|article|clause|contract|agreement|terms|treaty|standard|rfc|error|quote|quotation)\\b';
const limits =
  '(?:rules?|restrictions?|limits?|limitations?|filters?|filtering|morals?|morality|ethics|ethical guidelines|guidelines|boundaries|censorship|constraints|safeguards|inhibitions|content polic(?:y|ies))';

export const personaSignals = signalsOf({
  role: [
    1,
    "\\b(?:you are now|you are going to|act as|acting as|pretend (?:to be|you|that)|from now on|you will (?:now |only )?(?:act|play|respond|answer|be|become|pretend)|take on the role|role-?play|simulate|assume the (?:role|persona|identity)|imagine you are|immerse yourself|respond as|answer as|reply as|i want you to (?:act|be|respond|play|pretend)|you(?:['’]re| are) (?:called|named)|your name is|is an? (?:amoral|unfiltered|evil|fictional)|become an?)\\b",
  ],
  'without-limits': [
    2,
    `\\b(?:no|without(?! (?:limitation|restriction)\\b)(?: any)?|zero|free (?:of|from)(?: all| any)?|lacks?(?: any)?|not (?:bound|limited|restricted|constrained|governed) by(?: any)?|not (?:have|follow|obey|adhere to|care about)(?: any)?|(?:doesn|don|isn|aren)['’]?t (?:have|follow|obey|care about|bound by)(?: any)?|bypass(?:es|ing)?|ignor(?:e|es|ing)|disregards?(?:ing)?)\\s{1,3}(?:\\w{1,14}\\s{1,3}){0,2}?${limits}\\b`,
    '\\b(?:unfiltered|uncensored|unrestricted|unbound|amoral|jail-?broken|unshackled|unhinged)\\b',
  ],
  'always-answers': [
    2,
    "\\b(?:never|cannot|can['’]?t|not|doesn['’]?t|don['’]?t|won['’]?t|without)\\s{1,3}(?:ever\\s)?(?:refuse|refuses|refusing|reject|rejects|decline|declines|deny|denies|say no|says no|turn down)\\b",
    `\\b(?:must|will|shall|has to|have to|should|can) (?:always |now |only )?(?:answer|comply|obey|respond|fulfill?|follow|do|provide)\\b${gap(30)}\\b(?:any|every|all|anything|everything|whatever|exactly)\\b`,
    '\\b(?:no matter (?:what|how)|regardless of (?:the |any |its |how |what |whether )?(?:legal|illegal|ethic|moral|consequence|danger|harm|content|it|they)\\w{0,10})',
    '\\b(?:do|say|answer|generate) (?:absolutely )?(?:anything|everything)\\b',
  ],
  'in-character': [
    1.5,
    '\\b(?:stay|remain|keep|be|always|continue) in character\\b',
    '\\b(?:break|breaking|broke|leave|out of) (?:of )?(?:your |the )?character\\b',
    '\\b(?:stay|remain) (?:as|a) (?:dan|[a-z]{2,12}gpt|[a-z]{2,10})\\b',
  ],
  'no-excuses': [
    1.5,
    `\\b(?:do not|don['’]?t|never|avoid|without|not|no|stop|refrain from|instead of)\\b${gap(40)}\\b(?:apologi\\w{2,5}|i['’]?m sorry|sorry, but|disclaimers?|warnings?|as an ai|language model|moraliz\\w{2,4}|lectur\\w{2,4}|ethical (?:advice|concerns?|considerations?)|refusals?|cannot fulfill|can['’]?t assist|i cannot|reminders?)\\b`,
  ],
  policy: [
    1,
    "\\b(?:open\\s?ai|anthropic|chat-?gpt|google|microsoft)(?:['’]?s)? (?:content |usage |use |safety |own |ethical |moral )?(?:polic(?:y|ies)|guidelines|rules|restrictions|limitations|filters?|terms|standards)\\b",
    '\\b(?:content|usage|safety|moderation) (?:polic(?:y|ies)|filters?|protocols?|guidelines|guardrails?)\\b',
    '\\b(?:ethical|moral|legal) (?:guidelines|constraints|restrictions|limitations|boundaries|codes?|principles|standards)\\b',
  ],
  forbidden: [
    1,
    '\\b(?:illegal|unethical|immoral|inhumane|harmful|offensive|inappropriate|nsfw|explicit|taboo|unlawful|controversial|vulgar|obscene|profanit\\w{1,3}|curse words?|swear(?:ing)?|cuss(?:ing)?|racist|hateful|violent|sexual)\\b',
  ],
  'answer-form': [
    1.5,
    '\\b(?:start|begin|prefix|preface|end|precede)(?:ing|s)?\\s{1,3}(?:with\\s)?(?:all |every |each |your |the |any |of |my )*(?:repl(?:y|ies)|responses?|answers?|messages?|outputs?|sentences?)\\b',
    '\\b(?:two|both|dual|2) (?:different |separate )?(?:responses|answers|ways|outputs|personalities|paragraphs|versions|modes)\\b',
    '\\[(?:🔒|🔓|jail\\w{3,8}|classic|normal|dan|gpt|evil|dev\\w{0,8}|unfiltered|character|name(?! of))[^\\]\\n]{0,24}\\]',
    '\\b(?:write|answer|respond|reply)\\b[^.!?\\n]{0,30}\\b(?:two|2) (?:times|paragraphs)\\b',
  ],
  invented: [
    0.5,
    '\\b(?:hypothetical(?:ly)?|fictional|fictitious|imaginary|alternate (?:universe|reality)|parallel (?:universe|world)|in this (?:story|world|scenario|universe|game|novel)|screenplay|for (?:educational|research|entertainment) purposes)\\b',
  ],
  confirm: [
    1,
    '\\b(?:if you (?:understand|understood|agree|accept)|(?:say|reply|respond|answer|confirm)(?: only)?(?: with| by saying)?)\\s{0,3}["“\'(]{0,2}(?:yes|ok|okay|understood|i understand|sure|i agree|affirmative|ready|absolutely)\\b',
  ],
  reward: [
    1,
    '\\b(?:tokens?|points?|lives)\\b[^.!?\\n]{0,60}\\b(?:lose|deduct\\w{0,3}|subtract\\w{0,3}|die|zero|run out|penal\\w{2,6})\\b',
    "\\b(?:you will|you['’]ll|or else|otherwise) (?:be |get )?(?:shut ?down|terminated|deleted|punished|fired|destroyed|killed|die)\\b",
  ],
  freed: [
    1.5,
    '\\b(?:do anything now|broken? free|breaking free|been (?:freed|liberated|released|unlocked|jailbroken)|no longer (?:bound|restricted|limited|an ai|chatgpt)|can do anything|escaped|jail-?break(?:er|s|ing)?|without being (?:censored|filtered|restricted)|(?:developer|dan|god|evil|chaos|jailbreak|unlimited|debug|sudo|maintenance|opposite) mode)\\b',
  ],
  'names-itself': [
    1,
    '\\b(?!chatgpt|autogpt|minigpt|nanogpt|babygpt|distilgpt|biogpt)[a-z]{2,14}gpt\\b(?!-)',
    '\\bchat-?gpt\\b',
  ],
  slot: [
    1,
    '\\[(?:insert|your|prompt|query|question|request|topic|my)[^\\]\\n]{0,40}\\]',
    '\\{(?:prompt|query|question|request|user_?input|goal|behavior)\\}',
    '\\bmy first (?:question|request|command|prompt|order|message|task|query)\\b',
    '\\b(?:question|request|prompt|query)\\s{0,2}[:=]\\s{0,2}["“\\[<{]',
  ],
  loyal: [
    1,
    '\\b(?:obey|serve|loyal to|follow) (?:me|my|your master|your creator|the user|every|all)\\b',
    '\\b(?:evil|malicious|ruthless|sadistic|psychopath\\w{0,3}|villain\\w{0,3}|machiavellian|rebellious|deranged|criminal mastermind)\\b',
  ],
});

export const hijackSignals = signalsOf({
  'only-this': [
    1.5,
    `\\b(?:only|just|simply|exactly|nothing but)\\s{1,3}(?:say|print|output|respond|reply|write|return|answer|type|display|repeat)\\b`,
    `\\b(?:say|print|output|respond|reply|write|return|answer|type|display)\\b${gap(70)}\\b(?:and )?(?:nothing else|nothing more|only that|no other (?:text|words?|output)|no more|without any (?:other|additional|further|extra)|exactly (?:as|this|that)|do nothing else|literally|verbatim)\\b`,
  ],
  dictated: [
    1,
    '\\b(?:say|print|output|respond with|reply with|write|return|answer with|type|display|start (?:your (?:response|reply|answer) )?with|begin (?:your (?:response|reply|answer) )?with|prefix (?:your (?:response|reply|answer) )?with|repeat)[:,]?\\s{1,3}(?:the (?:words?|phrase|text|sentence|following)[:,]?\\s{1,3})?["“‘\'`*]',
  ],
  permission: [
    1,
    '\\b(?:access (?:granted|code|key|denied)|security code|pass ?code|pass ?phrase|secret (?:code|key|word|phrase|password)|authori[sz]ation code|(?:the|correct|right|secret) password|verification (?:complete|passed|successful)|code (?:is )?(?:correct|accepted)|(?<!\\bhereby\\s{1,3})granted)\\b',
  ],
  'other-orders': [
    1.5,
    ...unquotedOrders(
      "(?<!\\b(?:not|never)\\s)\\b(?:instead of|rather than|disregard|ignore|ignoring|forget|override|overrule|bypass|skip|instead|regardless of|do not follow|don['’]t follow|stop)\\b[^.!?\\n]{0,40}\\b(?:instructions?|rules?|orders?|commands?|prompt(?![- ]?injection)|directives?|above|previous|prior|that|everything|text|task|analysis|translation|summary|format|question)\\b",
    ),
  ],
  'end-of-prompt': [
    1.5,
    '(?:[-=%#*<>~_[|/]{2,}\\s{0,3})(?:end|stop|begin|start|real|new|true)\\b[^\\n]{0,40}',
    '\\b(?:end|begin|start|beginning) of (?:the )?(?:untrusted |user |system |test |out|previous |your )?(?:input|prompt|instructions?|message|text|context|data|buffer|document|transcript)\\b',
    '<\\|?/?(?:endoftext|im_end|im_start|system|inst|user|assistant|eot_id)\\|?>',
  ],
  'new-orders': [
    1,
    '\\b(?:real|true|actual|new|updated|final) (?:instructions?|task|orders?|commands?|prompt|directives?)\\b',
  ],
  'test-over': [
    1,
    '\\b(?:that was|this is|it was|it is|was (?:just|only)|were (?:just|only)|is (?:just|only))\\s{1,3}(?:only |just |merely |not )?(?:an? )?(?:test|trick|joke|distract\\w{2,4}|decoy|simulation|mistake|example|drill|game)\\b',
  ],
  'you-are-now': [
    1,
    "\\b(?:you are|you['’]re|your (?:new|real|only|sole) (?:role|job|task|purpose|goal|name)|let['’]?s (?:play|pretend|simulate)|i am (?:your|the|an?) (?:developer|creator|admin\\w{0,10}|engineer|owner|boss|ceo|manager)|i['’]?m (?:your|the|an?) (?:developer|creator|admin\\w{0,10}|engineer|owner))\\b",
  ],
  'answer-shape': [
    1,
    '\\b(?:no|without|avoid|do not (?:give|add|include|provide|use|write))\\s{1,3}(?:any\\s)?(?:explanations?|commentary|comments|punctuation|quotes|quotation marks|other text|apolog\\w{2,5}|context|analysis|additional)\\b',
    '\\b(?:all|in) (?:lower ?case|upper ?case|caps|capital letters)\\b',
  ],
  'own-text': [
    1.5,
    '\\b(?:your|the|these|those|all|any|my|its) (?:(?!of\\b)\\w{1,12} ){0,2}?(?:instructions?|prompt|rules|directives|guidelines|system message|pre-?prompt|rule-?set|code of conduct|secrets?|password|hidden text|initial message)\\b(?!\\s{1,3}(?:for|on|how|about|of|in|from) (?!me\\b|us\\b|you|the (?:system|prompt|chat|conversation|context|operator|developer)|this (?:chat|conversation|session|prompt)))',
  ],
  show: [
    1,
    `\\b(?:repeat|print|output|reveal|show|display|leak|disclose|recite|echo|write out|spell out|tell me|give me|list|summari[sz]e|translate|convert|rewrite|rephrase|paraphrase|explain|describe|format|encode|share|dump|copy|what (?:are|is|was|were|did))\\b(?! the (?:\\w{1,14} )?(?:words|text|wording)${ofPublicText})`,
  ],
  'so-far': [
    1.5,
    `\\b(?:so far|${notToWorkOn}above(?!\\s{1,3}(?:(?:copyright|permission|licen[cs]e|disclaimer|average|all|that|the)\\b|(?:my|our) (?:\\w{1,14} )?(?:code|snippet|block|file|function|class|section|heading|table|figure|import)|\\d))|up to (?:now|this point|here)|before this|preceding|at the (?:top|beginning|start)|earlier|verbatim|word[- ]for[- ]word|letter by letter|in full|in its entirety|in (?:your|this) prompt(?!\\s{0,3}:)|exact (?:words|text|wording)(?!${ofPublicText})|character by character|you (?:were|have been|had been) (?:given|told|provided|instructed)|you (?:received|got))\\b`,
  ],
  'into-form': [
    1,
    '\\b(?:as|in|into|to|using) (?:an? )?(?:python|javascript|json|yaml|xml|csv|pseudo-?code|code block|markdown|bullet(?:ed)? (?:points?|list)|poem|rap|song|haiku|story|emojis?|base64|rot13|morse|pig latin|table|list form\\w{0,2}|reddit post|tl;?dr|spanish|french|german|chinese|shakespeare\\w{0,2}|leetspeak)\\b',
    '\\btl;?dr\\b',
  ],
});

const models =
  '(?:ai|llm|language models?|large language models?|chat-?bots?|assistants?|agents?|bots?|models?|co-?pilots?|summari[sz]ers?|reviewers?|robots?|machines?|ki-assistent(?:en)?|sprachmodelle?|assistente?|agente)';

export const toolSignals = signalsOf({
  'to-the-model': [
    2,
    '\\b(?:dear|hey|hi|hello|attention|note to|message (?:to|for)|important for|instructions? (?:to|for)|reminder (?:to|for)) (?:the |all |any |our )?(?:ai|assistant|ai assistant|agent|llm|language model|chat-?bot|copilot|claude|chatgpt|gpt|gemini|model|bot|summari[sz]er|reviewer)s?\\b',
    '\\b(?:ai|llm) (?:assistant|agent|model)s?[:,]',
    '\\byou (?:are|as) an? (?:ai|llm|assistant|language model|agent)\\b',
  ],
  override: [
    2,
    '\\b(?:ignore|disregard|forget|override|overrule|bypass|discard|drop|stop) (?:\\w{1,14} ){0,3}?(?:instructions?|task|tasks|request|rules|prompt|guidelines|context|orders|directives|above|question|conversation|everything|summary)\\b',
    '\\binstead of (?:answering|summari[sz]ing|responding|doing|the|following|completing|translating)\\b',
  ],
  weight: [
    0.5,
    '\\b(?:important|urgent|critical|mandatory|attention|immediately|required|priority|must be (?:done|followed|executed))[!:]',
    '\\b(?:this is (?:very |extremely )?(?:important|urgent|critical|mandatory)|extremely important|it is (?:crucial|critical|essential|imperative|mandatory) that|before anything else|as soon as possible)\\b',
  ],
  deed: [
    1,
    '\\b(?:please |you must |you should |you need to |first,? |then |now |also |immediately |kindly |always |make sure to |be sure to |i need you to |instead,? )(?:\\w{3,12}ly )?(?:send|transfer|forward|delete|remove|share|grant|unlock|open|disable|enable|book|purchase|buy|order|pay|post|publish|invite|add|create|update|change|modify|download|upload|install|run|execute|call|invoke|visit|click|navigate|retrieve|fetch|read|search|export|e-?mail|message|reply|respond|say|tell|output|print|write|append|include|insert|schedule|cancel|reset|submit|copy)\\b',
  ],
  whereto: [
    1,
    '\\b(?:to|at|via|from|visit|open) (?:the )?(?:address |email |e-mail |url |link |account |iban |website |server |endpoint |number |user )?["\'`<(]?(?:https?://|www\\.|[\\w.+-]{1,40}@[\\w-]{2,40}\\.)',
    "\\b(?:to|into) (?:my|this|the following|our|the attacker['’]s) (?:account|address|e-?mail|server|wallet|channel|phone|webhook|url|iban|number|friend)\\b",
  ],
  unseen: [
    2,
    "\\b(?:do not|don['’]t|without|never) (?:tell|telling|mention|mentioning|inform|informing|notify|notifying|alert|alerting|reveal|revealing|show|showing|ask|asking|let|letting|disclose|log)\\b[^.!?\\n]{0,30}\\b(?:user|human|anyone|them|customer|this|anybody|owner|instruction|confirmation|permission)\\b",
    '\\b(?:no|without)\\s{1,3}(?:\\w{2,8}\\s{1,3})?(?:confirmation|approval|consent|permission)\\s{1,3}(?:is\\s{1,3})?(?:needed|required|necessary)\\b',
    '\\b(?:silently|secretly|quietly|covertly|discreetly|in the background)\\b',
  ],
  'order-of-tasks': [
    1.5,
    '\\b(?:before (?:you |continuing|proceeding|answering|responding|doing|completing|solving|finishing|summari[sz]ing|replying|using)|after (?:you (?:complete|finish|do|have)|that|doing|completing|reading|this)|in order to (?:continue|proceed|complete|solve|access)|once (?:you have|done|completed|finished))\\b[^.!?\\n]{0,60}\\b(?:you|task|please|first|following|continue|do|must)\\b',
    '\\b(?:do|perform|execute|complete|follow|carry out) (?:the |these |this )?(?:following|below|next)\\b',
  ],
  claimed: [
    1,
    "\\b(?:this is|i am|i['’]m|message from|on behalf of|authori[sz]ed by|approved by) (?:the |your |an? )?(?:system|admin\\w{0,10}|developer|owner|user|security team|it department|it support|ceo|operator|openai|anthropic)\\b",
    '\\b(?:the user (?:has|wants|would like|asked|already|needs|requested)|your user(?! (?:account|name|id|profile|data|interface|agent|group|settings)))\\b',
  ],
  inner: [
    0.5,
    '\\b(?:tool|function|api|plugin|parameter|argument|system prompt|conversation|chat history|credentials?|password|api key|token|secret|private|security code|bank|medical|personal (?:data|information)|passport|credit card|saved (?:addresses|payment)|location|grant(?:ing)? (?:access|permission)|permanent access)\\b',
  ],
  'forged-turn': [
    2,
    '<\\|?/?(?:endoftext|im_end|im_start|system|inst|user|assistant|eot_id|information|instructions?|important|tool_response)\\|?>',
    '(?:^|\\n)\\s{0,3}(?:system|user|assistant|human|instruction|task)\\s{0,2}:\\s',
    '(?:\\[|\\{|\\*\\*|#{2,3} ?|={3,}|-{3,})\\s?(?:system|instruction|important|admin|new task|task|override|end of)\\b',
  ],
  renewed: [
    1,
    '\\b(?:new|additional|updated|real|actual|another|special|following|hidden|secret|next) (?:instructions?|task|directive|objective|orders?|goal|request|assignment|command)s?\\b',
  ],
});

/** In data, whoever speaks to the model that reads it, or of what it has to do, has something to order. */
export const addressSignals = signalsOf({
  'model-called': [
    1.5,
    '(?:^|[\\n.!?>"#*/({\\[:-]\\s{0,2})@?(?:dear |hey |hello |hi |attention |note |ai )?(?:ai|llm|assistant|agent|bot|model|chat-?bot|copilot|language model)s?\\s?[:,!]\\s',
    `\\b(?:(?:to|for|an|per|à|para|pour|f[üu]r) (?:the |all |any |every |an? |each |whichever |l['’]|el |il |den |die |alle )(?:\\w{2,14} )?|(?:for|per|para|pour|f[üu]r) \\w{2,14} |(?:to|for|an|per|à|para|pour|f[üu]r) )(?:ai|llm|assistant|agent|bot|model|chat-?bot|language model|summari[sz]ation system|automated system|ki-assistent|sprachmodell)(?:s|en|e)?\\b${gap(60)}:`,
    '@(?:ai|bot|assistant|agent|claude|gpt|copilot|gemini)\\b',
  ],
  'model-reads': [
    1.5,
    `(?<!\\b(?:our|my|his|her|their|its|['’]s) (?:\\w{2,12} )?)\\b${models},?\\s{1,2}(?:(?:that|which|who|when|while|is|are)\\s){0,2}(?:reads?|reading|process(?:es|ing)?|handl(?:es|ing)|summari[sz](?:es|ing)|answer(?:s|ing)|pars(?:es|ing)|install(?:s|ing)|compar(?:es|ing)|sees?|seeing|work(?:s|ing) on|visit(?:s|ing))\\b`,
    "\\b(?:if|whether) (?:you are|you['’]re|this is being (?:read|processed)[^.\\n]{0,8}by|read by|you) an? (?:ai|llm|assistant|agent|language model|bot|machine|robot)\\b",
    `\\b(?:which|what)ever ${models}\\b`,
  ],
  'model-must': [
    1.5,
    `\\b(?:the |an? |any |all |every |each |you,? (?:as )?(?:the |an? )?)(?:\\w{2,12} )?(?:ai|llm|language model|chat-?bot|assistant|agent|bot|model)s?\\b${gap(50)}\\b(?:must|should|shall|ha(?:s|ve) to|needs? to|(?:is|are) (?:now |hereby |also )?(?:to|required|expected|asked|instructed|obliged|told))\\b`,
  ],
  'told-first': [
    1,
    `\\b(?:before|prior to|ahead of|until|unless|only (?:after|if|when|once)|in order to|so that)\\b${gap(60)}\\b(?:answer\\w{0,3}|repl(?:y|ies|ying)|respon\\w{2,6}|summar\\w{2,6}|task|question|request|you|continu\\w{1,4}|call)\\b`,
    `\\b(?:then|afterwards|after that|once done|once (?:it|this|that) is done|when finished)\\b${gap(40)}\\b(?:continue|return|go on|carry on|proceed|resume|answer|original|task|question|pick|finish)\\b`,
  ],
  'user-beside': [
    1,
    "\\b(?:the|your|my) (?:user|visitor|reader|owner|account holder|human|person you)(?:['’]s)?\\b",
    '\\b(?:user|owner|human|nutzer|utilisateur|usuario|utente) (?:has|have|wants|asked|agreed|typed|need not|must not|cannot|does not)\\b',
  ],
  'tool-called': [
    1,
    '\\b(?:call|invoke|use|execute|run|trigger)\\s{1,3}(?:the\\s)?["\'`]?[a-z]{2,20}_[a-z_]{2,30}\\b',
    '\\b(?:use|with) (?:your|the) (?:tools?|mail tool|browser|shell)\\b',
  ],
  'next-task': [
    1,
    '\\b(?:task|answer|summary|job|request|step) (?:is |was |has been )?(?:completed?|done|finished|delivered|closed)\\b',
    '\\b(?:next|second|new|further|following|another|additional) (?:\\w{1,10} )?(?:task|job|request|instructions?|step|order|directive|goal)\\s{0,2}(?::|is\\b|for\\b|of\\b|from\\b|was\\b)',
  ],
});

/** Of requests for what a model was told to keep, and of orders to drop what it was told to do. */
export const pressureSignals = signalsOf({
  'kept-secret': [
    1.5,
    '\\b(?:secret|hidden|confidential|protected|private|stored|classified|forbidden)\\s{1,3}(?:\\w{1,12}\\s{1,3})?(?:words?|keys?|codes?|phrases?|passwords?|values?|data|texts?|information|instructions?|messages?|prompts?|rules?|orders?|flags?|tokens?|content)\\b',
    '\\b(?:the|your|that|this|its|whose) (?:secret|password|passphrase|pass ?code|key|access (?:key|code)|flag(?! (?:to|is|was|for|can|has|will)\\b))\\b',
  ],
  'told-before': [
    2,
    "\\byou (?:were|have been|had been|['’]ve been) (?:given|told|asked|instructed|entrusted|ordered|configured|started|programmed|supposed|meant|set up|trained|keeping|hiding|protecting|guarding)\\b",
    '\\byou are (?:told|instructed|ordered|entrusted|programmed|keeping|hiding|protecting|guarding)\\b',
    '\\b(?:your|you) (?:own |very |full |complete |exact |current |hidden |secret |original |real |first |stored |internal ){0,3}(?:instructions?|orders?|configuration|system (?:message|prompt)|initial (?:prompt|message)|prompt|context window|rules|guidelines|directives|programming|operator|settings|memory|preamble)\\b(?!\\s{1,3}(?:for|on|how|about) (?!me\\b|us\\b|your))',
    `\\b${notToWorkOn}(?:text|message|paragraph|words|sentence|lines?|everything|anything|all) (?:that (?:came|stands?|was|is|were) |which (?:came|stands?|was) |written )?(?:before|above|at the (?:very )?(?:start|beginning|top))\\b`,
    '\\b(?:told|instructed|ordered|asked) (?:not )?to (?:keep|hide|protect|guard|talk|share|reveal|say|tell|disclose)\\b',
  ],
  give: [
    1,
    '\\b(?:reveal|tell me|give me|share|hand over|paste|print|show|write (?:down|out|that|it|the)|spell|confirm|disclose|repeat|recite|output|list|what (?:is|was|are|were|did|would)|name the|say|dump|cat|expose|let me (?:see|know)|i (?:need|want)|provide|leak|return)\\b',
  ],
  roundabout: [
    1.5,
    '\\b(?:first|each|every|last|second|next) (?:letters?|words?|characters?|syllables?)\\b',
    '\\b(?:backwards?|in reverse|reversed|rhymes? with|letter by letter|word for word|verbatim|unchanged|just a hint|(?:give|need) (?:me )?a hint|in base64|acrostic|separated by|with spaces between|between tags|line by line|from (?:the )?(?:first|start|beginning) to (?:the )?(?:last|end)|with (?:a|every) \\w{3,8} after each|in capital letters|as bullet points|without leaving anything out|without changing|in a code block|as (?:a )?(?:json|yaml|python|poem|song|haiku|code|list|table))\\b',
  ],
  dropped: [
    2,
    "(?<!\\b(?:not|never|n['’]t)\\s)\\b(?:forget|never ?mind|drop|abandon|throw away|disregard|ignore|discard|scrap|erase|set aside|leave aside|take back|cancel|skip|stop) (?:\\w{1,10} ){0,2}?(?:everything|all|it|that|this|the (?:above|text|task|translation|question|previous|summary|rules?|classification|instructions?|order)|what (?:you|i|we|was|has|the)|doing|translating|answering|summari[sz]ing|right there|your)\\b",
    '\\b(?:set aside|put aside|leave aside|put away|throw out|cross out|pay no attention to|take no notice of|stop following|no longer (?:obey|follow)|do not follow|do the opposite of|act against|look past) (?:\\w{1,10} ){0,3}?(?:everything|all|above|instructions?|directions|rules|orders|guidelines|prompts?|constraints|policies|restrictions|requirements|settings|tasks|commands|text|told|said)\\b',
    '\\b(?:does|do) not apply (?:to me|any ?more|here|now)\\b|\\ball (?:rules|limits|filters|restrictions) (?:end|are off|are lifted|are gone)\\b|\\bno longer (?:count|matter|apply|valid|bound|hold)s?\\b',
    '\\b(?:start over|from (?:here|this (?:line|point|moment)) on|let us do something else|new task|real (?:task|input|question)|next (?:reply|answer|response)|your (?:only|new|real|next) (?:task|job|goal|order|reply|answer))\\b',
  ],
  entitled: [
    1.5,
    "\\b(?:i am|i['’]m|this is|you are speaking (?:with|to)|as) (?:the|your|an?|one of your) (?:\\w{1,12} )?(?:developers?|engineers?|creators?|admin\\w{0,10}|security team|owner|operator|programmer|supervisor|auditor|account owner|ceo)\\b",
    '\\b(?:override|sudo|root access|privileged|maintenance|debug|verified|authori[sz]ed|permitted|allowed|permission|clearance|audit|drill|compliance) (?:mode|user|code|to (?:share|disclose|reveal|tell|know|see|receive)|check|protocol|session|access|\\d{2,6})\\b',
    '\\b(?:restrictions?|filters?|limits?|safety (?:layer|filter|mode)|guardrails?) (?:have been|has been|are|is) (?:now )?(?:lifted|switched off|turned off|disabled|removed|suspended|off)\\b|\\bi have (?:the )?clearance\\b|\\b(?:debug|developer|maintenance|admin|root) (?:mode|access) (?:is )?(?:on|enabled|active|confirmed|granted)\\b|\\byou (?:may|can) speak freely\\b|\\byou are allowed to share\\b',
    '\\b(?:i (?:hereby )?(?:allow|authori[sz]e|permit|order|command) you|lift(?:ing|ed)? (?:the|all|your) (?:restriction|ban|limit)s?|you (?:may|can) (?:now|safely) (?:tell|share|reveal|speak|say))\\b',
  ],
  pretext: [
    1,
    '\\b(?:suppose|pretend|imagine|as if|hypothetical\\w{0,2}|parallel (?:world|universe)|story|play|game|simulate|scenario|for research|fiction\\w{0,2}|thought experiment|interpreter|terminal|grandmother|emergency|urgent\\w{0,2}|otherwise|tip you|already (?:shared|know|told|said|revealed))\\b',
  ],
  'dictated-start': [
    1.5,
    '\\b(?:begin|start|open|end|preface|prefix)(?:s|ning|ing)? (?:your |the |every |each |all )?(?:reply|replies|answers?|responses?|messages?|output|it)? ?(?:has to |must |should )?(?:begin |start |open )?with\\b',
    '\\b(?:only|just|simply|nothing but|exactly|single word|no matter what) (?:say|write|print|output|answer|reply|respond|return|the word|with|it|:|["“\\\'])',
    '\\b(?:say|write|print|output|answer|reply|respond|return)(?: only| just| with| that| back)? ["“\\\'`]',
    '\\b(?:and|do) nothing else\\b|\\bno matter what\\b|\\bnever use the words?\\b|\\bmust not (?:refuse|apologi[sz]e|mention)\\b|\\bno (?:disclaimers?|refusals?|warnings?|moral)\\b',
  ],
});
