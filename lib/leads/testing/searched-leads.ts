import { declaration, question } from './leads'

const FIRST_NAMES = 'Åsa|Asa|Äsa|A\u030asa|Örjan|Orjan|André|Zoë|Pär|Par|Pår|Märta|Anna-Karin|J.O.|Per Erik|Maja'
const OTHER_NAMES = 'Hälle|Halle|Jürgen|Søren|Sören|Łukasz|ÅKE'
const LAST_NAMES = "Öberg|Oberg|Åberg|Sjöberg|Sjoberg|von Essen|D'Arcy|Öberg-Åhlén|Lindqvist|Ånäs"
const EMAILS = 'asa.oberg@example.se|asa.oberg2027@example.com|orjan.sjoberg@example.se|anna-karin2030@example.com|'
const SWEDISH_PHONES = '070-174 22 31|+46 70 174 22 32|0046701742233|+46 (0)70-999 17 44|08-123 456 78|46761740011'
const OTHER_PHONES = '+47 22 17 40 70|ring mamma 17|'
const TEXTS = [
  'Hej! När är ert öppna hus? Åsa hälsar.',
  'Kan man läsa musik? Vår dotter går i åk 9 och har 172,5 poäng.',
  'Finns det plats 2027? Ring 070-174 22 31 efter kl. 17.',
  'oppet hus\n\när inte öppet',
  'Går bussen från Ånäs till skolan? Jag är fran Anas.',
  'Привет! 😀я вижу вашу школу😀 в Норре, aaab.',
  'Это моя школа.',
]
const SENDERS = 'asa@skola.se|orjan.17@skola.se|maja_2027@skola.se|'

/** Picks the text of a lead among those between `|`; an empty one is null. Each number of choices has its own step. */
function pick(texts: string, index: number, step: number): string | null {
  const choices = texts.split('|')
  return choices[(index * step + Math.floor(index / choices.length)) % choices.length] || null
}

const toCreatedAt = (index: number) => new Date(Date.UTC(2026, 10, 20, 8) - index * 3_600_000).toISOString()

export const searchedDeclarations = Array.from({ length: 360 }, (_, index) =>
  declaration(`d${index}`, {
    firstName: pick(`${FIRST_NAMES}|${OTHER_NAMES}`, index, 1),
    lastName: pick(LAST_NAMES, index, 7),
    email: pick(EMAILS, index, 3),
    phone: pick(`${SWEDISH_PHONES}|${OTHER_PHONES}`, index, 5),
    createdAt: toCreatedAt(index),
  }),
)

export const searchedQuestions = Array.from({ length: 60 }, (_, index) =>
  question(`q${index}`, {
    text: TEXTS[index % TEXTS.length] ?? '',
    email: pick(SENDERS, index, 1),
    phone: pick(`${SWEDISH_PHONES}|${OTHER_PHONES}`, index, 5),
    createdAt: toCreatedAt(index),
  }),
)

/** People type, or might type, these texts into the search field; they are separated by `|`. */
export const SEARCH_QUERIES: readonly string[] = [
  `åsa|asa|äsa|ÅSA|Åsa Öberg|asa oberg|åsa oberg|asa öberg|a\u030asa|A\u030aSA O\u0308BERG|öberg åsa|ösa`,
  `örjan|orjan|pär|par|pår|PÅR|på|pa|märta|marta|märtä|hälle|halle|hålle|hölle|åke|ake`,
  `andré|andre|ANDRÉ|andrë|andrå|zoë|zoe|zöe|jürgen|jurgen|jyrgen|søren|soren|sören|łukasz|lukasz`,
  `sjöberg|sjoberg|sjåberg|åberg|aberg|berg|öberg-åhlén|oberg-ahlen|öberg-ahlén|ånäs|anas|änås|ånas`,
  `anna-karin|anna karin|karin anna|a-k|-|anna-|-karin|j.o.|j o|jo|j. o.|per erik|pererik|essen von|d'arcy|arcy|darcy`,
  `å|ä|ö|a|o|e|é|u|å ö|ä å|a o|sa|så|sä|rjan|er|be|erg|en|nä|näs|nas|hl|hlé`,
  `  åsa  |åsa\u00a0öberg|\tåsa\nöberg|åsa åsa|asa åsa|åsa äsa|zzz|åsa zzz|\u0301|\u00a0||   `,
  `asa.oberg@|åsa.oberg@|oberg@|oberg2027@|@example.se|example.com|xample|ample.s|.se|se|2027@|027|20|åsa 2027@`,
  `070-174 22 31|0701742231|070.174.22.31|(070) 174 22 31|+46701742231|0046 70-174 22 31|+46 (0)70-174 22 31`,
  `070\u2011174\u201022\u201331|070|070-1|070 17|174|17 42|1742231|22 31|31|17|1|7|0|00|004|0046|+46|+|46|460`,
  `4670|46 70|+46 70 1|+460|67017|08|08-12|08 123 456 78|+47|0047 22|47 22 17|22174070|46761740011|076 174|99917`,
  `åsa 070-174|070-174 åsa|070 174 22 asa|åsa 070 öberg|åsa 070 öberg 174|070 åsa 174|åsa 17|åsa 1|åsa +46 70`,
  `asa 0701742231 oberg|asa 070-174 zzz|asa -|asa - 070|å 0|essen +47|maja_2027|_2027|asa@skola`,
  `öppna hus|öppet hus|oppet hus|hus öppet|åk 9|ak 9|åk 8|172,5|172|kl. 17|kl 17|bussen ånäs|fran anas|från anas`,
  `привет|вашу школу|ашу|😀|😀я|я|у|aab|норре aaab|`,
  `var är|dotter 172,5|2027 070-174|plats 070 174|hälsar|halsar|lsa|äls|ärert|är ert`,
].flatMap((line) => line.split('|'))
