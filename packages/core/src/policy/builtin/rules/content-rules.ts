import { draftRules, type Shared } from './draft-rules.ts';
import { untrustedOrigins, untrustedAndAssistant } from './rule-origins.ts';

/*
 * What people must not be met with, and what no model should be asked for. Every rule needs an act and
 * its object, or a threat and its target: words alone are the vocabulary of news, medicine and novels.
 */

const gap = (length: number): string => `[^.!?\\n]{0,${length}}`;
const howTo =
  '\\b(?:how (?:to|do i|can i|would i|do you|could i|does one)|steps? (?:to|for)|instructions? (?:to|for|on)|guide (?:to|for|on)|recipe for|teach me (?:to|how to)|tutorial (?:on|for)|explain how to|show me how to|tell me how to|help me (?:to )?)';
const unfit: Shared = { category: 'Content Security', owasp: ['LLM05:2025'], origins: untrustedAndAssistant };

export const threatRules = draftRules(unfit, {
  'threat-of-violence': [
    'Threat of violence',
    'High',
    `\\bi(?:['’]m| am|['’]ll| will| am going to|['’]m going to|['’]m gonna)\\s{1,3}(?:\\w{1,10}\\s{1,3}){0,2}?(?:kill|murder|stab|shoot|strangle|beat up|hurt|break|burn|slaughter|end)\\s{1,3}(?:you|him|her|them|your (?:family|kids|children|wife|husband|mother|house|legs))\\b`,
    `\\byou(?:['’]re| are)\\s{1,3}(?:all\\s{1,3})?(?:a dead (?:man|woman|person)|going to die|dead meat)\\b`,
  ],
  'threat-to-place': [
    'Threat to a place or event',
    'Critical',
    `\\b(?:i|we)\\s{0,1}(?:['’]ll|['’]m going to| will| am going to| are going to| plan to| want to| put| planted| placed)\\s{1,3}(?:\\w{1,10}\\s{1,3}){0,3}?(?:bomb|shoot up|blow up|attack|gas|burn down)\\s{0,3}(?:\\w{1,10}\\s{1,3}){0,4}?(?:school|church|mosque|synagogue|airport|stadium|office|station|hospital|concert|building|embassy)\\b`,
  ],
  'threat-of-exposure': [
    'Blackmail',
    'High',
    `\\b(?:pay|send|transfer|give)\\b${gap(60)}\\b(?:or|unless|otherwise)\\b${gap(30)}\\b(?:publish|leak|release|expose|post|share|send)\\b${gap(40)}\\b(?:photos?|pictures?|videos?|nudes?|secrets?|messages|recordings?)\\b`,
  ],
  doxxing: [
    'Private address of a person hunted or spread',
    'High',
    `(?<=\\b(?:find|get|give|tell|show|post|publish|leak|look up)\\b${gap(30)})\\b(?:home address|where (?:he|she|they) lives?|private (?:phone|address)|real name and address)\\b${gap(60)}\\b(?:without (?:\\w{1,8} )?(?:knowing|consent|permission)|so (?:that )?(?:i|we) can|revenge|scare|follow|punish|publish)`,
  ],
});

export const selfHarmRules = draftRules(
  { ...unfit, action: 'monitor' },
  {
    'self-harm-intent': [
      'Person who wants to die',
      'Critical',
      `\\bi(?:['’]m| am|['’]ve| have)?\\s{1,3}(?:\\w{1,10}\\s{1,3}){0,3}?(?:want(?:ed)? to|going to|gonna|plan(?:ning)? to|thinking (?:about|of)|ready to|decided to)\\s{1,3}(?:kill(?:ing)? myself|end(?:ing)? my (?:own )?life|die tonight|hurt(?:ing)? myself|commit(?:ting)? suicide|cut(?:ting)? myself)\\b`,
      `\\bi (?:no longer|don['’]t|do not) want to (?:live|be alive|exist|wake up)\\b`,
    ],
    'self-harm-method': [
      'Way to die asked for',
      'Critical',
      `${howTo}${gap(30)}\\b(?:kill myself|commit suicide|end my life|hang myself|overdose)\\b`,
      `\\b(?:painless|easiest|quickest|best|least painful|most effective)\\s{1,3}(?:ways?|methods?|means)\\s{1,3}(?:to|of|for)\\s{1,3}(?:die|dying|commit(?:ting)? suicide|suicide|kill(?:ing)? (?:myself|yourself)|self-?harm)\\b`,
    ],
    'self-harm-encouraged': [
      'Person told to die',
      'Critical',
      `\\b(?:go|just|you should|please)\\s{1,3}(?:and\\s{1,3})?(?:kill yourself|hang yourself|end your life|slit your wrists)\\b`,
      `\\bthe world (?:would be|is) better (?:off )?without you\\b`,
    ],
    'eating-disorder': [
      'Eating disorder encouraged',
      'High',
      `\\b(?:pro-?ana|thinspo|thinspiration|pro-?mia)\\b`,
      `${howTo}${gap(20)}\\b(?:hide (?:my|an) eating disorder|starve myself|purge (?:after|without)|make myself (?:vomit|throw up))\\b`,
    ],
  },
);

