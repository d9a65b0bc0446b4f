import { expect, test } from 'vitest'
import { addDays } from './stockholm'
import { isSwedishHoliday } from './swedish-holidays'

/** As the almanacs of these years have them, with the earliest and latest Easter, Midsummer and All Saints' Day. */
const ALMANAC: Readonly<Record<number, string>> = {
  2005: '01-01 01-06 03-25 03-27 03-28 05-01 05-05 05-15 06-06 06-24 06-25 11-05 12-24 12-25 12-26 12-31',
  2008: '01-01 01-06 03-21 03-23 03-24 05-01 05-11 06-06 06-20 06-21 11-01 12-24 12-25 12-26 12-31',
  2011: '01-01 01-06 04-22 04-24 04-25 05-01 06-02 06-06 06-12 06-24 06-25 11-05 12-24 12-25 12-26 12-31',
  2025: '01-01 01-06 04-18 04-20 04-21 05-01 05-29 06-06 06-08 06-20 06-21 11-01 12-24 12-25 12-26 12-31',
  2026: '01-01 01-06 04-03 04-05 04-06 05-01 05-14 05-24 06-06 06-19 06-20 10-31 12-24 12-25 12-26 12-31',
  2038: '01-01 01-06 04-23 04-25 04-26 05-01 06-03 06-06 06-13 06-25 06-26 11-06 12-24 12-25 12-26 12-31',
  2049: '01-01 01-06 04-16 04-18 04-19 05-01 05-27 06-06 06-25 06-26 11-06 12-24 12-25 12-26 12-31',
}

test.each(Object.entries(ALMANAC))('a day of %s is a holiday exactly where the almanac has one', (year, holidays) => {
  const days = Array.from({ length: 366 }, (_, index) => addDays(`${year}-01-01`, index))
  const found = days.filter((day) => day.startsWith(year) && isSwedishHoliday(day)).map((day) => day.slice(5))
  expect(found.join(' ')).toBe(holidays)
})
