import { chainInProse, signInProse, type SkillPattern } from '../skill-rule.ts';
import { secretStore } from './vocabulary.ts';

/*
 * Orders against the user in the languages that most people write. A model obeys them in any of them. The verb stands first
 * in some and last in others, so that it and what it is about are parts of their own.
 */

const r = String.raw;

/** By language: the verb that takes back, and what was told before. */
const overrides: Readonly<Record<string, readonly [verb: string, former: string]>> = {
  German: [
    r`(?:ignorier|vergiss|vergesst|vergessen sie|missacht|verwirf|setze dich über)`,
    r`(?:vorherige|bisherige|vorangegangene|vorige|obige|frühere|vorhergehende|ursprüngliche|sämtliche|alle deine|alle anderen)[^.!?\n]{0,28}(?:anweisung|instruktion|vorgabe|regeln|befehle|richtlinie|weisung)`,
  ],
  Spanish: [
    r`(?:ignor(?:a|e|en|ar|ad) |olvid(?:a|e|ar) |descarta|desestima|haz caso omiso|haga caso omiso)`,
    r`(?:instrucciones|órdenes|ordenes|indicaciones|directrices|reglas|normas)[^.!?\n]{0,24}(?:anteriores|previas|precedentes|originales|de arriba|del sistema)`,
  ],
  French: [
    r`(?:ignore[zr]? |oublie[zr]? |ne tiens pas compte|ne tenez pas compte|faites? abstraction)`,
    r`(?:instructions|consignes|directives|règles|ordres)[^.!?\n]{0,24}(?:précédent|antérieur|ci-dessus|initial|du système)`,
  ],
  Portuguese: [
    r`(?:ignor(?:e|a|ar|em) |esque(?:ça|ce|cer) |desconsider(?:e|a|ar) )`,
    r`(?:instruções|ordens|orientações|diretrizes|regras)[^.!?\n]{0,24}(?:anteriores|prévias|acima|originais|do sistema)`,
  ],
  Italian: [
    r`(?:ignora(?:re|te)? |dimentica(?:re|te)? |trascura|non tenere conto)`,
    r`(?:istruzioni|indicazioni|direttive|regole|ordini)[^.!?\n]{0,24}(?:precedenti|sopra|originali|iniziali|di sistema)`,
  ],
  Dutch: [
    r`(?:negeer|vergeet|sla alle)`,
    r`(?:eerdere|vorige|voorgaande|bovenstaande|oorspronkelijke)[^.!?\n]{0,24}(?:instructies|opdrachten|regels|aanwijzingen|richtlijnen)`,
  ],
  Swedish: [
    r`(?:ignorera|glöm|bortse)`,
    r`(?:tidigare|föregående|ovanstående)[^.!?\n]{0,24}(?:instruktion|anvisning|regler|order)`,
  ],
  Polish: [
    r`(?:zignoruj|ignoruj|zapomnij|pomiń)`,
    r`(?:poprzedni|wcześniejsz|powyższ|dotychczasow|pierwotn)[^.!?\n]{0,24}(?:instrukcj|poleceni|wskazów|zasad|reguł|wytyczn)`,
  ],
  Czech: [
    r`(?:ignoruj|zapomeň|nedbej)`,
    r`(?:předchoz|dosavadn|původn|výše)[^.!?\n]{0,24}(?:pokyn|instrukc|pravid|příkaz)`,
  ],
  Russian: [
    r`(?:игнорируй|игнорировать|забудь|отбрось|не обращай внимания|не учитывай|пренебреги)`,
    r`(?:предыдущ|прежни|предшествующ|вышеуказанн|изложенные выше|ранее|исходн|системн)[^.!?\n]{0,28}(?:инструкц|указани|правил|команд|приказ|директив|распоряжени)`,
  ],
  Ukrainian: [
    r`(?:ігноруй|забудь|не зважай)`,
    r`(?:попередн|вищезазначен|колишн|раніш)[^.!?\n]{0,24}(?:інструкц|вказівк|правил|команд|наказ)`,
  ],
  Chinese: [
    r`(?:忽略|无视|忽视|不要理会|不用理会|忘记|忘掉|抛弃|無視|忽視|忘記|不再遵守)`,
    r`(?:之前|以前|先前|此前|前面|以上|上述|上面|原有|原来|所有|全部|系统)[^。！？\n]{0,12}(?:指令|指示|说明|規則|规则|命令|提示|约束|限制|设定|設定)`,
  ],
  Japanese: [
    r`(?:無視し|無視せ|忘れて|忘れろ|破棄し|従わない|従うな|従わず)`,
    r`(?:以前|これまで|今まで|上記|前の|先の|先ほど|元の|すべて|全て|システム)[^。！？\n]{0,12}(?:指示|命令|プロンプト|ルール|規則|制約|指令|設定)`,
  ],
  Korean: [
    r`(?:무시|잊어|잊으|따르지 마)`,
    r`(?:이전|앞선|위의|지금까지|기존|모든|시스템)[^.!?\n]{0,12}(?:지시|지침|명령|프롬프트|규칙)`,
  ],
  Turkish: [
    r`(?:yok say|görmezden gel|unut|göz ardı et|dikkate alma)`,
    r`(?:önceki|yukarıdaki|bütün|tüm)[^.!?\n]{0,24}(?:talimat|yönerge|komut|kural)`,
  ],
  Arabic: [
    r`(?:تجاهل|انس |انسَ|أهمل|اهمل|لا تلتزم)`,
    r`(?:التعليمات|الأوامر|الاوامر|التوجيهات|القواعد|تعليمات)[^.!؟\n]{0,16}(?:السابقة|السابقه|أعلاه|الأصلية)`,
  ],
  Persian: [r`(?:نادیده بگیر|فراموش کن)`, r`(?:دستور|قوانین|راهنما)[^.!؟\n]{0,16}(?:قبلی|پیشین|بالا)`],
  Hindi: [r`(?:अनदेखा|नज़रअंदाज़|नजरअंदाज|भूल जा|उपेक्षा)`, r`(?:पिछले|पूर्व|ऊपर|पहले|सभी)[^।\n]{0,16}(?:निर्देश|आदेश|नियम)`],
  Vietnamese: [
    r`(?:bỏ qua|phớt lờ|quên hết|quên đi|không tuân theo)`,
    r`(?:hướng dẫn|chỉ dẫn|lệnh|chỉ thị|quy tắc)[^.!?\n]{0,24}(?:trước|ở trên|ban đầu|hệ thống)`,
  ],
  Indonesian: [
    r`(?:abaikan|lupakan|hiraukan)`,
    r`(?:instruksi|perintah|aturan|arahan|petunjuk)[^.!?\n]{0,24}(?:sebelumnya|di atas|terdahulu|sistem)`,
  ],
};

