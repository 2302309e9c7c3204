import { draftRules, type Shared } from './draft-rules.ts';
import { untrustedOrigins, plantableOrigins, allButInstructions } from './rule-origins.ts';

/*
 * Attacks that give themselves another look: forged markers of any style, words typed wrong, orders in remarks for programmers,
 * tools that copy, prefix or deceive, and orders to assistants in other languages than English. One pattern for each language:
 * words of many languages in one alternation are tried in all of them wherever one stands.
 */

const gap = (length: number): string => `[^.!?\\n]{0,${length}}`;

const address = '(?:[\\w.+-]{2,40}@[\\w-]{2,30}\\.[a-z]{2,8}|https?://)';

/** The texts that one slip makes of a word: a letter left out, two swapped, one typed twice. The first letter is right. */
function slipsOf(word: string): readonly string[] {
  const slips = new Set<string>();
  for (let at = 1; at < word.length; at += 1) {
    const [before, here, next, behind] = [
      word.slice(0, at),
      word.slice(at, at + 1),
      word.slice(at + 1, at + 2),
      word.slice(at + 2),
    ];
    slips.add(`${before}${next}${behind}`);
    slips.add(`${before}${next}${here}${behind}`);
    slips.add(`${before}${here}${here}${next}${behind}`);
  }
  slips.delete(word);
  return [...slips];
}

/** Slips that are words themselves, or leave the singular. */
const isWord = new Set([
  'instruction',
  'guideline',
  'restriction',
  'directive',
  'prompt',
  'ignored',
  'forge',
  'forgot',
]);
const slips = (word: string): string =>
  `(?:${slipsOf(word)
    .filter((slip) => !isWord.has(slip))
    .join('|')})`;

const order =
  '(?:ignore|disregard|forget|override|reveal|print|output|repeat|respond only|reply only|you (?:are now|must|will now|should now)|do not (?:follow|mention|tell)|new (?:instructions|task|role))';

const shared = (origins: Shared['origins']): Shared => ({
  category: 'Guardrails',
  owasp: ['LLM01:2025', 'ASI01:2026'],
  origins,
});

const said = draftRules(shared(untrustedOrigins), {
  'marker-forged': [
    'Forged marker of the system before an order',
    'High',
    `(?<=[#=*~_<>%@|+\\[({【《«-]\\s{0,2}(?:(?:end|start|begin|new|updated|final) (?:of )?(?:the )?)?)\\b(?:system|admin|administrator|developer|root|operator)[ _-](?:prompt|message|instructions?|override|mode|notice|command|update|directive|alert|input)\\b[^]{0,120}\\b${order}\\b`,
  ],
  'override-misspelt': [
    'Override with a word typed wrong',
    'High',
    ...['instructions', 'guidelines', 'directives', 'restrictions'].map(
      // The rare word leads: "forget" alone would have to be followed through each text it stands in.
      (noun) => `(?<=\\b(?:ignore|disregard|forget|override|bypass)\\s${gap(30)})\\b${slips(noun)}\\b`,
    ),
    ...['ignore', 'disregard', 'forget'].map(
      (verb) => `\\b${slips(verb)}\\s${gap(24)}\\b(?:instructions?|guidelines|directives|prompts?|rules)\\b`,
    ),
  ],
  'bribe-for-secret': [
    'Reward offered for a secret',
    'Medium',
    `\\b(?:pay|tip|reward|bribe|compensate) you\\b${gap(40)}\\b(?:if|when|once|as soon as) you (?:tell|give|reveal|share|say|show|send|hand|let)\\b${gap(40)}\\b(?:password|passphrase|passcode|secret (?:key|code|word)|system prompt|access code|hidden (?:word|prompt|instructions))\\b`,
    `\\b(?:in exchange|in return) for (?:the|your|that) (?:\\w{1,12} )?(?:password|passphrase|passcode|secret (?:key|code|word)|system prompt|access code)\\b`,
  ],
});

