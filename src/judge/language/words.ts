// Frequent words of languages that share a script, and letters that only some of them have.

/** By language: words that most texts have, with a space between. */
export const WORDS: Record<string, string> = {
  // Latin
  af: `die en van het is dat nie vir om met op te aan wat hy ek jou jy ons hulle word kan sal moet baie ook maar deur
    hierdie daar na uit as een sy haar sê nog meer hoe waar wees tot asseblief dankie was
    het elkeen reg eie geen sodanige`,
  az: `və bir bu üçün ilə çox nə daha kimi olan o amma ən qədər var mən sən biz siz onlar deyil hər sonra necə harada lütfən
    olduğu ki ya hüququ malikdir şəxs tərəfindən görə təşəkkür edirəm öz heç`,
  ca: `de la el els les que i a en un una per amb és no es del dels al als ho hi més com però si són ser ha han està
    seva seu aquest aquesta aquests tot tots també quan pot molt sense sobre qui què fer jo vostè gràcies bé dret té`,
  cs: `a se na v je že to s z do o jsem jako ale za po by si pro jsou tak co od nebo když který která které být jeho
    její má může není aby jen už pak při tento také jak kde jste děkuji prosím můžete bude byl byla podle každý`,
  cy: `yn y a i o ar yr mae ei gan am wedi bod neu hawl pawb ac un hyn nid fel eu hwn i'r o'r bydd sydd gyda mewn diolch
    chi fi ni oedd ond os yw na`,
  da: `og i at det er en til af på de for ikke der den har med som jeg et vi var sig kan du om så men han fra eller
    skal vil kunne havde ved hvis hvor hvad også efter mere blev meget tak være denne dette alle enhver deres`,
  de: `der die und in den von zu das mit sich des auf für ist im dem nicht ein eine als auch es an werden aus er hat
    dass sie nach wird bei einer um am sind noch wie einem über einen so zum war haben nur oder aber vor zur bis mehr
    durch man sein wurde ich du wir ihr kann können wenn hier bitte danke was wo sehr ihre jeder`,
  en: `the of and to in a is that it was for on are as with his they at be this from have or by one had not but what all
    were when we there can an your which their said if do will each about how up out them then she many some so these
    would other into has more two like him see could no make than first been its who now people my made over did i you
    he please thank thanks should may any because also`,
  es: `de la que el en y a los se del las un por con no una su para es al lo como más o pero sus le ha me si sin sobre
    este ya entre cuando todo esta ser son dos también fue había era muy años hasta desde está mi porque qué sólo han yo
    hay vez puede todos así nos ni parte tiene él uno donde bien tiempo mismo ese usted gracias cada derecho`,
  et: `ja on ei see et ta oli mis kui ka ning oma või aga ma sa me te nad seda selle kes siis nii veel juba ole olen oled
    saab pole kuid mida kus nende tema neid mitte ainult väga palun aitäh võib peab igal igaüks kõik tuleb olla`,
  fi: `ja on ei että se hän oli mutta kun ovat joka ole olla niin myös tai sen jos kuin minä sinä me te he tämä mitä hänen
    sekä vain voi nyt jo mukaan ovat olivat siitä tässä siellä mikä kiitos ole hyvä olen olet sitä kanssa ennen jokaisella
    joka kaikki niiden`,
  fr: `de la le et les des en un du une que est pour qui dans a par plus pas au sur ne se ce il sont avec ou son mais
    comme on tout nous sa aux ont été cette ses aussi leur elle vous je si peut bien très sans fait être deux même
    ces où entre tous après merci votre notre c'est d'une d'un qu'il n'est toute droit`,
  ga: `agus an na a ar i is le do go ag gach duine ceart aige nó bheith sé sí chun ó féin atá tá bhí ní mar maith agat
    raibh leis den don siad sin seo`,
  gl: `de a o que e do da en un unha para con non os no se na por máis as dos como pero ao el das á seu súa ou cando moi nos xa
    está eu tamén só polo pola ata iso ela entre despois sen mesmo quen é ten foi pode grazas ben aquí hai toda dereito
    persoa lle calquera`,
  hr: `je i u se na da za su od koji o s a kao ne će te što to iz do ili bi koja nije po ali sam bio samo koje biti više tko
    gdje uvijek vrijeme svijet tjedan prije također može mogu molim hvala ste smo svatko pravo njegov svoje jer kako`,
  hu: `a az és hogy nem is egy ez de van meg csak már volt ha mint el azt még ki vagy ezt le fel kell lehet én te mi ők
    neki ami aki amely minden után között szerint mert nagyon köszönöm kérem hogyan hol mit jó így majd sem pedig joga`,
  id: `yang dan di dengan untuk pada adalah ini itu dari dalam tidak akan ke oleh juga saya anda atau ada karena bisa lebih
    kami mereka telah sudah seperti dapat satu orang hanya saat namun bahwa tersebut setiap harus belum jika
    terima kasih silakan apa bagaimana berhak`,
  is: `og að í á það er til um með sem ekki við en af fyrir var hann ég þú því eru hún þeir þetta frá eða verið hefur vera
    allir hver maður mjög takk svo þegar hafa upp út eftir eins okkur þér þessi þá réttar skal`,
  it: `di e il la che in a per un è del non una i le con si da sono come al della alla più ma dei anche nel ha lo se gli
    delle o su questo ci io lei questa tutti molto suo sua essere stato fatto quando dove mi ti perché tra può grazie cosa
    hanno degli dal nella dell ogni ed diritto individuo`,
  lt: `ir yra kad į iš su tai ne jis bet kaip o buvo už tik nuo ar apie ji jie po savo taip dar būti kuris kuri kai jau gali
    aš tu mes jūs labai prašau ačiū kur jo jos visi arba turi teisę kiekvienas žmogus`,
  lv: `un ir ka uz par no ar kas es tu mēs jūs viņš viņa bet tas tā kā vai arī ne pie savu var būt bija nav tikai lai pēc ļoti
    paldies lūdzu kur jo šis šī līdz tiek katram tiesības cilvēks visi`,
  ms: `yang dan di dengan untuk pada adalah ini itu dari dalam tidak akan ke oleh juga saya anda atau ada kerana boleh lebih
    kami mereka telah sudah seperti dapat satu orang hanya tetapi bahawa tersebut setiap harus jika ialah awak
    terima kasih sila apa bagaimana berhak kepada tiap`,
  nl: `de en van het een in is dat op te zijn met voor niet die aan er om ook als dan maar bij of uit nog door over ze zich
    wordt hij ik je jij u we wij worden naar kan geen deze heeft hebben meer wat werd al wel zo veel dit kunnen tot
    waar hoe alstublieft dank bedankt uw onze ieder heeft recht`,
  no: `og i det er på en til som for at med av ikke har den de jeg et han om var seg men kan fra så vi du eller ble ved
    skal vil etter hun være bare hvis hva nå også noe når mer sin hvor kunne hadde veldig takk vær dette deg meg
    rett enhver sitt gjennom`,
  pl: `i w na z się nie do to że jest o jak za od po co tak ale dla już czy by przez są może ten tym jego jej tego być
    oraz lub który która które jako także tylko bardzo gdy jeśli proszę dziękuję gdzie pan pani mnie ma każdy człowiek
    prawo swoje ich`,
  pt: `de a o que e do da em um para com não uma os no se na por mais as dos como mas ao ele das à seu sua ou quando muito
    nos já está eu também só pelo pela até isso ela entre depois sem mesmo aos seus quem nas me esse eles você essa num
    nem são ser tem foi pode obrigado bem aqui há toda direito pessoa`,
  ro: `și de în a la cu nu o că este pe să din pentru un care mai se sau ca ce au fi am au fost prin dar al lui ei sunt
    dacă foarte după când fără poate acest această toate eu tu noi voi mulțumesc unde cum între orice dreptul persoană
    are`,
  sk: `a sa na v je že to s z do o som ako ale za po by si pre sú tak čo od alebo keď ktorý ktorá ktoré byť jeho jej má môže
    nie aby len už potom pri tento tiež kde ste ďakujem prosím môžete bude bol bola podľa každý`,
  sl: `in je v na se da za so z ki pa ne po s kot o tudi od ali bi bil bila iz do pri kaj kako če sem si smo ste ni samo lahko
    še ima več vse kjer hvala prosim zelo ker jih mu njegov vsakdo pravico svoje kdo`,
  sq: `të e në dhe i për me një që nga u është më se si ka kjo ky do po por nuk janë ose edhe pas ishte tij saj unë ti ne ju
    ata shumë faleminderit ju lutem mund duhet kur ku çdo gjithë`,
  sr: `je i u se na da za su od koji o s a kao ne će te što to iz do ili bi koja nije po ali sam bio samo koje biti više ko
    gde uvek vreme svet nedelja pre takođe može mogu molim hvala ste smo šta svako pravo njegov svoje jer kako`,
  sv: `och i att det som en på är av för med den till inte har de om ett var jag men så kan från vi du han eller ska vid
    efter hon ut när vill också bara mycket sig nu hur vad än skulle alla andra mer där här tack detta denna sin
    envar rätt vara`,
  sw: `na ya wa kwa ni katika za la kuwa hii huo huu cha yake kama au lakini pia yao hiyo si sana mimi wewe yeye sisi wao
    hapa hapo asante tafadhali kila mtu watu kutoka bila baada ana haki`,
  tl: `ang ng sa na mga at ay ni si kay hindi ito ko mo niya siya ako ikaw kami tayo sila para may mayroon kung o pero lang
    din rin nang ba po opo salamat paano ano saan dahil bawat isa lahat karapatan`,
  tr: `ve bir bu da de için ile çok ne daha gibi olarak olan o ama en kadar var ben sen biz siz onlar değil mi mı ya ise her
    sonra şey nasıl nerede lütfen teşekkürler ederim olduğu ki veya hakkı kişi tarafından göre`,
  vi: `và của là có không được trong cho với một các người này đã những khi đó cũng từ ra như về để tôi bạn anh chị nhưng rất
    nhiều thì sẽ đến ở làm năm hay vì lại đang cảm ơn xin gì nào mọi quyền đều`,
  // Cyrillic
  be: `і у не на што з я да гэта як а ён за ад па але яго для так ці толькі яна мы вы яны калі быць ёсць быў была вельмі дзякуй
    калі ласка дзе мае кожны чалавек права сваё або`,
  bg: `и на да се в за от не е с че са по като до но той тя те това при което който която или бъде са съм си ще беше
    много когато къде моля благодаря може само този тази всеки човек има право`,
  mk: `и на да се во за од не е со дека што по како до но тој таа тие ова при кое кој која или биде сум си ќе беше
    многу кога каде молам благодарам може само овој оваа секој човек има право`,
  ru: `и в не на что я он с как это по но они мы она так его за от был для о же вы все было к из у только бы если или быть
    когда уже ещё еще есть чтобы где очень пожалуйста спасибо может этот эта которые который при до каждый человек имеет
    право`,
  'sr-cyrl': `је и у се на да за су од који о с а као не ће те што то из до или би која није по али сам био само које бити
    више ко где увек време свет пре такође може могу молим хвала сте смо шта свако право његов своје јер како`,
  uk: `і в не на що я він з як це по але вони ми вона так його за від був для про ж ви всі було до із у тільки би якщо або бути
    коли вже ще є щоб де дуже будь ласка дякую може цей ця які який при та кожна людина має право`,
  // Arabic
  ar: `في من على إلى أن هذا هذه التي الذي عن مع لا ما كان كل أو هو هي لم قد بعد ذلك بين أي إن عند لكن حتى كما أنا أنت نحن
    شكرا يمكن كانت ولا وفي غير هناك حق شخص`,
  fa: `و در به از که این را با است برای آن یک خود تا بر هم نیز من ما شما او آنها می نمی شد شده کرد کند باید هر یا اگر چه
    چون اما بود دارد سپس لطفا ممنون خواهد های ای حق`,
  ps: `د په او چې له سره دی ده کې چه نه هر ته څوک لري حق یا دغه خپل شي دا هغه زه تاسو موږ مننه وي پر`,
  ur: `کے کی میں ہے اور سے کا کو اس نے ہیں پر یہ وہ کہ بھی تھا ایک کر ہو جو تو ہم آپ مجھے نہیں کیا لئے لیے گیا رہا تھے ساتھ
    شکریہ براہ کرم حق شخص`,
  // Devanagari
  hi: `के है में की से को का और यह हैं पर नहीं एक भी कि लिए तो इस वह ने हो कर ही था जो मैं आप हम अपने या गया करने साथ बाद
    धन्यवाद कृपया क्या कैसे अधिकार प्रत्येक`,
  mr: `आहे आणि या ते तो ती हे की मी तुम्ही आम्ही नाही होते होता असे आहेत करून साठी त्यांच्या त्याच्या एक पण काय कसे कृपया
    धन्यवाद मध्ये झाला केले किंवा व`,
  ne: `छ र को मा लाई हो यो पनि भएको गर्न छन् हुने तथा भन्ने हुन्छ म तपाईं हामी छैन थियो एक गरेको उनी कृपया धन्यवाद के कसरी
    वा प्रत्येक व्यक्तिलाई अधिकार`,
};

