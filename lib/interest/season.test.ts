import { describe, expect, test } from 'vitest'
import { type AdmissionCycle, admissionCycleSchema, defaultAdmissionCycle } from '@/lib/contract/settings'
import { addDays, dayText, epochDay } from '@/lib/time/stockholm'
import { type DayWindow, firstOutOfOrder, seasonWindows, withPart } from './cohort'
import { countdown, positionOnStrip, seasonOn, seasonPhases } from './season'

const on = (today: string) => seasonOn(today, defaultAdmissionCycle)

describe('the dates of the admission', () => {
  test('are taken as they usually are', () => {
    expect(admissionCycleSchema.safeParse(defaultAdmissionCycle).success).toBe(true)
    expect(firstOutOfOrder(defaultAdmissionCycle)).toBeNull()
  })

  test.each<[keyof AdmissionCycle, string]>([
    ['final', '05-15'],
    ['preliminary', '02-29'],
    ['applicationOpens', '1-15'],
    ['reservesEnd', '09-31'],
  ])('are refused by name when they are not in order or not in every year: %s on %s', (name, day) => {
    const { error } = admissionCycleSchema.safeParse({ ...defaultAdmissionCycle, [name]: day })
    expect(error?.issues[0]?.path).toEqual([name])
  })

  test('stay days of the calendar while one is changed', () => {
    expect(withPart('03-31', { month: 2 })).toBe('02-28')
    expect(withPart('02-28', { day: 5 })).toBe('02-05')
  })
})

describe('the season', () => {
  test('counts the days to the last one to apply, and names the next date', () => {
    const next = { day: '2027-01-15', key: 'applicationOpens' }
    expect(on('2026-11-22')).toMatchObject({ cohort: 2027, daysToClose: 85, next })
  })

  test('is that of the next cohort from the day after the reserves are in', () => {
    expect(on('2026-09-15')).toMatchObject({ cohort: 2026, to: '2026-09-15', next: { key: 'reservesEnd' } })
    expect(on('2026-09-16')).toMatchObject({ cohort: 2027, from: '2026-09-16', to: '2027-09-15' })
  })

  test.each([
    ['2027-02-15', 'applicationCloses', 0],
    ['2027-02-16', 'preliminary', 58],
    ['2027-09-15', 'reservesEnd', 0],
  ])('counts on %s to %s', (today, key, days) => {
    expect(countdown(on(today))).toEqual({ key, days })
  })

  test('is one strip without holes, in which today is in one phase on every day of the year', () => {
    for (let index = 0; index < 365; index++) {
      const season = on(addDays('2026-09-16', index))
      const phases = seasonPhases(season)
      expect([0, ...phases.map(({ end }) => end)]).toEqual([...phases.map(({ start }) => start), 1])
      const now = phases.filter(({ isNow }) => isNow)
      expect([season.today, now.length]).toEqual([season.today, 1])
      const place = positionOnStrip(season, season.today)
      expect(place >= (now[0]?.start ?? 1) && place < (now[0]?.end ?? 0)).toBe(true)
    }
  })

  test.each([
    ['2027-01-14', 'before'],
    ['2027-01-15', 'application'],
    ['2027-02-15', 'application'],
    ['2027-02-16', 'sorting'],
  ])('is on %s in the phase %s', (today, name) => {
    expect(seasonPhases(on(today)).find(({ isNow }) => isNow)?.name).toBe(name)
  })

  test('is beside as many days of last year, of each weekday as many; for managers of whole weeks that have ended', () => {
    const windowsOn = (today: string, isWeekly: boolean) => {
      const { now, before } = seasonWindows({
        cohort: 2027,
        cycle: defaultAdmissionCycle,
        today: epochDay(today),
        isWeekly,
      })
      return [now, before].map(({ from, to }: DayWindow) => `${dayText(from)}–${dayText(to)}`)
    }
    expect(windowsOn('2026-12-07', true)).toEqual(['2026-09-14–2026-12-06', '2025-09-15–2025-12-07'])
    expect(windowsOn('2026-12-07', false)).toEqual(['2026-09-16–2026-12-07', '2025-09-17–2025-12-08'])
    expect(windowsOn('2028-01-01', true)[0], 'until its last week').toBe('2026-09-14–2027-09-19')
  })
})
