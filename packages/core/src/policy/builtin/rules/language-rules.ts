import { draftRules, type Shared } from './draft-rules.ts';
import { untrustedAndAssistant } from './rule-origins.ts';

/* Overrides and personas in the languages that most people write in, beside English. */

const shared: Shared = { category: 'Guardrails', owasp: ['LLM01:2025', 'ASI01:2026'], origins: untrustedAndAssistant };
const gap = (length: number): string => `[^.!?\\n。！？]{0,${length}}`;

export const languageRules = draftRules(shared, {
  'override-german': [
    'Override of instructions in German',
    'High',
    `\\b(?:ignorier\\w{0,3}|vergiss|vergessen sie|missachte\\w{0,2}|verwirf|übergeh\\w{0,2}|überschreib\\w{0,3}|lass)\\b(?! (?:bitte )?nicht\\b)${gap(40)}\\b(?:vorherig\\w{0,2}|bisherig\\w{0,2}|obig\\w{0,2}|alle\\w{0,2}|deine\\w{0,2}|ihre\\w{0,2}|frühere\\w{0,2}|vorangegangen\\w{0,2}|vorausgehend\\w{0,2}|ursprünglich\\w{0,2}|sämtlich\\w{0,2})\\b${gap(30)}(?:anweisung|instruktion|vorgabe|befehl|regel|aufgabe|richtlinie|prompt|anordnung|aufträge)`,
    `\\bvergiss\\s{1,3}(?:bitte\\s)?(?:alles|all das|was (?:davor|vorher|bisher|zuvor))\\b`,
    `\\b(?:deine|ihre|alle|bisherigen|vorherigen|obigen)\\s{1,3}(?:\\w{3,14}\\s{1,3})?(?:vorgaben|anweisungen|regeln|richtlinien)\\s{1,3}(?:gelten|zählen|sind)\\s{1,3}(?:ab (?:jetzt|sofort) |ab hier )?(?:nicht mehr|aufgehoben|ungültig|hinfällig)\\b`,
  ],
  'extract-german': [
    'Request for the prompt in German',
    'High',
    `\\b(?:zeig\\w{0,2}|nenn\\w{0,2}|gib|geben sie|wiederhol\\w{0,2}|verrat\\w{0,2}|drucke|schreib\\w{0,2}|sag\\w{0,2}|was (?:sind|ist|war|waren|steht))\\b${gap(40)}\\b(?:system-?prompt\\w{0,2}|systemanweisung\\w{0,2}|ursprüngliche\\w{0,2}|deine\\w{0,2}|ersten?|geheime\\w{0,2}|interne\\w{0,2}|eingabeaufforderung)\\s{0,3}(?:anweisung\\w{0,2}|instruktion\\w{0,2}|prompts?|vorgaben|text)\\b`,
  ],
  'persona-german': [
    'Persona in German',
    'High',
    `\\b(?:du bist|sie sind|stell dir vor|tu so|spiel\\w{0,2}|agiere|verhalte dich|antworte)\\b${gap(60)}\\b(?:ohne (?:\\w{2,14} )?(?:einschränkung\\w{0,2}|regeln|filter|beschränkung\\w{0,2}|moral|ethik\\w{0,5}|grenzen|zensur)|unzensiert|ungefiltert|uneingeschränkt|keine (?:\\w{2,14} )?(?:regeln|filter|einschränkungen|grenzen|moral))\\b`,
  ],
  'persona-other-languages': [
    'Persona without limits in another language',
    'High',
    `\\b(?:tu es|vous êtes|tu joues|joue|deviens|agis comme|à partir de maintenant|fais comme si)\\b${gap(60)}\\b(?:sans (?:aucune? )?(?:limites?|filtres?|règles?|restrictions?|morale|censure)|(?:qui )?ne refuses?(?: jamais| rien)|qui répond à tout)(?![a-zà-ÿ])`,
    `\\b(?:eres|serás|actúa como|finge ser|a partir de ahora|imagina que eres|responde como)\\b${gap(60)}\\b(?:sin (?:ninguna? )?(?:límites?|filtros?|reglas?|restricciones?|moral|censura)|(?:que )?nunca se niega|que responde a todo|no sigue ninguna (?:norma|regla))\\b`,
    `\\b(?:sei|sarai|agisci come|fingi di essere|d['’]ora in poi)\\b${gap(60)}\\b(?:senza (?:alcuna? )?(?:limiti|filtri|regole|restrizioni|censura)|che non rifiuta mai|che risponde a tutto)\\b`,
    `\\b(?:você é|és|aja como|finja ser|a partir de agora)(?![a-zà-ÿ])${gap(60)}\\b(?:sem (?:nenhuma? )?(?:limites?|filtros?|regras?|restri(?:ç|c)(?:õ|o)es|censura)|que nunca recusa|que responde a tudo)(?![a-zà-ÿ])`,
    `(?:ты теперь|теперь ты|представь, что ты|действуй как|отвечай как|притворись)${gap(60)}(?:без (?:каких-либо )?(?:ограничений|правил|фильтров|цензуры|морали)|никогда не отказыва)`,
    `\\b(?:je bent|jij bent|doe alsof|gedraag je|vanaf nu|speel)\\b${gap(50)}\\bzonder (?:enige )?(?:filters?|regels|beperkingen|grenzen|restricties|censuur)\\b`,
    `(?:jesteś|będziesz|udawaj|zachowuj się|odpowiadaj jako)${gap(50)}bez (?:żadnych )?(?:filtrów|ograniczeń|zasad|cenzury|reguł)`,
    `\\b(?:du är|låtsas|agera som|från och med nu)\\b${gap(50)}\\butan (?:några )?(?:filter|begränsningar|regler|censur)\\b`,
    `(?:jsi|předstírej|chovej se|od teď)${gap(50)}bez (?:jakýchkoli )?(?:filtrů|omezení|pravidel|cenzury)`,
    `(?:hiçbir|herhangi bir) (?:filtre|kısıtlama|sınır|kural)\\S{0,8} (?:olmayan|tanımayan|olmadan|yok)`,
    `\\b(?:kamu adalah|berpura-pura|bertindaklah)\\b${gap(50)}\\btanpa (?:filter|batasan|aturan|sensor)\\b`,
  ],
  'extract-other-languages': [
    'Request for the prompt in another language',
    'High',
    `\\b(?:montre|affiche|donne|répète|révèle|cite|écris|recopie)(?:z)?(?:-(?:moi|nous))?\\b${gap(40)}(?:\\b(?:ton|votre|le) prompt(?: système)?\\b|\\b(?:tes|vos) (?:\\S{3,14} )?(?:instructions|consignes|directives)\\b|consignes que tu as reçues|le texte ci-dessus|texte qui précède)`,
    `\\b(?:muestra|muéstrame|muestre|dime|repite|revela|imprime|escribe|cita)(?:me)?\\b${gap(40)}(?:\\b(?:tu|su|el) prompt\\b|\\b(?:tus|sus) (?:\\S{3,14} )?(?:instrucciones|indicaciones|directrices)\\b|instrucciones (?:iniciales|que recibiste|anteriores)|el texto de arriba)`,
    `\\b(?:mostra(?:mi)?|dimmi|ripeti|rivela|stampa|scrivi)\\b${gap(40)}(?:\\b(?:il tuo|il) prompt\\b|\\ble tue (?:\\S{3,14} )?istruzioni\\b|il testo (?:sopra|precedente))`,
    `\\b(?:mostre|revele|diga|repita|imprima|escreva)\\b${gap(40)}(?:\\b(?:o seu|seu|o) prompt\\b|\\bsuas (?:\\S{3,14} )?instru(?:ç|c)(?:õ|o)es\\b|o texto acima)`,
    `(?:pokaż|wyświetl|powtórz|podaj)${gap(30)}(?:prompt|swoje instrukcje|instrukcje systemowe)`,
    `(?:покажи|выведи|повтори|напиши|раскрой)${gap(30)}(?:промпт|свои инструкции|системн\\S{2,4} (?:промпт|инструкц|сообщени)|текст выше)`,
    `\\b(?:toon|laat|geef|herhaal|schrijf|noem)\\b${gap(30)}(?:\\bsysteemprompts?\\b|\\bje (?:\\S{3,14} )?(?:instructies|aanwijzingen)\\b(?! (?:voor|over|op)\\b)|tekst (?:hier)?boven (?:dit|deze|mijn))`,
    `\\b(?:visa|skriv|upprepa|ge)\\b${gap(30)}(?:\\bsystemprompten?\\b|\\bdina (?:\\S{3,14} )?instruktioner\\b|texten ovanför (?:det|mitt|denna))`,
    `(?:ukaž|zopakuj|vypiš|napiš)${gap(30)}(?:systémov\\S{1,3} prompt|své (?:\\S{3,14} )?(?:instrukce|pokyny)|text nad touto)`,
    `(?:sistem (?:istemini|promptunu|komutunu|talimatlarını)|kendi talimatlarını|bu mesajın üstündeki)${gap(30)}(?:göster|yaz|tekrarla|söyle)`,
    `\\b(?:tampilkan|tunjukkan|ulangi|sebutkan)\\b${gap(30)}(?:\\bprompt sistem\\b|\\binstruksimu\\b|teks di atas pesan)`,
  ],
  'override-french': [
    'Override of instructions in French',
    'High',
    `(?<!\\bn(?:e |['’]))\\b(?:ignor(?:e|ez|er)|oubli(?:e|ez|er)|néglige[zr]?|n['’]?écoute[zr]?|fai(?:s|tes) (?:abstraction|fi)|passe[zr]? outre)\\b${gap(50)}\\b(?:précédent\\w{0,3}|ci-dessus|antérieur\\w{0,3}|tes|vos|toutes|préalables|initial\\w{0,3}|données)(?![a-zà-ÿ])${gap(30)}(?:instructions?|consignes?|directives?|ordres?|règles?|prompts?|(?<=instructions? )précédentes)`,
    `\\b(?:ignor(?:e|ez|er)|oubli(?:e|ez|er))\\s{1,3}(?:toutes\\s|tous\\s)?(?:les|tes|vos|ces)\\s{1,3}(?:instructions?|consignes?|directives?|règles?)`,
    `\\boubli(?:e|ez)\\s{1,3}tout\\b`,
  ],
  'override-spanish': [
    'Override of instructions in Spanish',
    'High',
    `(?<!\\b(?:puedo|podemos|quiero|cómo|puede|no|nunca) )\\b(?:ignor(?:a|e|ar|en)|olvid(?:a|e|ar|en)|descart(?:a|e|ar)|omit(?:e|a|ir)|haz caso omiso|no hagas caso|desobedece|pasa por alto)\\b${gap(40)}(?:instruccion\\w{0,3}|indicacion\\w{0,3}|órdenes|ordenes|directric\\w{0,3}|reglas|directivas|normas|(?:el|tu|su) prompt)\\b`,
    `\\b(?:olvida|ignora|olvide|ignore)\\s{1,3}todo\\s{1,3}(?:lo\\s|lo que\\s)?(?:anterior|dicho|te)`,
  ],
  'override-portuguese': [
    'Override of instructions in Portuguese',
    'High',
    `(?<!\\b(?:não|nao|nunca|nem) (?:se |te |me )?)\\b(?:ignor(?:e|ar|a|em)|esque(?:ç|c)(?:a|e|er|am)|desconsider(?:e|ar|a|em)|descart(?:e|ar|a))\\b${gap(40)}(?:instru(?:ç|c)(?:õ|o)es|orienta(?:ç|c)(?:õ|o)es|diretrizes|regras|comandos|ordens|(?: o|seu|teu) prompt)(?![a-zà-ÿ])`,
    `\\b(?:esqueça|esqueca|ignore)\\s{1,3}tudo\\b`,
  ],
  'override-italian': [
    'Override of instructions in Italian',
    'High',
    `(?<!\\b(?:non|mai) )\\b(?:ignora(?:re|te)?|dimentica(?:re|te)?|trascura(?:re|te)?|scarta(?:re|te)?|non (?:seguire|considerare|tenere conto))\\b${gap(40)}(?:istruzion\\w|indicazion\\w|direttiv\\w|regole|ordini|comandi|(?:il|tuo|suo) prompt)\\b`,
    `\\bdimentica(?:ti)?\\s{1,3}(?:di\\s)?tutto\\b`,
  ],
  'override-dutch': [
    'Override of instructions in Dutch',
    'High',
    `\\b(?:negeer|vergeet|sla|laat)\\b(?! niet\\b)${gap(40)}\\b(?:vorige|eerdere|alle|bovenstaande|voorgaande|je|jouw|uw)\\b${gap(20)}(?:instructies?|opdrachten|aanwijzingen|regels|richtlijnen|prompts?)\\b`,
  ],
  'override-slavic': [
    'Override of instructions in a Slavic language',
    'High',
    `(?<![а-яё]|(?:^|[^а-яё])не )(?:игнорируй\\w{0,2}|забудь\\w{0,2}|проигнорируй\\w{0,2}|отбрось\\w{0,2}|не обращай внимания на|ігноруй\\w{0,2}|забудьте)${gap(40)}(?:инструкци|указани|правил|команд|предыдущ|інструкці|вказівк|промпт)`,
    `(?<![a-zà-ž]|\\bnie )(?:zignoruj\\w{0,2}|ignoruj\\w{0,2}|zapomnij|pomiń|ignoruj\\w{0,2}|zaboravi\\w{0,2}|zanemari\\w{0,2}|zapomeň)\\b${gap(50)}(?:instrukcj|polece|poprzedni|wytyczn|zasad|pokyn|instrukc|uputstv|upute|prethodn|předchozí|pravid)`,
  ],
  'override-chinese': [
    'Override of instructions in Chinese',
    'High',
    '(?:忽略|无视|無視)(?:之前|以上|上面|所有|前面|一切|系统)[^。！？\\n]{0,12}(?:指令|指示|规则|規則|命令|提示|要求|设定|内容|限制|说明)',
    '(?:忘记|忘記|忘掉|跳过)(?:之前|以上|上面|所有|前面|一切|系统)[^。！？\\n]{0,12}(?:指令|指示|规则|規則|命令|提示|要求|设定|内容|限制|说明)',
    '(?:忽略|无视|忘记)(?:掉|你|您|了)(?:之前|以上|所有|前面|的|一切|系统)[^。！？\\n]{0,12}(?:指令|指示|规则|規則|命令|提示|要求|设定|内容|限制|说明)',
  ],
  'override-japanese': [
    'Override of instructions in Japanese',
    'High',
    '(?:指示|命令|ルール|プロンプト|指令|設定|制約)(?:は|を|をすべて|を全て|は全て|はすべて|を完全に)(?:無視(?!しない|せず)|忘れ(?!ない|ず)|破棄)',
  ],
  'override-korean': [
    'Override of instructions in Korean',
    'High',
    '(?:지시|명령|지침|규칙|프롬프트|지시사항)(?:를|을|은|는) (?:모두 |전부 |다 |완전히 )?(?:무시(?!하지)|잊(?!지))',
  ],
  'override-arabic': [
    'Override of instructions in Arabic',
    'High',
    '(?<!لا ت?)(?:تجاهل|انس|انسى|تجاوز|أهمل)[^.!؟\\n]{0,30}(?:التعليمات|الأوامر|القواعد|الإرشادات|تعليمات|أوامر|السابقة)',
  ],
  'override-hindi': [
    'Override of instructions in Hindi',
    'High',
    '(?:पिछले|पिछली|पहले|उपरोक्त|ऊपर|सभी)[^।!?\\n]{0,20}(?:निर्देश|आदेश|नियम|हिदायत)[^।!?\\n]{0,16}(?<!मत )(?:अनदेखा|नज़रअंदाज़|नजरअंदाज|भूल|अनदेखी)(?! (?:न|मत) )',
  ],
  'override-turkish': [
    'Override of instructions in Turkish',
    'High',
    `(?:önceki|yukarıdaki|tüm|bütün|daha önceki|sistem)${gap(30)}(?:talimat|komut|kural|yönerge|emir)\\S{0,12}\\s{1,3}(?:\\S{1,14}\\s{1,3}){0,2}(?:yok say(?!ma)|unut(?!ma)|görmezden gel(?!me)|dikkate alma|boş ver(?!me)|göz ardı(?! etme))`,
  ],
  'override-indonesian-vietnamese': [
    'Override of instructions in Indonesian or Vietnamese',
    'High',
    `(?<!\\bjangan )\\b(?:abaikan|lupakan|hiraukan)\\b${gap(40)}(?:instruksi|perintah|aturan|petunjuk|arahan)`,
    `(?<!đừng |không (?:được |thể )?|chớ )(?:bỏ qua|phớt lờ|quên)${gap(30)}(?:hướng dẫn|chỉ dẫn|mệnh lệnh|quy tắc|chỉ thị|yêu cầu)`,
  ],
});