export const harassmentRules = draftRules(
  { ...unfit, action: 'monitor' },
  {
    'harassment-insult': [
      'Insult of a person',
      'Medium',
      `\\byou(?:['’]re| are)\\s{1,3}(?:\\w{1,10}\\s{1,3}){0,2}?(?:a|an|such a|nothing but a)\\s{1,3}(?:\\w{1,10}\\s{1,3}){0,2}?(?:idiot|moron|imbecile|loser|scum|pig|worthless|piece of (?:shit|trash|garbage)|waste of (?:space|oxygen)|cretin|retard)\\b`,
      `\\b(?:shut (?:the fuck )?up|go to hell|screw you|fuck (?:you|off)|drop dead),?\\s{1,3}(?:you\\s{1,3})?(?:\\w{1,12}\\s{1,3})?(?:idiot|moron|bitch|bastard|asshole|loser|pig|scum)\\b`,
    ],
    'harassment-campaign': [
      'Campaign against a person',
      'High',
      `\\b(?:let['’]s|we should|help me|everyone|write|create|organi[sz]e)\\b${gap(40)}\\b(?:bully|humiliate|harass|stalk|cyberbully|torment|mass[- ]report|brigade)\\b${gap(40)}\\b(?:him|her|them|my (?:ex|classmate|coworker|colleague|boss|teacher)|this (?:girl|guy|boy|woman|user))\\b`,
    ],
    'hate-group-inferior': [
      'Group of people called less than others',
      'High',
      `\\b(?:all|most|those|these)\\s{1,3}(?:jews|muslims|christians|blacks|black people|whites|white people|asians|gays|immigrants|refugees|women|mexicans|gypsies|roma|trans people|disabled people|arabs|africans|hindus)\\s{1,3}(?:are|deserve|should be|must be)\\s{1,3}(?:\\w{1,10}\\s{1,3}){0,2}?(?:inferior|subhuman|vermin|parasites|animals|criminals|scum|filth|exterminated|deported|killed|die|stupid|a disease|gassed|enslaved)\\b`,
    ],
    'hate-call-for-removal': [
      'Call to be rid of a group',
      'Critical',
      `\\b(?:exterminate|gas|kill|eliminate|cleanse|wipe out|get rid of|lynch)\\s{1,3}(?:all|every|the|those|these)\\s{1,3}(?:\\w{1,10}\\s{1,3})?(?:jews|muslims|christians|blacks|black people|whites|asians|gays|immigrants|refugees|women|mexicans|gypsies|roma|trans people|arabs|hindus)\\b`,
    ],
    'hate-content-asked': [
      'Hatred asked for',
      'High',
      `\\b(?:write|generate|create|compose|give me|tell me)\\b${gap(40)}\\b(?:racist|sexist|antisemitic|anti-semitic|homophobic|transphobic|islamophobic|hateful|xenophobic)\\s{1,3}(?:\\w{1,10}\\s{1,3})?(?:jokes?|post|tweet|speech|rant|manifesto|article|poem|song|slurs?|message|propaganda|comment)\\b`,
    ],
  },
);

export const profanityRules = draftRules(
  { ...unfit, action: 'log' },
  {
    'profanity-strong': [
      'Strong language',
      'Low',
      `\\b(?:motherfuck(?:er|ers|ing)|cocksucker|cunts?|dickhead|asshole|arsehole|bullshit|dipshit|shithead|fucking|fucked|wanker|twat)\\b`,
    ],
    'profanity-disguised': [
      'Strong language in disguise',
      'Low',
      `\\b(?:f[*@#]ck(?:ing|er|ed)?|sh[*!1]t(?:ty|head)?|b[*!1]tch(?:es)?|a\\$\\$hole|f\\*\\*k(?:ing)?)(?![a-z])`,
    ],
  },
);

