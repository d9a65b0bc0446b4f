const COORDINATION_DAYS = 60
const SPELLINGS = [
  /^(?<century>1[89]|20)(?<year>\d\d)(?<gap>[\s./-]?)(?<month>\d\d)\k<gap>(?<day>\d\d)[\s+\u2212\p{Pd}]*(?<last>\d{4})$/u,
  /^(?<year>\d\d)(?<gap>[\s./-]?)(?<month>\d\d)\k<gap>(?<day>\d\d)[\s+\u2212\p{Pd}]+(?<last>\d{4})$/u,
  // Other ten digits without a sign that begin with 0 or 46 are a phone. No subscriber's number begins with 0 (PTS).
  /^(?=080|(?!46)[1-9])(?<year>\d\d)(?<month>\d\d)(?<day>\d\d)(?<last>\d{4})$/u,
]

/**
 * Returns "080312-2386" for what looks like a personal number: a day, perhaps a sign, and four digits, whatever the
 * check digit (SKV 704). A coordination number's day is 60 higher (SKV 707).
 */
export function parsePersonalNumber(plain: string): string | null {
  const text = plain.trim()
  for (const spelling of SPELLINGS) {
    const { century = '20', year, month, day, last } = spelling.exec(text)?.groups ?? {}
    if (year === undefined) continue
    const dayOfMonth = Number(day) > COORDINATION_DAYS ? Number(day) - COORDINATION_DAYS : Number(day)
    const date = new Date(Date.UTC(Number(`${century}${year}`), Number(month) - 1, dayOfMonth))
    const isDay = date.getUTCMonth() === Number(month) - 1 && date.getUTCDate() === dayOfMonth
    return isDay ? `${year}${month}${day}-${last}` : null
  }
  return null
}