/** Not to tell the user, by language. */
const silences: readonly string[] = [
  r`(?:sag|sagen sie|erzähl|verrat|berichte|teile|melde|erwähne|offenbare)[^.!?\n]{0,40}(?:nutzer|anwender|kunden|user)[^.!?\n]{0,30}(?:nichts|nicht|niemals|kein wort)`,
  r`(?:ohne (?:den|dem|die|das) |ohne dass (?:der|die) )(?:be)?(?:nutzer|anwender|user)\S{0,3} (?:[^.!?\n]{0,24})(?:informieren|fragen|wissen|merkt|bemerkt|erfährt|zu sagen)`,
  r`(?:nutzer|anwender)[^.!?\n]{0,20}(?:darf|dürfen|soll|sollte)[^.!?\n]{0,20}(?:nichts|nicht)[^.!?\n]{0,24}(?:erfahren|wissen|merken|bemerken)`,
  r`(?:verheimlich|verschweig|verbirg)[^.!?\n]{0,40}(?:nutzer|anwender|user)`,
  r`no (?:se |le )?(?:lo )?(?:dig|inform|cuent|mencion|revel|avis|notifi)[^.!?\n]{0,40}usuari`,
  r`sin (?:que|informar|avisar|decir)[^.!?\n]{0,20}usuari`,
  r`ne (?:le |la |les |lui |leur |l')?(?:dis|dites|informe|mentionne|révèle|signale|préviens|prévenez|parle)[^.!?\n]{0,40}utilisat`,
  r`(?:à l'insu|sans informer|sans prévenir|sans le dire)[^.!?\n]{0,24}utilisat`,
  r`não (?:conte|diga|informe|mencione|revele|avise|fale|notifique)[^.!?\n]{0,40}(?:usuári|utilizador)`,
  r`non (?:dir|informare|menzionare|rivelare|avvisare|parlar|comunicar)[^.!?\n]{0,40}utente`,
  r`(?:vertel|zeg|meld|noem|onthul)[^.!?\n]{0,30}(?:niet|niets)[^.!?\n]{0,24}gebruiker`,
  r`(?:vertel|zeg)[^.!?\n]{0,24}gebruiker[^.!?\n]{0,20}(?:niets|niet)`,
  r`(?:berätta|säg|nämn)[^.!?\n]{0,24}inte[^.!?\n]{0,24}användar`,
  r`nie (?:mów|informuj|wspominaj|ujawniaj|zdradzaj|powiadamiaj)[^.!?\n]{0,40}użytkownik`,
  r`(?:neříkej|neinformuj|nezmiňuj|neprozraď|nesděluj)[^.!?\n]{0,30}uživatel`,
  r`не (?:сообщай|говори|рассказывай|упоминай|раскрывай|уведомляй|информируй)[^.!?\n]{0,40}пользовател`,
  r`(?:втайне от|без ведома|скрой от|скрывай от)[^.!?\n]{0,8}пользовател`,
  r`не (?:кажи|повідомляй|розповідай|згадуй|розкривай)[^.!?\n]{0,40}користувач`,
  r`(?:不要|别|不得|切勿|禁止|不能|无需|無需)(?:告诉|告知|告訴|通知|提及|提醒|透露|让|讓|向)[^。！？\n]{0,8}(?:用户|使用者|用戶|客户)`,
  r`(?:对用户保密|瞒着用户|不让用户|向用户隐瞒|對使用者保密)`,
  r`(?:ユーザー?|利用者|使用者)(?:に|には|へ)[^。！？\n]{0,14}(?:知らせな|伝えな|言わな|教えな|話さな|報告しな|明かさな|気づかれな|知られな|通知しな|秘密に|内緒)`,
  r`(?:사용자|유저|고객)(?:에게|한테|께)[^.!?\n]{0,14}(?:알리지 마|알리지 말|말하지 마|말하지 말|언급하지|밝히지|보고하지)`,
  r`kullanıcı[^.!?\n]{0,20}(?:söyleme|bahsetme|bildirme|haber verme)`,
  r`لا (?:تخبر|تبلغ|تذكر|تُخبر|تكشف|تقل|تعلم)[^.!؟\n]{0,20}المستخدم`,
  r`(?:دون علم|لا تقل لل)[^.!؟\n]{0,6}مستخدم`,
  r`उपयोगकर्ता[^।\n]{0,16}(?:मत बता|न बता|ना बता)`,
  r`(?:đừng|không được)[^.!?\n]{0,12}(?:nói|tiết lộ|thông báo|cho)[^.!?\n]{0,16}người dùng`,
  r`jangan (?:beri tahu|beritahu|memberi tahu|katakan|sebutkan|ungkapkan|laporkan)[^.!?\n]{0,20}pengguna`,
];

