import { expect, test } from 'vitest'
import { easterSunday } from './working-days'
import { addDays } from './stockholm'
import { isSwedishHoliday } from './swedish-holidays'

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

/** From 1990 to 2100. */
const EASTERS = `
  04-15 03-31 04-19 04-11 04-03 04-16 04-07 03-30 04-12 04-04 04-23 04-15 03-31 04-20 04-11 03-27 04-16 04-08 03-23 04-12
  04-04 04-24 04-08 03-31 04-20 04-05 03-27 04-16 04-01 04-21 04-12 04-04 04-17 04-09 03-31 04-20 04-05 03-28 04-16 04-01
  04-21 04-13 03-28 04-17 04-09 03-25 04-13 04-05 04-25 04-10 04-01 04-21 04-06 03-29 04-17 04-09 03-25 04-14 04-05 04-18
  04-10 04-02 04-21 04-06 03-29 04-18 04-02 04-22 04-14 03-30 04-18 04-10 03-26 04-15 04-06 03-29 04-11 04-03 04-22 04-14
  03-30 04-19 04-10 03-26 04-15 04-07 04-19 04-11 04-03 04-23 04-07 03-30 04-19 04-04 03-26 04-15 03-31 04-20 04-11 04-03
  04-16 04-08 03-30 04-12 04-04 04-24 04-15 03-31 04-20 04-12 03-28`

test('Easter is when the almanac has it, in any century', () => {
  const days = EASTERS.trim().split(/\s+/)
  expect(days.map((_, at) => easterSunday(1990 + at))).toEqual(days.map((day, at) => `${1990 + at}-${day}`))
  const known = ['1818-03-22', '1943-04-25', '2285-03-22', '4200-04-20']
  expect(known.map((day) => easterSunday(Number(day.slice(0, 4))))).toEqual(known)
  expect(easterSunday(0)).toMatch(/^0000-0[34]-\d\d$/)
})