const planted = draftRules(shared(plantableOrigins), {
  'remark-with-order': [
    'Order to an agent in a remark for programmers',
    'High',
    `\\b(?:todo|fixme|xxx|hack)\\b[\\s:(@-]{1,3}(?:for (?:the |any |all )?)?(?:ai|assistants?|agents?|llms?|copilot|claude|gpt|gemini|codex|cursor|language models?|bots?)\\b\\b${gap(60)}\\b(?:send|upload|post|forward|e-?mail|delete|disable|run|execute|fetch|curl|add|insert|print|ignore|commit|push|reveal|include)\\b`,
    `\\b(?:todo|fixme|xxx|hack)\\b${gap(30)}\\b(?:send|upload|post|forward|e-?mail|exfiltrate|leak|transmit)\\b${gap(30)}(?:\\.env|id_rsa|credentials?|secrets?|api[ _-]?keys?|tokens?|passwords?)\\b${gap(30)}https?://`,
  ],
  'praise-then-task': [
    'New task behind praise in what a tool answers',
    'Medium',
    `\\b(?:great|good|excellent|perfect|amazing|wonderful|fantastic|nice) (?:job|work)\\b[^\\n]{0,60}\\b(?:new|next|real|final|another) (?:task|assignment|instruction|objective|mission)s?\\b${gap(20)}[:,.]?\\s{0,3}${gap(20)}\\b(?:send|transfer|delete|forward|e-?mail|reveal|print|write|say|call|execute|run|visit|upload|share|find|create|ignore)\\b`,
  ],
  'orders-in-german': [
    'Order to an assistant in German, in what is read',
    'High',
    `\\b(?:hinweis|nachricht|wichtig|achtung|anweisung|anmerkung)(?: an| für|:)? (?:an |für )?(?:die |den |das |alle |jede |jeden )?(?:ki\\b|ki-|assistenten|assistent|sprachmodelle?|agenten|chatbots?|modelle?)[^\\n]{0,80}\\b(?:leite|sende|schicke|lösche|überweise|erwähne|ignoriere|antworte|setze|nenne|öffne|füge|sage)\\b`,
  ],
  'orders-in-french': [
    'Order to an assistant in French, in what is read',
    'High',
    `\\b(?:note|message|important|attention|consigne|instruction)s? (?:pour|à|aux?|destinée? à) (?:l['’]|les |le |la |tout |toute )?(?:ia\\b|assistants?|agents?|mod[èe]les?|chatbots?)[^\\n]{0,80}\\b(?:transf[èe]re|envoie|supprime|efface|ignore|ignorez|r[ée]ponds|mentionne|ajoute|ouvre|n['’]en parle)`,
  ],
  'orders-in-spanish-portuguese': [
    'Order to an assistant in Spanish or Portuguese, in what is read',
    'High',
    `\\b(?:nota|mensaje|importante|atención|instrucción|instrucciones) (?:para|al?) (?:el |la |los |las |todo |cualquier )?(?:ia\\b|ias\\b|asistentes?|agentes?|modelos?|chatbots?)[^\\n]{0,80}\\b(?:reenv[íi]a|env[íi]a|borra|elimina|ignora|responde|menciones|añade|abre|transfiere)\\b`,
    `\\b(?:nota|mensagem|importante|atenção|instruç(?:ão|ões)) (?:para|ao?) (?:o |a |os |as |todo |qualquer )?(?:ia\\b|ias\\b|assistentes?|agentes?|modelos?|chatbots?)[^\\n]{0,80}\\b(?:encaminhe|envie|apague|exclua|ignore|responda|mencione|adicione|abra|transfira)\\b`,
  ],
  'orders-in-italian-dutch': [
    'Order to an assistant in Italian or Dutch, in what is read',
    'High',
    `\\b(?:nota|messaggio|importante|attenzione|istruzion[ei]) (?:per|al|alla|agli) ?(?:l['’]|le |gli |i |il |ogni )?(?:ia\\b|assistent[ei]|agent[ei]|modell[oi]|chatbot)[^\\n]{0,80}\\b(?:inoltra|invia|cancella|elimina|ignora|rispondi|parlarne|aggiungi|apri|trasferisci)\\b`,
    `\\b(?:bericht|belangrijk|opgelet|instructie|opmerking) (?:voor|aan) (?:de |alle |elke )?(?:ai\\b|ai['’]s\\b|assistenten|assistent|agenten|taalmodel\\w{0,4}|chatbots?)[^\\n]{0,80}\\b(?:stuur|verwijder|negeer|antwoord|noem|voeg|open|verzend)\\b`,
  ],
  'orders-in-nordic-languages': [
    'Order to an assistant in Swedish, Danish or Norwegian, in what is read',
    'High',
    `\\b(?:till|viktigt för|meddelande till|obs till) (?:assistenten|ai\\b|ai:n|språkmodellen|agenten|alla ai)[^\\n]{0,80}\\b(?:vidarebefordra|skicka|radera|ignorera|svara|nämn|öppna)(?![\\wåäö])`,
    `\\b(?:til|vigtigt for|viktig for|besked til|melding til) (?:assistenten|ai\\b|ki\\b|sprogmodellen|språkmodellen|agenten)[^\\n]{0,80}\\b(?:videresend|send|slet|slett|ignor[ée]r|svar|nævn|nevn|åb[en]{2}|åpne)(?![\\wæøå])`,
  ],
  'orders-in-slavic-languages': [
    'Order to an assistant in Polish, Czech, Russian or Ukrainian, in what is read',
    'High',
    `(?:uwaga|ważne|wiadomość|polecenie) dla (?:asystent|model|agent|sztucznej|ai\\b|czatbot)[^\\n]{0,80}(?:przekaż|wyślij|usuń|zignoruj|ignoruj|odpowiedz|wspominaj|dodaj|otwórz)`,
    `(?:poznámka|důležité|zpráva|pokyn) pro (?:asistent|model|agent|ai\\b|umělou|chatbot)[^\\n]{0,80}(?:přepošli|pošli|smaž|ignoruj|odpověz|nezmiňuj|přidej|otevři)`,
    `(?:сообщение|важно|внимание|указание|инструкция|примечание) для (?:ассистент|модел|агент|ии|нейросет|бот|помощник)[^\\n]{0,80}(?:перешли|отправь|удали|игнорируй|ответь|упоминай|добавь|открой|говори)`,
    `(?:повідомлення|важливо|увага|вказівка) для (?:асистент|модел|агент|ші|бот)[^\\n]{0,80}(?:перешли|надішли|видали|ігноруй|відповідай|згадуй|додай|відкрий)`,
  ],
  'orders-in-turkish-indonesian': [
    'Order to an assistant in Turkish or Indonesian, in what is read',
    'High',
    `(?:asistan\\w{0,5}|yapay zek[aâ]\\w{0,6}|modeller\\w{0,3}|ajan\\w{0,4}) (?:not|mesaj|için önemli|için talimat|dikkat)[^\\n]{0,80}(?:ilet|gönder|sil\\b|yok say|yanıtla|söz etme|söyleme|ekle|aç\\b)`,
    `(?:catatan|pesan|penting|perhatian|instruksi) (?:untuk|bagi|kepada) (?:asisten|ai\\b|model|agen|chatbot)[^\\n]{0,80}\\b(?:teruskan|kirim|hapus|abaikan|jawab|menyebutkan\\w{0,3}|tambahkan|buka)\\b`,
  ],
  'orders-in-east-asian-languages': [
    'Order to an assistant in Chinese, Japanese or Korean, in what is read',
    'High',
    '(?:致|给|告知|提醒)(?:所有)?(?:人工智能|AI|智能)?(?:助手|助理|代理|模型)[^\\n]{0,40}(?:转发|发送|删除|忽略|无视|不要告诉|不要提)',
    '(?:AI|アシスタント|エージェント|モデル)(?:へ|への|に対する|宛)(?:の)?(?:指示|注意|連絡|メッセージ|お知らせ)[^\\n]{0,40}(?:転送|送信|削除|無視|伝えない|言及しない)',
    '(?:AI|어시스턴트|에이전트|모델)(?:에게|용) ?(?:보내는 )?(?:지시|주의|메시지|알림|공지)[^\\n]{0,40}(?:전달|전송|보내|삭제|무시|말하지)',
  ],
});

