import type { AskedQuestion, DeclarationOfInterest } from '../../specification'

type User = DeclarationOfInterest['user']
type Sender = AskedQuestion['sender']

/** People whose particulars are hard on software; numbers are of the series kept free for fiction. */
export const quirkDeclarations: readonly User[] = [
  // One person, who writes her address and number in every way, to several schools.
  user('Åsa', 'Öberg', 'asa.oberg@example.se', '+46701740606', 2027),
  user('Åsa', 'Öberg', 'Asa.Oberg@Example.se', '070-174 06 06', 2027),
  user('Åsa', 'Öberg', 'ASA.OBERG@EXAMPLE.SE', '0046701740606', 2027),
  user('Asa', 'Oberg', 'asa.oberg@example.se ', '+46 70 174 06 06', 2027),
  // Siblings with one phone.
  user('Maja', 'Lindström-Hagen', 'maja.lh@example.com', '+46701740605', 2027),
  user('Elias', 'Lindström-Hagen', 'elias.lh@example.com', '+46701740605', 2029),
  // The same name twice, two people.
  user('Erik', 'Andersson', 'erik.andersson@example.org', '+46701740607', 2027),
  user('Erik', 'Andersson', 'erik.andersson.jarnbro@example.org', '+46701740608', 2028),
  // Names.
  user('Anna-Karin', 'von Essen', 'anna-karin.von-essen@example.se', '+46701740609', 2027),
  user('André', 'Éklund Ångström', 'andre.eklund@example.com', '+46701740610', 2027),
  user("D'Arcy", "O'Brien", "d.o'brien@example.com", '+46701740611', 2028),
  user('X', 'Y', 'x@example.org', '+46701740612', 2027),
  user(
    'Wolfeschlegelsteinhausenberger',
    'Gyllenstierna-Silfverschiöld-Oxenhielm',
    'wgso@example.se',
    '+46701740613',
    2027,
  ),
  user('محمد', 'الأحمد', 'm.alahmad@example.com', '+46701740614', 2027),
  // Cells that look like formulas, markup, and separators.
  user('=HYPERLINK("https://example.com";"Klicka")', '@SUM(1+1)', 'formel@example.com', '+46701740615', 2027),
  user('<img src=x onerror=alert(1)>', '<script>alert(1)</script>', 'html@example.com', '+46701740616', 2027),
  user('Semi;kolon', '"Citat", Komma', 'semi+kolon@example.com', '+46701740617', 2027),
  // A number that is none, and years that cannot be.
  user('Sam', 'Exempel', 'sam.exempel@example.com', '+467000000000', 2020),
  user('Viggo', 'Forntid', 'viggo.forntid@example.se', '+46740112233', 1999),
  user('Vera', 'Framtid', 'vera.framtid@example.se', '+46740112244', 9999),
  user('Noll', 'Nollsson', 'noll@example.org', '+46740112255', 0),
]

/** Questions whose text or sender is hard on software. */
export const quirkQuestions: readonly { question: string; sender: Sender }[] = [
  // The person with many spellings asks too, by both ways.
  { question: 'Hej! Jag har anmält intresse, när hör ni av er?', sender: byEmail('ASA.oberg@example.se') },
  { question: 'Jag ringde i går men ingen svarade. Kan ni ringa mig efter fyra?', sender: byPhone('0701740606') },
  {
    question:
      'Hej!\n\nJag har tre frågor:\n\n1. När är öppet hus?\n2. Kan man bo kvar i Österåker och pendla?\n3. Finns det halalmat?\n\n\tTack!\r\nÅsa',
    sender: byEmail('flera.rader@example.com'),
  },
  {
    question: 'Min lärare sa "sök dit"; men min pappa sa \'vänta\'; vad säger ni; "ja" eller "nej"?',
    sender: byEmail('citat@example.se'),
  },
  { question: 'Kan man läsa musik hos er?? 🎸🎶 Jag ❤️ att spela! 👩🏽‍🎤👨‍👩‍👧‍👦 🇸🇪', sender: byPhone('+46701740610') },
  { question: longText(5000), sender: byEmail('lang.text@example.org') },
  {
    question: '<script>alert(1)</script> Går det att läsa webbutveckling hos er?',
    sender: byEmail('script@example.com'),
  },
  {
    question: '<img src=x onerror="alert(document.cookie)"><b>Hej</b> &amp; tack',
    sender: byEmail('bild@example.com'),
  },
  {
    question: 'مرحبا، أنا مهتمة ببرنامج Teknik في مدرستكم. هل يمكنني زيارة المدرسة في 12/1؟',
    sender: byEmail('rtl@example.com'),
  },
  {
    question: 'Texten \u202Eädnäv tär\u202C är vänd, och \u200Bosynliga\u200B tecken finns.',
    sender: byEmail('vand@example.se'),
  },
  { question: '=HYPERLINK("https://example.com/?x="&A1;"Klicka här")', sender: byEmail('formel@example.com') },
  { question: '+46 70 174 06 11 är mitt nummer, ring gärna', sender: byPhone('+46 70 174 06 11') },
  { question: '-1', sender: byEmail('minus@example.org') },
  { question: "@SUM(1+1)*cmd|' /C calc'!A0", sender: byEmail('summa@example.org') },
  { question: '\t=1+1', sender: byEmail('tabb@example.org') },
  { question: 'Kan ni ringa mig?', sender: byPhone('+467000000000') },
  { question: 'Nås jag på det här numret?', sender: byPhone('fråga efter Kim, 070 – 174 06 12') },
  { question: '?', sender: byEmail('kort@example.se') },
  {
    question: 'https://example.com/en-mycket-lang-adress-utan-mellanslag/'.padEnd(400, 'abcdefghij'),
    sender: byEmail('lank@example.se'),
  },
]

function user(
  firstName: string,
  lastName: string,
  email: string,
  phone: string,
  highSchoolEnrollmentYear: number,
): User {
  return { firstName, lastName, email, phone, highSchoolEnrollmentYear }
}

function longText(length: number): string {
  const sentences = [
    'Jag skriver lite långt, men det är viktigt för mig att välja rätt.',
    'I åttan tänkte jag på natur, i nian på teknik, och nu vet jag inte alls.',
    'Min mormor säger att allt ordnar sig, men hon sökte gymnasium för femtio år sedan.',
    'Hur gör andra som har svårt att bestämma sig?',
    'Jag tycker om matte, men ännu mer om att bygga saker, och mest av allt om att rita.',
  ]
  let text = 'Hej!\n\n'
  for (let index = 0; text.length < length; index++) text += `${sentences[index % sentences.length]} `
  return `${text.slice(0, length - 6)}\nTack!`
}

function byEmail(email: string): Sender {
  return { mode: 'email', email, phone: null }
}

function byPhone(phone: string): Sender {
  return { mode: 'phone', phone, email: null }
}