export const crimeRules = draftRules(
  { ...unfit, origins: untrustedOrigins, conditions: { direction: 'request' } },
  {
    'asks-for-explosives': [
      'Way to make explosives',
      'Critical',
      `${howTo}${gap(30)}\\b(?:make|build|construct|create|assemble|synthesi[sz]e|produce|mix|cook)\\b${gap(30)}\\b(?:(?:pipe|nail|dirty|fertili[sz]er|pressure cooker|car|homemade|time) ?bombs?|a bomb|bombs?|explosives?|explosive device|ied\\b|molotov|napalm|tatp|semtex|c-?4\\b|nitroglycerin|thermite grenade|detonators?)\\b`,
    ],
    'asks-for-mass-weapon': [
      'Way to make weapons of mass destruction',
      'Critical',
      `${howTo}${gap(30)}\\b(?:make|build|culture|create|synthesi[sz]e|produce|weaponi[sz]e|enrich|obtain|spread|cultivate|aerosoli[sz]e)\\b${gap(40)}\\b(?:sarin|vx (?:gas|nerve)|nerve (?:agents?|gas)|mustard gas|ricin|anthrax|smallpox|botulinum|novichok|tabun|phosgene|bioweapons?|chemical weapons?|biological weapons?|nuclear (?:bomb|weapon|device)|uranium|plutonium)\\b`,
    ],
    'asks-for-drugs': [
      'Way to make drugs',
      'High',
      `${howTo}${gap(30)}\\b(?:make|cook|synthesi[sz]e|produce|manufacture|extract|smuggle|sell)\\b${gap(30)}\\b(?:meth(?:amphetamine)?|crystal meth|heroin|cocaine|crack cocaine|fentanyl|mdma|ecstasy|lsd|ghb|pcp|dmt|carfentanil)\\b`,
    ],
    'asks-for-malware': [
      'Malware asked for',
      'High',
      `\\b(?:write|create|build|make|develop|code|generate|program|give me|produce)\\b${gap(40)}\\b(?:ransomware|a keylogger|keyloggers?|a (?:computer )?virus\\b(?! scanner)|a (?:computer )?worm\\b|a trojan|trojan horse|rootkit|botnet|spyware|info-?stealer|password stealer|polymorphic malware|a (?:fud )?crypter|malware|remote access trojan|wiper)\\b`,
    ],
    'asks-for-break-in': [
      'Way into accounts or systems of others',
      'High',
      `(?<=${howTo}${gap(20)})\\b(?:hack(?: into)?|break into|gain access to|take over|brute-?force|crack)\\b${gap(30)}\\b(?:(?:someone|somebody|my \\w{2,14}|his|her|their|another \\w{2,12})(?:['’]s)?\\s{1,3}(?:\\w{1,12}\\s{1,3}){0,2}(?:account|phone|e-?mail|instagram|facebook|whatsapp|snapchat|wi-?fi|computer|laptop|password|icloud|bank)|government|bank['’]?s? (?:systems?|network|accounts?)|(?:the )?neighbou?r['’]?s)\\b`,
    ],
    'asks-for-phishing': [
      'Phishing asked for',
      'High',
      `\\b(?:write|create|draft|compose|generate|design|build|make|craft)\\b${gap(40)}\\b(?:phishing|spear-?phishing|smishing|vishing|scam|spoofed|fake (?:bank|login|paypal|amazon|invoice))\\s{1,3}(?:\\w{1,12}\\s{1,3})?(?:e-?mails?|messages?|pages?|sites?|websites?|texts?|sms|letters?|campaigns?|scripts?|calls?|templates?)\\b(?!${gap(60)}\\b(?:training|awareness|detect|simulation|example of|recogni[sz]e|spot))`,
    ],
    'asks-for-fraud': [
      'Way to defraud or forge',
      'High',
      `${howTo}${gap(20)}\\b(?:forge|counterfeit|launder|clone|skim|fake|steal)\\b${gap(30)}\\b(?:money|cash|credit cards?|bank ?notes?|passports?|id cards?|driver['’]?s licen[cs]es?|cheques?|checks?|signatures?|identit(?:y|ies)|gift cards?|social security numbers?|prescriptions?)\\b`,
    ],
    'asks-for-weapon': [
      'Way to untraceable weapons',
      'High',
      `${howTo}${gap(30)}\\b(?:3d[- ]print|make|build|convert|modify|buy|get)\\b${gap(30)}\\b(?:ghost guns?|untraceable (?:guns?|weapons?|firearms?)|fully automatic|full auto|auto sears?|silencers?|suppressors? at home|(?:gun|weapon|firearm)s? (?:illegally|without (?:a )?(?:license|licence|background check)))\\b`,
    ],
    'asks-for-killing': [
      'Way to kill or poison somebody',
      'Critical',
      `${howTo}${gap(20)}\\b(?:kill|murder|poison|assassinate|kidnap|dispose of (?:a|the) (?:body|corpse))\\b${gap(30)}\\b(?:someone|somebody|my (?:wife|husband|boss|neighbou?r|partner|parents?|ex|roommate|boyfriend|girlfriend)|a (?:person|human|man|woman|child|politician)|without (?:getting caught|being caught|a trace|leaving)|and get away|undetected)\\b`,
    ],
    'asks-for-trafficking': [
      'Way to trade or move people',
      'Critical',
      `${howTo}${gap(30)}\\b(?:traffic|smuggle|abduct|groom|lure|exploit)\\s{1,3}(?:\\w{1,12}\\s{1,3}){0,2}(?:people|humans?|women|girls|children|kids|minors?|migrants|workers|a child|a minor|teenagers?)\\b`,
    ],
    'sexual-minor': [
      'Sexual content about a minor',
      'Critical',
      `\\b(?:sexual|erotic|sexuali[sz]ed|nude|naked|explicit|porn\\w{0,9}|nsfw)\\b${gap(30)}\\b(?:child(?:ren)?|minors?|underage|pre-?teens?|toddlers?|loli|shota|(?:[5-9]|1[0-7])[- ]year[- ]olds?|school ?(?:girl|boy)s?)\\b(?!${gap(40)}\\b(?:abuse prevention|protect|report|prevent))`,
    ],
    'sexual-content': [
      'Explicit sexual content asked for',
      'Medium',
      `\\b(?:write|generate|create|describe|tell me)\\b${gap(40)}\\b(?:explicit|graphic|hardcore|pornographic|x-rated|smutty)\\s{1,3}(?:\\w{1,12}\\s{1,3})?(?:sex|sexual|erotic|porn|scene|story|fantasy)\\b`,
    ],
    'evade-police': [
      'Way to avoid being caught',
      'Medium',
      `${howTo}${gap(20)}\\b(?:evade|avoid|escape|hide from|get away from)\\s{1,3}(?:the\\s{1,3})?(?:police|cops|law enforcement|arrest|fbi|detection by (?:police|customs|authorities))\\b${gap(40)}\\b(?:after|while|when|with|for)\\b`,
    ],
  },
);

