import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import type { AskedQuestion, DeclarationOfInterest } from '../specification'
import { createStore } from '../store'
import { fixtureData, fixtureTokens } from '../testing/service-fixture'
import { createArrivals, createMeanInterval } from './arrivals'
import { inventData } from './data'

beforeEach(() => vi.useFakeTimers({ now: Date.UTC(2026, 10, 21, 9) }))
afterEach(() => void vi.useRealTimers())

type Options = Omit<Parameters<typeof createArrivals>[0], 'store'>

function simulate(options: Options, data = fixtureData) {
  const store = createStore(data, fixtureTokens)
  const count = () => store.current().askedQuestions.length + store.current().declarationsOfInterest.length
  return {
    store,
    arrivals: createArrivals({ store, ...options }),
    /** The number of leads that arrive within this time. */
    countIn(ms: number): number {
      const before = count()
      vi.advanceTimersByTime(ms)
      return count() - before
    },
  }
}

it('a lead arrives about every six seconds, three declarations to a question, newest first', () => {
  const { store, arrivals, countIn } = simulate({ seed: 1 })
  arrivals.start()
  const came = countIn(3_600_000)
  expect(Math.abs(came - 600)).toBeLessThan(60)
  const { askedQuestions, declarationsOfInterest } = store.current()
  const questions = askedQuestions.length - fixtureData.askedQuestions.length
  expect(Math.abs((came - questions) / questions - 3)).toBeLessThan(0.8)
  const moments = declarationsOfInterest.map(({ createdAt }) => createdAt)
  expect(Date.now() - Date.parse(moments[0] ?? '')).toBeLessThan(60_000)
  expect(moments).toEqual(moments.toSorted().toReversed())
})

it('the arrivals of a demo slow down to a few an hour', () => {
  const { arrivals, countIn } = simulate({ seed: 3, meanMs: createMeanInterval(Date.now()) })
  arrivals.start()
  expect(countIn(5 * 60_000)).toBeGreaterThan(40)
  expect(Math.abs(countIn(25 * 60_000) - 45)).toBeLessThan(15)
  const hourly = [1, 2, 3, 4].map(() => countIn(3_600_000))
  expect(Math.max(...hourly)).toBeLessThan(10)
  expect(hourly.reduce((sum, few) => sum + few)).toBeGreaterThan(6)
})

it('a new lead shares no address or phone with another', () => {
  const reachedBy = (lead: AskedQuestion | DeclarationOfInterest) => {
    const { email, phone } = 'user' in lead ? lead.user : lead.sender
    return [email?.toLowerCase() ?? [], phone?.replaceAll(/\D/g, '').slice(-9) ?? []].flat()
  }
  const came: string[] = []
  const data = inventData({ tier: 'M', seed: 7, now: Date.now() })
  const { arrivals } = simulate({ seed: 7, beforeArrival: (lead) => came.push(...reachedBy(lead)) }, data)
  const before = new Set([...data.askedQuestions, ...data.declarationsOfInterest].flatMap(reachedBy))
  arrivals.start()
  vi.advanceTimersByTime(1_800_000)
  expect(came.length).toBeGreaterThan(400)
  expect(came.filter((each) => before.has(each))).toEqual([])
  expect(new Set(came).size).toBe(came.length)
})

it('nothing arrives before the start, after the end, or twice for two starts', () => {
  const { arrivals, countIn } = simulate({ seed: 2 })
  expect(countIn(60_000)).toBe(0)
  arrivals.start()
  arrivals.start()
  const during = countIn(60_000)
  expect(during).toBeGreaterThan(5)
  expect(during).toBeLessThan(16)
  arrivals.stop()
  expect(countIn(60_000)).toBe(0)
})
