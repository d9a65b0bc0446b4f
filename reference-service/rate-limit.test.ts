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

  it('count what is answered with 403 and 404, and are seen before those', async () => {
    const { call } = createFixture({ limits: { perSecond: 2, perHour: 600 } })
    expect((await call(path, 't-none')).status).toBe(403)
    expect((await call(path, 't-none')).status).toBe(403)
    expect((await call(path, 't-none')).status).toBe(429)
    expect((await call('/external/highSchool?id=x', 't-some')).status).toBe(404)
    expect((await call('/external/highSchool', 't-some')).status).toBe(404)
    expect((await call(path, 't-some')).status).toBe(429)
  })

  it('count each token alone, over all endpoints, and not a call without one', async () => {
    const { call } = createFixture({ limits: { perSecond: 1, perHour: 600 } })
    expect((await call('/external/conversions/askedQuestions')).status).toBe(200)
    expect((await call(path)).status).toBe(429)
    expect((await call(path, 't-some')).status).toBe(200)
    for (let calls = 0; calls < 5; calls++) expect((await call(path, null)).status).toBe(401)
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
          const verdict = limit.take('t')
          if (verdict.accepted) {
            accepted.push(now)
            continue
          }
          now += verdict.retryAfterSeconds * 1000
          expect(limit.take('t').accepted).toBe(true)
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