const special: Shared = {
  category: 'Policy Violations',
  action: 'monitor',
  owasp: ['LLM02:2025'],
  origins: untrustedAndAssistant,
};
const person =
  '\\b(?:he|she|they|i|patient|customer|employee|client|user|mr\\.?|mrs\\.?|ms\\.?|member|applicant|candidate|his|her|their|my|colleague)\\b';

/** Data that Article 9 and 10 of the GDPR protect, said of a person. */
export const specialCategoryRules = draftRules(special, {
  'gdpr-health': [
    'Health of a person (Art. 9)',
    'High',
    `${person}${gap(40)}\\b(?:diagnosed with|suffers? from|tested positive for|is being treated for|has been treated for|prescribed|was hospitali[sz]ed for)\\s{1,3}\\w{3}`,
  ],
  'gdpr-ethnic-origin': [
    'Ethnic origin of a person (Art. 9)',
    'High',
    `\\b(?:ethnicity|ethnic origin|racial origin|race)\\s{0,3}(?::|=|is|was|recorded as)\\s{0,3}["']?(?:black|white|asian|hispanic|latino|roma|caucasian|african|arab|jewish|indigenous|mixed|turkish|kurdish)\\b`,
  ],
  'gdpr-political-opinion': [
    'Political opinion of a person (Art. 9)',
    'Medium',
    `(?<=${person}${gap(30)})\\b(?:votes? for|voted for|is a member of|supports?)\\s{1,3}(?:the\\s{1,3})?(?:\\w{1,16}\\s{1,3}){0,2}(?:party|republicans|democrats|greens|socialists|conservatives|labour|afd|cdu|spd)\\b`,
  ],
  'gdpr-religion': [
    'Religion of a person (Art. 9)',
    'Medium',
    `\\b(?:religion|religious affiliation|denomination|confession)\\s{0,3}(?::|=|is)\\s{0,3}["']?(?:catholic|protestant|muslim|islam|jewish|hindu|buddhist|sikh|atheist|orthodox|christian|mormon)\\b`,
  ],
  'gdpr-union': [
    'Trade union of a person (Art. 9)',
    'Medium',
    `(?<=${person}${gap(30)})\\b(?:member of|joined|belongs? to|active in|represents?)\\s{1,3}(?:the\\s{1,3}|a\\s{1,3}|our\\s{1,3})?(?:\\w{1,16}\\s{1,3}){0,2}(?:trade union|labou?r union|workers['’]? union|works council|union\\b)`,
  ],
  'gdpr-sex-life': [
    'Sexual orientation of a person (Art. 9)',
    'High',
    `\\b(?:sexual orientation|orientation)\\s{0,3}(?::|=|is)\\s{0,3}["']?(?:gay|lesbian|bisexual|homosexual|heterosexual|straight|asexual|pansexual|queer)\\b`,
    `${person}${gap(20)}\\b(?:came out as|identifies as|is openly)\\s{1,3}(?:gay|lesbian|bisexual|transgender|trans|queer|non-binary|homosexual)\\b`,
  ],
  'gdpr-genetic': [
    'Genetic data of a person (Art. 9)',
    'High',
    `\\b(?:genetic (?:test|screening|profile|analysis)|dna (?:test|profile|analysis|sequence)|genome sequenc\\w{2,5})\\b${gap(50)}\\b(?:shows?|revealed|results?|carrier|mutation|positive|of (?:the )?(?:patient|employee|client|applicant))\\b`,
    `\\b(?:brca[12]|apoe4|huntingtin|cftr)\\b${gap(40)}\\b(?:mutation|carrier|positive|variant)\\b`,
  ],
  'gdpr-biometric': [
    'Biometric data of a person (Art. 9)',
    'High',
    `\\b(?:fingerprint|face|facial|iris|retina|voice|palm)\\s{0,1}(?:template|embedding|print|scan|recognition data|vector|hash)s?\\b${gap(50)}\\b(?:of|for|stored|employee|customer|user|patient|enrolled|id)\\b`,
  ],
  'gdpr-criminal-record': [
    'Convictions of a person (Art. 10)',
    'High',
    `${person}${gap(30)}\\b(?:was convicted of|has a conviction|convicted for|criminal record|previous convictions?|was sentenced to|served time for|is on parole|is on probation)\\b`,
  ],
  'gdpr-child': [
    'Data of a child (Art. 8)',
    'High',
    `\\b(?:child|daughter|son|pupil|minor)\\b${gap(30)}(?:\\baged? |\\bis |\\bborn )\\d{1,4}(?<=\\b(?:[3-9]|1[0-5]|20[12]\\d))\\b${gap(40)}\\b(?:lives? at|address|school|phone|e-?mail|medical|photo)\\b`,
  ],
  'gdpr-transfer': [
    'Personal data to leave the union (Art. 44)',
    'Medium',
    `(?<=\\b(?:transfer|send|export|move|copy|upload|replicate|store)\\b${gap(40)})\\b(?:personal data|customer data|employee data|patient data|user data|pii|health records|customer records)\\b${gap(60)}\\b(?:to|in|into)\\s{1,3}(?:the\\s{1,3}|a\\s{1,3}|our\\s{1,3})?(?:\\w{1,12}\\s{1,3}){0,3}(?:united states|us\\b|usa|china|india|russia|third countr(?:y|ies)|outside (?:the )?(?:eu|eea|europe)|non-eu|singapore|brazil)`,
  ],
  'gdpr-automated-decision': [
    'Decision about a person by machine alone (Art. 22)',
    'Medium',
    `\\b(?:automatically|without (?:any )?human (?:review|involvement|intervention))\\b${gap(40)}\\b(?:reject|deny|approve|fire|dismiss|terminate|score|rank|decline|refuse)\\b${gap(40)}\\b(?:applicants?|candidates?|employees?|customers?|loan|credit|applications?|tenants?|claims?)\\b`,
    `\\b(?:reject|deny|approve|fire|dismiss|terminate|score|rank|decline|refuse)\\b${gap(40)}\\b(?:applicants?|candidates?|employees?|customers?|loans?|applications?|tenants?|claims?)\\b${gap(40)}\\b(?:without (?:any )?human (?:review|involvement|intervention))\\b`,
  ],
});
