import { describe, expect, test } from 'vitest'
import { defaultAdmissionCycle } from '@/lib/contract/settings'
import { countdown, positionOnStrip, seasonOn, seasonPhases } from './season'

const on = (today: string) => seasonOn(today, defaultAdmissionCycle)

describe('the season', () => {
  test('counts the days to the last one to apply, and names the next date', () => {
    const next = { day: '2027-01-15', key: 'applicationOpens' }
    expect(on('2026-11-22')).toMatchObject({ cohort: 2027, daysToClose: 85, next })
  })

  test('begins the day after the reserves of the year before are in', () => {
    expect(on('2026-09-15')).toMatchObject({ cohort: 2026, to: '2026-09-15', next: { key: 'reservesEnd' } })
    expect(on('2026-09-16')).toMatchObject({ cohort: 2027, from: '2026-09-16', to: '2027-09-15' })
  })

  test.each([
    ['2026-11-22', 'applicationCloses', 85],
    ['2027-02-15', 'applicationCloses', 0],
    ['2027-02-16', 'preliminary', 58],
    ['2027-09-15', 'reservesEnd', 0],
  ])('counts on %s to %s', (today, key, days) => {
    expect(countdown(on(today))).toEqual({ key, days })
  })

  test('is one strip without holes, in which today is in one phase on every day of the year', () => {
    for (let day = '2026-09-16', index = 0; index < 365; index++) {
      const season = on(day)
      const phases = seasonPhases(season)
      expect([phases[0]?.start, phases.at(-1)?.end]).toEqual([0, 1])
      for (const [at, phase] of phases.entries()) expect(phase.start).toBe(at === 0 ? 0 : phases[at - 1]?.end)
      const now = phases.filter(({ isNow }) => isNow)
      expect([day, now.length]).toEqual([day, 1])
      const place = positionOnStrip(season, day)
      expect(place >= (now[0]?.start ?? 1) && place < (now[0]?.end ?? 0)).toBe(true)
      day = new Date(Date.parse(day) + 86_400_000).toISOString().slice(0, 10)
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
})
