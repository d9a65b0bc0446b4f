import type { AskedQuestion, DeclarationOfInterest } from '@/lib/contract/lead'
import { declaration, question } from './leads'

const FIRST_NAMES = [
  'Åsa',
  'Asa',
  'Äsa',
  'A\u030asa',
  'Örjan',
  'Orjan',
  'André',
  'Andre',
  'Zoë',
  'Pär',
  'Par',
  'Pår',
  'Märta',
]
const MORE_NAMES = [
  'Anna-Karin',
  'J.O.',
  'Per Erik',
  'Maja',
  'Hälle',
  'Halle',
  'Jürgen',
  'Søren',
  'Sören',
  'Łukasz',
  'ÅKE',
]
const LAST_NAMES = [
  'Öberg',
  'Oberg',
  'Åberg',
  'Sjöberg',
  'Sjoberg',
  'von Essen',
  "D'Arcy",
  'Öberg-Åhlén',
  'Lindqvist',
  'Ånäs',
]
const PHONES = [
  '070-174 22 31',
  '+46 70 174 22 32',
  '0046701742233',
  '+46 (0)70-999 17 44',
  '08-123 456 78',
  '+47 22 17 40 70',
  '46761740011',
  '',
  'ring mamma 17',
]
const TEXTS = [
  'Hej! När är ert öppna hus? Åsa hälsar.',
  'Kan man läsa musik? Vår dotter går i åk 9 och har 172,5 poäng.',
  'Finns det plats 2027? Ring 070-174 22 31 efter kl. 17.',
  'oppet hus\n\när inte öppet',
  'Går bussen från Ånäs till skolan? Jag är fran Anas.',
]

export function inventDeclarations(): DeclarationOfInterest[] {
  const firstNames = [...FIRST_NAMES, ...MORE_NAMES]
  return Array.from({ length: 360 }, (_, at) => {
    const firstName = pick(firstNames, at)
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
