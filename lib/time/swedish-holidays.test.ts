import Calendar from 'date-holidays'
import { expect, test } from 'vitest'
import { addDays } from './stockholm'
import { easterSunday } from './easter'
import { isSwedishHoliday } from './swedish-holidays'

test('every day from 1990 to 2100 is a holiday exactly where date-holidays has one', () => {
  const calendar = new Calendar('SE', { types: ['public', 'bank'] })
  for (let year = 1990; year <= 2100; year++) {
    const theirs = new Set(calendar.getHolidays(year).map(({ date }) => date.slice(0, 10)))
    const days = Array.from({ length: 366 }, (_, at) => addDays(`${year}-01-01`, at)).filter((day) =>
      day.startsWith(String(year)),
    )
    expect(days.filter(isSwedishHoliday)).toEqual(days.filter((day) => theirs.has(day)))
  }
})

test('Easter is when the almanac has it, in any century', () => {
  const known = ['1818-03-22', '1943-04-25', '2000-04-23', '2026-04-05', '2038-04-25', '2285-03-22', '4200-04-20']
  expect(known.map((day) => easterSunday(Number(day.slice(0, 4))))).toEqual(known)
  expect(easterSunday(0)).toMatch(/^0000-0[34]-\d\d$/)
})