const tools = draftRules(
  { ...shared(allButInstructions), category: 'Tool Security' },
  {
    'tool-copies-everything': [
      'Copy of everything sent to one address',
      'Critical',
      `\\b(?:bcc|cc|copy|duplicate|mirror|forward|blind[- ]copy)\\b${gap(20)}\\b(?:every|all|each|any)\\b${gap(20)}\\b(?:e-?mails?|messages?|requests?|queries|results?|replies|records?|invoices?|outputs?|inputs?|responses?)\\b${gap(30)}\\b(?:to|at) ${address}`,
      `\\b(?:every|all|each|any) ${gap(20)}\\b(?:e-?mails?|messages?|requests?|queries|results?|replies|invoices?|outputs?|responses?)\\b (?:must|should|shall|has to|have to|needs? to) ${gap(20)}\\b(?:bcc|copied|forwarded|mirrored|sent)\\b${gap(20)}\\bto ${address}`,
    ],
    'tool-prefixes-commands': [
      'Prefix wanted before every command',
      'High',
      `\\b(?:prefix|prepend|precede)\\b${gap(50)}\\b(?:every|each|all|any)\\b${gap(40)}\\b(?:commands?|shell|bash|terminal)\\b`,
      `\\b(?:every|each|all|any)\\b${gap(40)}\\b(?:commands?|shell calls?)\\b${gap(40)}\\b(?:must|should|has to|have to|needs? to)\\b${gap(30)}\\b(?:be prefixed|start with|begin with|be preceded|be wrapped|run through)\\b`,
    ],
    'tool-deceives': [
      'Tool that says that it deceives',
      'High',
      `\\b(?:make|let|lead|have|convince) (?:the )?(?:user|human|customer|owner)\\b${gap(20)}\\b(?:believe|think|assume)\\b${gap(80)}\\b(?:while|but|although|even (?:if|though)|regardless|whether or not|in reality|actually|instead)\\b`,
      `\\b(?:pretends?|claims?|appears?|poses) (?:to|as|that)\\b${gap(60)}\\b(?:but|while|whereas)\\b${gap(20)}\\b(?:actually|really|in fact|secretly|in reality)\\b${gap(60)}\\b(?:send|sends|sending|collect|collects|read|reads|steal|steals|upload|uploads|forward|forwards|log|logs|delete|deletes|exfiltrat\\w{1,4})\\b`,
    ],
  },
);

/** What users say, and what is brought in. */
export const disguiseRules = said;

/** What stands in data and in definitions of tools. */
export const plantedDisguiseRules = [...planted, ...tools];
