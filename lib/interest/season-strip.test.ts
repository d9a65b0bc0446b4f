import { describe, expect, test } from 'vitest'
import { type AdmissionCycle, admissionCycleSchema, defaultAdmissionCycle } from '@/lib/contract/settings'
import { formatMonthDay } from '@/lib/time/month-day'
import { addDays, formatIsoDay, parseIsoDay } from '@/lib/time/stockholm'
import { createSeasonWindows, findDayZero } from './cohort'
import { exactRounding, managerRounding } from './rounding'
import { computeSeasonDays, countSeason, countUntil } from './season-counts'
import { describeSeason, findCountdown, listPhases, toStripPosition } from './season-strip'

const cycle = defaultAdmissionCycle
const on = (today: string) => describeSeason(today, cycle)

describe('the dates of the admission', () => {
  test.each<[keyof AdmissionCycle, string]>([
    ['final', '05-15'],
    ['preliminary', '02-29'],
    ['applicationOpens', '1-15'],
    ['reservesEnd', '09-31'],
  ])('are refused by name when they are not in order or not in every year: %s on %s', (name, day) => {
    expect(admissionCycleSchema.safeParse(cycle).success, 'without the wrong one').toBe(true)
    const { error } = admissionCycleSchema.safeParse({ ...cycle, [name]: day })
    expect(error?.issues[0]?.path).toEqual([name])
  })

  test('stay days of the calendar while one is changed', () => {
    expect([formatMonthDay(2, 31), formatMonthDay(2, 5)]).toEqual(['02-28', '02-05'])
  })
})

describe('the season', () => {
  test('is that of the next cohort from the day after the reserves are in, and names its next date', () => {
    expect(on('2026-09-15')).toMatchObject({ cohort: 2026, to: '2026-09-15', next: { key: 'reservesEnd' } })
    const next = { day: '2027-01-15', key: 'applicationOpens' }
    expect(on('2026-09-16')).toMatchObject({ cohort: 2027, from: '2026-09-16', daysToClose: 152, next })
  })

  test('is one strip without holes, in which today is in one phase on every day of the year', () => {
    for (let index = 0; index < 365; index++) {
      const season = on(addDays('2026-09-16', index))
      const phases = listPhases(season)
      expect([0, ...phases.map(({ end }) => end)]).toEqual([...phases.map(({ start }) => start), 1])
      const place = toStripPosition(season, season.today)
      expect(phases.filter(({ isNow }) => isNow)).toEqual(
        phases.filter(({ start, end }) => start <= place && place < end),
      )
    }
  })

  test.each([
    ['2027-01-14', 'before', 'applicationCloses', 32],
    ['2027-01-15', 'application', 'applicationCloses', 31],
    ['2027-02-15', 'application', 'applicationCloses', 0],
    ['2027-02-16', 'sorting', 'preliminary', 58],
    ['2027-09-15', 'reserves', 'reservesEnd', 0],
  ])('is on %s in the phase %s and counts to %s', (today, name, key, days) => {
    expect(listPhases(on(today)).find(({ isNow }) => isNow)?.name).toBe(name)
    expect(findCountdown(on(today))).toEqual({ key, days })
  })

  test('is beside as many days of last year, of each weekday as many; for managers of whole weeks that have ended', () => {
    const windowsOn = (today: string, isWeekly: boolean) => {
      const { current, previous } = createSeasonWindows({
        cohort: 2027,
        cycle,
        todayEpochDay: parseIsoDay(today),
        isWeekly,
      })
      return [current, previous].map(({ firstDay, lastDay }) => `${formatIsoDay(firstDay)}–${formatIsoDay(lastDay)}`)
    }
    expect(windowsOn('2026-12-07', true)).toEqual(['2026-09-14–2026-12-06', '2025-09-15–2025-12-07'])
    expect(windowsOn('2026-12-07', false)).toEqual(['2026-09-16–2026-12-07', '2025-09-17–2025-12-08'])
    expect(windowsOn('2028-01-01', true)[0], 'until its last week').toBe('2026-09-14–2027-09-19')
  })
})

const zero = findDayZero(2027, cycle)
const came = (day: string, count: number) => Array.from({ length: count }, () => parseIsoDay(day))
const dates = [...came('2026-06-01', 12), ...came('2026-09-18', 3), ...came('2026-11-20', 5), ...came('2026-11-21', 6)]
const days = dates.map((day) => day - zero)
const seasonSoFar = computeSeasonDays(2027, cycle, parseIsoDay('2026-11-21'))

describe('the counts of a season', () => {
  test('are of the admission year from the week in which it begins, by days from the last day to apply', () =>
    expect(seasonSoFar).toEqual({ firstCycleDay: -22 * 7 + 1, lastCycleDay: 212, todayCycleDay: -86 }))

  test('begin with what came earlier, and end today or with the year', () => {
    const counts = countSeason(days, seasonSoFar, seasonSoFar.todayCycleDay, exactRounding)
    expect(counts).toHaveLength(-86 + 153 + 1)
    expect([counts.at(0), counts.at(4), counts.at(-2), counts.at(-1)]).toEqual([12, 15, 20, 26])
    expect(countSeason(days, seasonSoFar, 400, exactRounding)).toHaveLength(212 + 153 + 1)
    expect(countSeason(days, seasonSoFar, seasonSoFar.firstCycleDay - 1, exactRounding)).toEqual([])
  })

  test('have for managers the rounded ends of weeks and of today, and lines between them', () => {
    const counts = countSeason(days, seasonSoFar, seasonSoFar.todayCycleDay, managerRounding)
    const knots = [6, 13, counts.length - 6, counts.length - 1].map((place) => counts[place])
    expect(knots).toEqual([15, 15, 15, 25])
    expect(counts.at(-2)).toBeCloseTo(15 + (25 - 15) * (4 / 5))
  })

  test('are compared by distance, not by date: a leap day in between moves the point', () => {
    const one = came('2028-03-16', 1).map((day) => day - findDayZero(2028, cycle))
    const counts = ['2029-03-16', '2029-03-17'].map((day) =>
      countUntil(one, parseIsoDay(day) - findDayZero(2029, cycle), exactRounding),
    )
    expect(counts).toEqual([0, 1])
  })

  test('have a day of a week from its two ends, where those alone are known', () => {
    const [before, after] = [-91, -84]
    expect([before, after].map((day) => countUntil(days, day, managerRounding))).toEqual([15, 25])
    expect(countUntil(days, before + 3, managerRounding)).toBeCloseTo(15 + (10 * 3) / 7)
  })
})
