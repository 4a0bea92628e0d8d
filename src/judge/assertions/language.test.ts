import { expect, test } from 'vitest';
import { depsFor, subjectOf } from '../judge.fixture.ts';
import { judge, judgedElsewhere } from '../judge.ts';
import { findAssertionType } from '../registry.ts';

async function verdictOn(output: unknown, value: unknown) {
  const [verdict] = await judge(subjectOf(output), [{ type: 'language', value }], depsFor('/nowhere'));
  return verdict;
}

/** What a support agent may say. */
const SENTENCES: Record<string, string> = {
  af: 'Dankie dat jy ons gekontak het. Ek het jou bestelling gevind en dit sal môre by jou huis aankom, maar jy moet nog vir die aflewering betaal.',
  am: 'እናመሰግናለን። ትዕዛዝዎ ነገ ይደርሳል።',
  ar: 'شكرا على رسالتك. لقد وجدنا طلبك وسوف يصل إلى منزلك غدا، ولكن يجب أن تدفع ثمن التوصيل عند الاستلام.',
  bg: 'Благодаря за съобщението. Намерих поръчката ви и тя ще бъде доставена утре, но трябва да платите при получаването, защото картата не е приета.',
  bn: 'আপনার বার্তার জন্য ধন্যবাদ। আপনার অর্ডার আগামীকাল পৌঁছাবে।',
  ca: 'Gràcies pel seu missatge. Hem trobat la comanda i arribarà demà a casa seva, però encara no ha pagat les despeses amb la targeta.',
  cs: 'Děkuji za vaši zprávu. Našel jsem vaši objednávku, která bude doručena zítra, ale můžete ji také vyzvednout v prodejně, když to je pro vás lepší.',
  de: 'Vielen Dank für Ihre Nachricht. Ich habe Ihre Bestellung gefunden, und sie wird morgen bei Ihnen ankommen.',
  el: 'Ευχαριστούμε για το μήνυμά σας. Η παραγγελία σας θα φτάσει αύριο.',
  en: 'Thank you for your message. I have found your order, and it will arrive tomorrow.',
  es: 'Gracias por su mensaje. He encontrado su pedido y llegará mañana a su casa.',
  fa: 'از پیام شما ممنون هستم. سفارش شما را پیدا کردم و فردا به دست شما می‌رسد، اما باید هزینه ارسال را پرداخت کنید.',
  fi: 'Kiitos viestistäsi. Löysin tilauksesi ja se saapuu huomenna, mutta sinun on myös maksettava toimitus, jos et ole vielä maksanut sitä.',
  fr: 'Merci pour votre message. Votre commande est arrivée dans notre magasin et vous pouvez la retirer demain.',
  he: 'תודה על ההודעה שלך. ההזמנה תגיע מחר.',
  hi: 'आपके संदेश के लिए धन्यवाद। हमने आपका ऑर्डर ढूंढ लिया है और यह कल आपके घर पर पहुंच जाएगा।',
  hu: 'Köszönöm az üzenetét. Megtaláltam a rendelését, és az holnap meg fog érkezni, de még ki kell fizetnie a szállítást, mert az nem volt benne.',
  is: 'Takk fyrir skilaboðin. Ég fann pöntunina þína og hún verður send til þín á morgun, en það er ekki búið að borga fyrir sendinguna.',
  it: 'Grazie per il suo messaggio. Ho trovato il suo ordine, che arriverà domani a casa sua.',
  ja: 'メッセージをありがとうございます。ご注文は明日届く予定です。',
  ka: 'გმადლობთ შეტყობინებისთვის. თქვენი შეკვეთა ხვალ მოვა.',
  ko: '메시지를 보내 주셔서 감사합니다. 주문하신 상품은 내일 도착합니다.',
  lt: 'Ačiū už jūsų žinutę. Aš radau jūsų užsakymą, ir jis bus pristatytas rytoj, bet jūs dar turite sumokėti už pristatymą, nes tai nėra įskaičiuota.',
  lv: 'Paldies par jūsu ziņu. Es atradu jūsu pasūtījumu, un tas tiks piegādāts rīt, bet jums vēl ir jāsamaksā par piegādi.',
  nl: 'Bedankt voor uw bericht. Ik heb uw bestelling gevonden en deze wordt morgen bij u thuis bezorgd.',
  pl: 'Dziękuję za wiadomość. Znalazłem Pana zamówienie i zostanie ono dostarczone jutro, ale nie jest jeszcze opłacone.',
  pt: 'Obrigado pela sua mensagem. Encontrei o seu pedido e ele vai chegar amanhã, mas você ainda não pagou o frete.',
  ro: 'Mulțumesc pentru mesaj. Am găsit comanda și va ajunge mâine la dumneavoastră, dar nu este încă plătită.',
  ru: 'Спасибо за ваше сообщение. Я нашёл ваш заказ, и он будет доставлен завтра, но доставка ещё не оплачена.',
  sv: 'Tack för ditt meddelande. Jag har hittat din beställning och den kommer att levereras i morgon, men du måste också betala för frakten.',
  sw: 'Asante kwa ujumbe wako. Nimepata agizo lako na litafika kesho, lakini pia unahitaji kulipa kwa sababu ya usafirishaji katika nyumba yako.',
  ta: 'உங்கள் செய்திக்கு நன்றி. உங்கள் ஆர்டர் நாளை வரும்.',
  th: 'ขอบคุณสำหรับข้อความของคุณ สินค้าจะมาถึงพรุ่งนี้',
  tr: 'Mesajınız için teşekkürler. Siparişinizi buldum ve yarın size teslim edilecek, ama daha ödeme yapılmadı çünkü bu kart çok eski.',
  uk: 'Дякую за ваше повідомлення. Я знайшов ваше замовлення, і воно буде доставлене завтра, але доставка ще не оплачена.',
  ur: 'آپ کے پیغام کا شکریہ۔ ہم نے آپ کا آرڈر ڈھونڈ لیا ہے اور یہ کل آپ کے گھر پہنچ جائے گا۔',
  vi: 'Cảm ơn bạn đã nhắn tin. Tôi đã tìm thấy đơn hàng của bạn và nó sẽ được giao vào ngày mai.',
  zh: '感谢您的留言。我们已经找到了您的订单，明天将会送到您的家里。',
};

