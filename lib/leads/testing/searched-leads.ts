import type { AskedQuestion, DeclarationOfInterest } from '@/lib/contract/lead'
import { declaration, question } from './leads'

const FIRST_NAMES = (
  'Åsa|Asa|Äsa|A\u030asa|Örjan|Orjan|André|Andre|Zoë|Pär|Par|Pår|Märta|' +
  'Anna-Karin|J.O.|Per Erik|Maja|Hälle|Halle|Jürgen|Søren|Sören|Łukasz|ÅKE'
).split('|')
const LAST_NAMES = "Öberg|Oberg|Åberg|Sjöberg|Sjoberg|von Essen|D'Arcy|Öberg-Åhlén|Lindqvist|Ånäs".split('|')
const PHONES =
  '070-174 22 31|+46 70 174 22 32|0046701742233|+46 (0)70-999 17 44|08-123 456 78|+47 22 17 40 70|46761740011||ring mamma 17'.split(
    '|',
  )
const TEXTS = [
  'Hej! När är ert öppna hus? Åsa hälsar.',
  'Kan man läsa musik? Vår dotter går i åk 9 och har 172,5 poäng.',
  'Finns det plats 2027? Ring 070-174 22 31 efter kl. 17.',
  'oppet hus\n\när inte öppet',
  'Går bussen från Ånäs till skolan? Jag är fran Anas.',
]

export function inventDeclarations(): DeclarationOfInterest[] {
  return Array.from({ length: 360 }, (_, at) => {
    const firstName = pick(FIRST_NAMES, at)
    const lastName = pick(LAST_NAMES, at * 7 + Math.floor(at / 24))
    const email =
      at % 5 === 4
        ? null
        : `${plain(firstName)}.${plain(lastName)}${at % 3 === 0 ? 2027 + (at % 4) : ''}@example.${at % 2 === 0 ? 'se' : 'com'}`
    const phone = pick(PHONES, at * 5 + Math.floor(at / 9))
    return declaration(`d${at}`, {
      firstName,
      lastName,
      email: email?.replaceAll(/[^\w.@-]/g, '') ?? null,
      phone: phone === '' ? null : phone,
      createdAt: day(at),
    })
  })
}

export function inventQuestions(): AskedQuestion[] {
  return Array.from({ length: 60 }, (_, at) =>
    question(`q${at}`, {
      text: pick(TEXTS, at),
      email: at % 3 === 0 ? null : `${pick(['asa', 'orjan.17', 'maja_2027'], at)}@skola.se`,
      phone: at % 3 === 1 ? null : pick(PHONES, at),
      createdAt: day(at),
    }),
  )
}

function pick<Value>(values: readonly Value[], at: number): Value {
  const value = values[at % values.length]
  if (value === undefined) throw new RangeError('nothing to pick from')
  return value
}

function day(at: number): string {
  return new Date(Date.UTC(2026, 10, 20, 8) - at * 3_600_000).toISOString()
}

function plain(name: string): string {
  return name
    .normalize('NFD')
    .toLowerCase()
    .replaceAll(/[^a-z-]/g, '')
}

/** What people type into the search field, and what they might: separated by `|`. */
export const SEARCH_QUERIES: readonly string[] = [
  `åsa|asa|äsa|ÅSA|Åsa Öberg|asa oberg|åsa oberg|asa öberg|ASA ÖBERG|a\u030asa|A\u030aSA O\u0308BERG`,
  `öberg åsa|ösa`,
  `örjan|orjan|ÖRJAN|o\u0308rjan|pär|par|pår|PÅR|på|pa|märta|marta|märtä|hälle|halle|hålle|hölle`,
  `andré|andre|ANDRÉ|andrë|andrå|zoë|zoe|zoé|zöe|jürgen|jurgen|jyrgen|søren|soren|sören|łukasz|lukasz`,
  `åke|ake|ÅKE`,
  `sjöberg|sjoberg|SJÖBERG|sjåberg|åberg|aberg|öberg|oberg|berg|öberg-åhlén|oberg-ahlen|öberg-ahlén`,
  `åhlén|ahlen|ånäs|anas|änås|ånas|anäs`,
  `anna-karin|anna karin|karin|karin anna|a-k|-|anna-|-karin|j.o.|j.o|j o|jo|j. o.|per erik|erik per`,
  `pererik|von essen|essen von|d'arcy|arcy|darcy|lindq|qvist`,
  `å|ä|ö|a|o|e|é|u|x|å ö|ä å|a o|ö a|sa|så|sä|rjan|er|be|ber|erg|en|ma|aj|nä|näs|nas|hl|hlé`,
  `  åsa  |åsa\u00a0öberg|\tåsa\nöberg|åsa åsa|asa åsa|åsa äsa|asa asa asa|zzz|åsa zzz|\u0301|\u00a0|`,
  `   `,
  `asa.oberg@|åsa.oberg@|oberg@|oberg2027@|@example.se|@example|example.com|exam|xample|ample.s|.se|se`,
  `2027@|2028|2027|027|20|åsa 2027@|asa 2027|asa@skola|maja_2027|_2027|maja_`,
  `070-174 22 31|0701742231|070 174 22 31|070.174.22.31|(070) 174 22 31|+46701742231|+46 70 174 22 31`,
  `0046701742231|0046 70-174 22 31|+46 (0)70-174 22 31|46701742231|070\u2011174\u201022\u201331`,
  `070|0701|070-1|070 17|70174|174|1742|17 42|1742231|22 31|2231|31|17|1|7|0|00|004|0046|+46|+|46|460`,
  `4670|46 70|+46 70 1|0046 70 1|+460|67017|08|08-12|08 123 456 78|812345|+47|0047|0047 22|47 22 17`,
  `22174070|46761740011|076 174|0761|999|070-999|070 999 17|99917`,
  `åsa 070-174|asa 070-174|070-174 åsa|070 174 22 asa|asa 070 174 22|åsa 070 öberg|åsa 070 öberg 174`,
  `070 åsa 174|åsa 17|17 åsa|åsa 1|åsa +46 70|åsa 0046 70 174|öberg 22 31|örjan 08|maja 2027@ 070`,
  `pär 070-999|par 99917|asa 0701742231 oberg|asa 070-174 zzz|asa -|asa - 070|å 0|ö 1|essen +47`,
  `öppna hus|öppet hus|oppet hus|oppna|hus öppet|åk 9|ak 9|åk 8|172,5|172|kl. 17|kl 17|bussen ånäs`,
  `fran anas|från ånäs|från anas|vår dotter|var dotter|var är|dotter 172,5|2027 070-174|plats 2027`,
  `plats 070 174|hälsar|halsar|lsa|äls|ärert|är ert`,
].flatMap((line) => line.split('|'))