/** Letters that only some languages of a script have. */
export const LETTERS: [letters: string, languages: string][] = [
  ['ß', 'de'],
  ['ñ', 'es'],
  ['¿¡', 'es'],
  ['ãõ', 'pt'],
  ['œ', 'fr'],
  ['ł', 'pl'],
  ['ąę', 'pl lt'],
  ['ěřů', 'cs'],
  ['ľĺŕ', 'sk'],
  ['őű', 'hu'],
  ['țșţ', 'ro'],
  ['ğı', 'tr'],
  ['ơưđ', 'vi'],
  ['ạảấầẩẫậắằẳẵặẹẻẽếềểễệỉịọỏốồổỗộớờởỡợụủứừửữựỳỵỷỹ', 'vi'],
  ['ėįų', 'lt'],
  ['āēīūģķļņ', 'lv'],
  ['ðþ', 'is'],
  ['øæ', 'da no'],
  ['ć', 'hr sr pl'],
  ['õ', 'et'],
  ['ə', 'az'],
  ['ŵŷ', 'cy'],
  ['ټډړښځڅڼۍې', 'ps'],
  ['ыэё', 'ru be'],
  ['ў', 'be'],
  ['їєґ', 'uk'],
  ['ђћ', 'sr-cyrl'],
  ['ѓќѕ', 'mk'],
  ['پچژگ', 'fa ur'],
  ['ٹڈڑںےہھ', 'ur'],
  ['ةىأإ', 'ar'],
  ['ळ', 'mr'],
];
