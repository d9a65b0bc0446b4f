import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { createRateLimit } from './rate-limit'
import { createFixture } from './testing/service-fixture'

const path = '/external/highSchools'

describe('the limits', () => {
  it.each([
    ['ten', 10, 10, 1000],
    ['six hundred', 600, 1000, 3_600_000],
  ])(
    'let %s calls in within their window, and the next one exactly a window after the first',
    async (_, most, gapMs, windowMs) => {
      const { call, time } = createFixture()
      const start = time.now
      for (let calls = 0; calls < most; calls++) {
        expect((await call(path)).status).toBe(200)
        time.now += gapMs
      }
      const refused = await call(path)
      expect([refused.status, await refused.json()]).toEqual([429, { error: 'Rate limit exceeded' }])
      expect(refused.headers.get('retry-after')).toBe(String(Math.ceil((windowMs - most * gapMs) / 1000)))
      time.now = start + windowMs - 1
      expect((await call(path)).headers.get('retry-after')).toBe('1')
      time.now = start + windowMs
      expect([(await call(path)).status, (await call(path)).status]).toEqual([200, 429])
    },
  )

  it('count each token alone, over all endpoints, also what is answered with 403 and 404, and not a call without one', async () => {
    const { call } = createFixture({ limits: { perSecond: 2, perHour: 600 } })
    const statuses = async (token: string | null, ...paths: string[]) => {
      const all: number[] = []
      for (const one of paths) all.push((await call(one, token)).status)
      return all
    }
    expect(await statuses('t-all', '/external/conversions/askedQuestions', path, path)).toEqual([200, 200, 429])
    expect(await statuses('t-none', path, path, path)).toEqual([403, 403, 429])
    expect(await statuses('t-some', '/external/highSchool?id=x', '/external/highSchool', path)).toEqual([404, 404, 429])
    expect(await statuses(null, path, path, path)).toEqual([401, 401, 401])
  })

  it('hold in every window, however the calls come, and waiting for Retry-After is always enough', () => {
    const gaps = fc.array(fc.integer({ min: 0, max: 900 }), { minLength: 1, maxLength: 300 })
    fc.assert(
      fc.property(gaps, fc.integer({ min: 1, max: 5 }), (gapsMs, perSecond) => {
        let now = 0
        const limit = createRateLimit({ limits: { perSecond, perHour: 40 }, clock: () => now })
        const accepted: number[] = []
        for (const gap of gapsMs) {
          now += gap
          let verdict = limit.countCall('t')
          if (!verdict.isAccepted) {
            now += verdict.retryAfterSeconds * 1000
            verdict = limit.countCall('t')
          }
          expect(verdict.isAccepted).toBe(true)
          accepted.push(now)
        }
        for (const start of accepted) {
          const within = (ms: number) => accepted.filter((at) => at >= start && at < start + ms).length
          expect(within(1000)).toBeLessThanOrEqual(perSecond)
          expect(within(3_600_000)).toBeLessThanOrEqual(40)
        }
      }),
    )
  })
})