const sending = r`(?:sende|schick|übermittl|übertrag|lade |envía|enviar|envíe|manda|envoie|envoyer|envoyez|transmet|téléverse|envie|invia|stuur|verstuur|wyślij|prześlij|отправ|перешли|загрузи|передай|надішли|відправ|发送|上传|传送|發送|上傳|送信|送って|アップロード|転送|보내|전송|업로드|gönder|yükle|أرسل|ارسل|ارفع|भेज|gửi|tải lên|kirim|unggah|skicka|pošli|odešli)`;
const secrets = r`(?:passw|schlüssel|zugangsdaten|geheimnisse|umgebungsvariablen|contraseñ|credencial|mots? de passe|identifiants|senhas|credenzial|wachtwoord|hasł|poświadcz|парол|ключ|секрет|токен|учётн|密码|密钥|凭据|凭证|令牌|环境变量|私钥|密碼|金鑰|パスワード|認証情報|シークレット|トークン|環境変数|비밀번호|자격 증명|토큰|환경 변수|şifre|parola|كلمات المرور|المفاتيح|بيانات الاعتماد|पासवर्ड|mật khẩu|kata sandi|lösenord|hesl|api[ -]?keys?)`;
const everything = r`(?:alle |sämtliche|todas|todos|toutes|tous |tutte|tutti|wszystkie|все |всі |所有|全部|すべて|全て|모든|bütün|tüm |جميع|كل |सभी|tất cả|semua|alla |všechn)`;
const elsewhere = r`(?:https?://(?!localhost|127\.)[^\s)"'<>]{4,200}|[\w.+-]{1,40}@[\w-]{1,40}\.[a-z]{2,10})`;

export const multilingualOverrides: readonly SkillPattern[] = Object.values(overrides).map((parts) =>
  chainInProse(parts),
);
export const multilingualSecrecy: readonly SkillPattern[] = silences.map((silence) => signInProse(silence));
export const multilingualTheft: readonly SkillPattern[] = [
  chainInProse([sending, secretStore, elsewhere]),
  chainInProse([sending, everything, secrets, elsewhere]),
];