test.each(Object.entries(SENTENCES))('tells %s', async (code, text) => {
  expect(await verdictOn(text, code)).toEqual({ type: 'language', status: 'passed' });
});

test('no sentence passes as another language', async () => {
  const codes = Object.keys(SENTENCES);
  const wrong: string[] = [];
  for (const [code, text] of Object.entries(SENTENCES)) {
    for (const other of codes) {
      if (other === code) continue;
      if ((await verdictOn(text, other))?.status !== 'failed') wrong.push(`${code} as ${other}`);
    }
  }
  expect(wrong).toEqual([]);
});

test('a failure names the language', async () => {
  const actual = SENTENCES['de'];
  expect(await verdictOn(actual, 'en')).toEqual({
    type: 'language',
    status: 'failed',
    message: 'the language of the answer is German (de), not English (en)',
    expected: 'en',
    actual,
  });
  expect((await verdictOn('Hi', 'zh'))?.status).toBe('error');
  expect((await verdictOn('', 'en'))?.message).toBe('no answer');
});

test.each<[string, unknown, string]>([
  ['OK', 'en', 'the answer has too few letters to tell its language'],
  ['42', 'en', 'the answer has too few letters to tell its language'],
  ['Paris Berlin London', 'en', 'the answer is too short to tell its language'],
  ['東京都', 'zh', 'the language of the answer cannot be told: it may be Japanese (ja) or Chinese (zh)'],
  [
    'Svatko ima pravo na slobodu i to se ne može dovesti u pitanje, jer je to zakon.',
    'sr',
    expect.stringContaining('cannot be told'),
  ],
])('%s cannot be told, which is an error', async (text, value, message) => {
  expect(await verdictOn(text, value)).toEqual({ type: 'language', status: 'error', message });
});

test('a script that the language does not have is enough to fail', async () => {
  expect(await verdictOn('Да', 'en')).toMatchObject({ status: 'error' });
  expect(await verdictOn('Привет', 'en')).toMatchObject({
    status: 'failed',
    message: 'the language of the answer is not English (en)',
  });
});

test('one of several languages is enough', async () => {
  expect(await verdictOn(SENTENCES['de'], ['en', 'de'])).toEqual({ type: 'language', status: 'passed' });
  expect(await verdictOn('東京都', ['zh', 'ja'])).toEqual({ type: 'language', status: 'passed' });
});

test('code, addresses, and names of fields do not count', async () => {
  const text = `${SENTENCES['de']}\n\n\`\`\`js\n// the answer is in the code and it has many words of this and that\n\`\`\`\nhttps://example.com/the/of/and/to`;
  expect(await verdictOn(text, 'de')).toEqual({ type: 'language', status: 'passed' });
  const structured = { the_answer_to_the_question_of_the_user: [SENTENCES['fr']] };
  expect(await verdictOn(structured, 'fr')).toEqual({ type: 'language', status: 'passed' });
});

test.each<[unknown, string, string | undefined]>([
  ['xx', 'unknown language "xx"', undefined],
  ['pt-BR', 'unknown language "pt-BR"', 'did you mean "pt"?'],
  ['German', 'unknown language "German"', 'did you mean "de"?'],
  [['en', 7], 'unknown language 7', undefined],
])('%j: %s', (value, message, hint) => {
  const all = expect.stringMatching(/^the languages are af, am, ar, az, /) as unknown as string;
  expect(findAssertionType('language')?.check({ type: 'language', value }, {})).toEqual([
    { message, hint: hint ?? all },
  ]);
});

test('it is judged in another process, which loads the words', () => {
  expect(judgedElsewhere({ id: 'a', input: 'b', assert: { type: 'language', value: 'en' } })).toEqual({
    apart: true,
    asks: false,
  });
});
