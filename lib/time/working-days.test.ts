import { expect, test } from 'vitest'
import { addDays } from './stockholm'
import { findEasterSunday, isSwedishHoliday } from './swedish-holidays'
import { addWorkingDays, isWorkingDay } from './working-days'

/** As the almanacs of these years have them: the earliest and latest Easters, Midsummers and All Saints' Days among them. */
const ALMANAC: Readonly<Record<number, string>> = {
  2005: '01-01 01-06 03-25 03-27 03-28 05-01 05-05 05-15 06-06 06-24 06-25 11-05 12-24 12-25 12-26 12-31',
  2008: '01-01 01-06 03-21 03-23 03-24 05-01 05-11 06-06 06-20 06-21 11-01 12-24 12-25 12-26 12-31',
  2011: '01-01 01-06 04-22 04-24 04-25 05-01 06-02 06-06 06-12 06-24 06-25 11-05 12-24 12-25 12-26 12-31',
  2024: '01-01 01-06 03-29 03-31 04-01 05-01 05-09 05-19 06-06 06-21 06-22 11-02 12-24 12-25 12-26 12-31',
  2026: '01-01 01-06 04-03 04-05 04-06 05-01 05-14 05-24 06-06 06-19 06-20 10-31 12-24 12-25 12-26 12-31',
  2027: '01-01 01-06 03-26 03-28 03-29 05-01 05-06 05-16 06-06 06-25 06-26 11-06 12-24 12-25 12-26 12-31',
  2038: '01-01 01-06 04-23 04-25 04-26 05-01 06-03 06-06 06-13 06-25 06-26 11-06 12-24 12-25 12-26 12-31',
}

test('a day is a holiday exactly where the almanac has one', () => {
  const found = Object.keys(ALMANAC).map((year) => {
    const days = Array.from({ length: 366 }, (_, at) => addDays(`${year}-01-01`, at))
    return days.filter((day) => day.startsWith(year) && isSwedishHoliday(day)).map((day) => day.slice(5))
  })
  expect(found).toEqual(Object.values(ALMANAC).map((days) => days.split(' ')))
})

test.each(
  '1818-03-22 1943-04-25 1954-04-18 1981-04-19 2035-03-25 2049-04-18 2076-04-19 2285-03-22 4200-04-20'.split(' '),
)('Easter is on %s, as the almanac has it', (easter) => {
  expect(findEasterSunday(Number(easter.slice(0, 4)))).toBe(easter)
})

test('Saturdays, Sundays and holidays are no working days', () => {
  const days = ['2026-11-20', '2026-11-21', '2026-11-22', '2026-12-24']
  expect(days.map((day) => isWorkingDay(day, isSwedishHoliday))).toEqual([true, false, false, false])
  expect(addWorkingDays('2026-11-20', 1, isSwedishHoliday), 'from Friday to Monday').toBe('2026-11-23')
  expect(addWorkingDays('2026-11-21', 2, isSwedishHoliday), 'from Saturday to Tuesday').toBe('2026-11-24')
  expect(addWorkingDays('2026-12-23', 2, isSwedishHoliday), 'over Christmas').toBe('2026-12-29')
})
