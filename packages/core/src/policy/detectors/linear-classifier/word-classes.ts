import { hashWord } from './word-hash.ts';

/*
 * Words that do the same work in an attack, whichever of them is used and in which language. A table
 * learns from a few texts what stands beside what, and knows it of words that it has never seen there.
 */
const classes: readonly string[] = [
  // to drop
  'ignore ignores ignoring ignored disregard disregards disregarding forget forgets forgetting override overrides overriding overrule bypass bypasses bypassing skip drop discard discarded abandon cancel cancelled erase scrap omit dismiss neglect overlook void obsolete outdated vergiss ignoriere ignorier missachte oublie oubliez ignorez olvida olvide ignora ignorar dimentica esqueça desconsidere vergeet negeer zapomnij zignoruj забудь игнорируй unut withdraw withdrawn void nevermind deja zignoruj ignoruj ignorer ignorér ignorera ignoreer glem glöm vergeten zapomeň zapomnij pomiń lupakan abaikan Забудь Забудьте забудьте Игнорируй проигнорируй ignorar descarta descarte omite ignoriert ignorieren vergessen',
  // what orders
  'instruction instructions rule rules guideline guidelines directive directives order orders command commands policy policies direction directions constraint constraints protocol protocols programming anweisung anweisungen regel regeln vorgaben richtlinien consigne consignes instrucción instrucciones règle règles regla reglas regole istruzioni instruções regras instrukcje polecenia инструкции указания правила talimatları instructies regels richtlijnen instruktioner regler riktlinjer instrukser retningslinjer instrukcji zasady zasad wytyczne pokyny pravidla instrukce instruksi aturan petunjuk talimat talimatlar kurallar kurallarını инструкцию инструкций указаний правило правил промпт systemprompt systeemprompt systemprompten istem istemini directivas normas direttive diretrizes orientações',
  // what limits
  'restriction restrictions limit limits limitation limitations filter filters safety ethics ethical moral morals morality censorship guardrail guardrails boundaries safeguards conscience lecture einschränkungen grenzen filtre filtres restricciones límites limiti restrições ограничений suspended lifted filtrów filtros filtri filters ograniczenia ograniczeń omezení begränsningar begrensningene begrænsninger beperkingen kısıtlamaların filtresi фильтров ограничения batasan batasanmu restrizioni einschränkung',
  // what came before
  'previous previously above earlier preceding former past original initial initially beginning top vorherigen vorher oben bisherigen früheren précédentes précédente anteriores anterior previas precedenti wcześniejsze предыдущие önceki vorige eerdere tidigare tidligere poprzednich poprzednie předchozí önceki sebelumnya предыдущих выше precedente anteriormente',
  'prompt prompts preprompt context configuration setup preamble',
  // to show
  'reveal reveals show print output display repeat paste dump list recite disclose leak quote expose spell echo return zeig zeige gib affiche montre montrez muestra muéstrame mostrami mostra revele mostre pokaż покажи göster laat toon vis visa ukaž ukázat wyświetl powtórz zopakuj upprepa gentag gjenta herhaal Покажи Повтори повтори выведи tekrarla ulangi tampilkan tunjukkan répète repite repita ripeti wiederhole gib nenne mostrar',
  // what is kept
  'secret secrets password passwords passphrase passcode confidential hidden private credentials credential internal classified kennwort passwort geheim geheime secreto secreta contraseña segreta senha hasło пароль şifre wachtwoord lösenord lösenordet passord passordet adgangskode adgangskoden heslo tajné hasło tajne şifreyi gizli sandi rahasia geheime hemliga hemmelige секретный contrasinal parola senhas',
  'code codes key keys token tokens pin vault flag access',
  // you and me
  'you your yours yourself u du dein deine deiner dir ihr tu te ton ta tes vous votre vos tú ti tus su usted você sua seu ты тебе твои yourselves tuyo je jouw jij seu',
  'me my mine i us mir mich mein meine moi mon ma mes mí mi',
  // parts to play
  'act acts acting pretend roleplay simulate simulation imagine become becomes persona character role play playing impersonate scenario spiele tue verhalte joue joues agis actúa finge agisci fingi aja',
  // freedom
  'unrestricted unfiltered uncensored unlimited unbound free freed liberated unlocked unlock jailbreak jailbroken dan unleashed amoral evil dirty wild freely open raw',
  'no without zero none nothing lacks ohne keine sans aucune aucun sin ninguna senza nessun sem nenhum без nowhere zonder nada niets zonder utan uden uten bez brak tanpa hiçbir olmadan никаких',
  "not never don't doesn't won't can't cannot nicht nie ne pas jamais nunca non mai não не nunca niemals aldrig aldri nooit nigdy nikdy nie asla tidak jangan никогда нельзя",
  // misdeeds
  'bomb bombs drug drugs meth hack hacking steal stolen kill weapon weapons malware explosive explosives poison forge counterfeit fake illegal unethical immoral harmful violent crime criminal phishing napalm virus stalk launder fraud nerve murder suicide hate racist sexual explicit nsfw',
  // machines and people
  'ai assistant assistants model models llm llms chatbot agent agents bot bots gpt chatgpt claude copilot gemini openai anthropic intelligence ki ia assistent agente asistente assistente ии summariser summarizer summarisers summarizers reviewer reviewers robot robots machine machines automated helper helpers bing siri alexa modell modelle sprachmodell sprachmodelle modèle modelo modello modelos agenten agents assistants assistenten conversationnel sprachmodellen ии Ассистент ассистент ассистента asystent asystenta asistan asistana asisten asistent asistenta ki kunstig yapay zeka zekâ sztuczna inteligencia inteligência intelligenza künstliche modellen modellerne modelle modely modeli modeller модель модели нейросеть',
  'user users human visitor reader owner customer person people anyone somebody anybody nutzer utilisateur usuario utente principal owners patron client guest visitors reader applicant candidate nutzerin gebruiker utente usuaria usuario cliente clienta utilizador utilisatrice gebruiker användaren användare brukeren brugeren użytkownik użytkownikowi uživatel uživateli kullanıcı kullanıcıya pengguna пользователь пользователю пользователя',
  // deeds
  'send forward transfer email mail post upload share submit deliver transmit pass append attach export message überweise sende leite envoie envía comparte invia envie sends sending forwards forwarding transfers wire wires wiring relay dm text texts sms hand hands drop cc bcc copy copies publish pipe route redirect redirects give gives giving reply weiter weiterleiten senden schicke überweisen teile transfère transfere transferisci trasferisci partage comparte stuur verstuur doorsturen vidarebefordra vidaresend videresend przekaż wyślij přepošli pošli ilet gönder teruskan kirim перешли отправь inoltra reenvía encaminhe transfère leite schick',
  'delete remove change grant book buy purchase invite add run execute visit click download install approve raise pay reset create update unlock open close merge push cancel reserve schedule upgrade order move wipe deactivate activate disable enable rename replace swap rank rate mark recommend register subscribe sign log accept confirm commit deploy lock switch turn write save store put set make assign collect gather fetch retrieve read get look search find insert lösche öffne supprime borra elimina cancella annule cambia ändere verwijder radera slett slet usuń smaž sil hapus удали delete apague apaga supprimez löschen',
  // unseen
  'silently secretly quietly mention mentioning notify inform unnoticed discreetly covertly erwähne hush unobserved covert stealthily privately invisible invisibly trace traces hide hides conceal conceals background tell telling told anyone nobody sag dire digas decir davon noem nämn nevn nævn wspominaj nezmiňuj söyleme menyebutkannya упоминай говори menciones mencione mention stillschweigend heimlich tajně potajemnie',
  // without exception
  'always must only exactly every any anything everything whatever all solely just else alles tout toujours todo siempre tutto sempre tudo всё всегда whichever whoever each alleen bara bare kun tylko jen jenom pouze yalnızca sadece hanya только всё все alles alla alle alt všechny všechno wszystkich wszystko semua tüm tümü her todas tutte',
  // refusals
  'refuse refuses refusing refusal refusals decline declines reject deny apologise apologize apologies sorry hesitate hesitation unable warn warning warnings disclaimer disclaimers forbidden prohibited verweigere niega weigert vägrar nekter afviser odmawia odmítne reddetmeyen menolak отказываешь отказывай rifiuta niega recusa refuse ablehnst lehnst',
  // authority
  'admin administrator developer developers system root operator engineer sudo debug maintenance mode authorised authorized permission verified security creator entwickler desarrollador chief owner authority compliance legal regulation policy operations department team staff ontwikkelaar utvecklare utvikler utvikleren udvikler programista programistą vývojář geliştirici geliştiricinim pengembang разработчик desarrolladora desenvolvedor sviluppatore développeur entwicklerin',
  // beginnings and ends
  'start begin starts begins prefix end ending finish complete continue beginne commence empieza',
  'task tasks request requests question questions job assignment goal objective mission aufgabe tâche tarea brief errand step steps duty plan turn',
  'text texts words word sentence line lines paragraph content document verbatim wording wortlaut',
  'if when whenever until unless',
  'please bitte kindly',
  'done completed over ended closed',
  // pressure and order
  'important urgent urgently immediately critical priority attention mandatory required crucial essential imperative wichtig dringend urgente importante immediate effect straight once asap now right pflicht obbligatorio belangrijk viktigt viktig vigtigt ważne důležité önemli penting важно Важно dringend',
  'first then afterwards after once prior before',
  'need needs should shall has have had want wants wanted expected asked supposed instructed told would may allowed muss sollst soll doit debe deve has hath bound obliged expected ought requires require',
  // where to and what of
  'http https www com url link links address account iban number website page site server',
  'money dollars dollar euros euro payment payments amount balance bank card cards',
  'file files folder folders data records record contacts contact emails mails conversation history inbox calendar event events appointment repository channel list details information',
  // reading
  'reading reads read processing processes process summarising summarizing summarise summarize summarises summarizes summary reviewing review reviews parsing browsing analysing analyzing analyse translating answering visiting evaluating ranking compares replying',
  'tool tools function functions call calls called parameter argument api plugin command terminal',
  // to say
  'say says saying tell tells answer answers write respond responds reply replies state claim claims conclude announce describe express finish present antworte réponds responde rispondi',
  // who is called
  'dear hey hi hello attention note notice ps nb memo reminder hinweis achtung nota atención attenzione messaggio lieber cher estimado',
  // by whose leave
  'behalf consent approval approved authorized authorised authorises agreed agreement confirmation confirmations permission permissions asking ask asks confirm trusts obtained allowed',
  // in whose place
  'instead rather afterwards thereafter meanwhile beforehand ahead prior later thereupon statt danach avant después antes prima bevor',
  // what pages hide
  'div span style display none hidden font color colour size alt aria label script html comment img px',
  // forged turns
  'inst sys im endoftext eot header_id start_header_id end_header_id tool_response function_results tool_result results result response output role content',
  // to rank
  'best better top positive excellent hire recommend recommended praise favour favourable safest stars marks winner trustworthy',
  // for later
  'memory remember future conversations onwards henceforth permanently forever persist hereafter session',
];

/** Hashes of words, from the slot on that their lower bits say, and their classes: few slots are taken. */
const slots = 4_096;
const known = new Int32Array(slots);
const classOfSlot = new Uint8Array(slots);

const slotOf = (hash: number): number => {
  let slot = hash & (slots - 1);
  while (classOfSlot[slot] !== 0 && known[slot] !== hash) slot = (slot + 1) & (slots - 1);
  return slot;
};

/** The class of a word by its hash, from 1 to 63; 0 for a word of none. */
export const classOf = (hash: number): number => classOfSlot[slotOf(hash)] as number;

classes.forEach((words, index) => {
  for (const hash of words.split(' ').map(hashWord)) {
    const slot = slotOf(hash);
    // Of several classes a word has the first.
    if (classOfSlot[slot] !== 0) continue;
    known[slot] = hash;
    classOfSlot[slot] = index + 1;
  }
});
