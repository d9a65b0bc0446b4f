import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import type { AskedQuestion, DeclarationOfInterest } from '../specification'
import { createStore } from '../store'
import { fixtureData, fixtureTokens } from '../testing/service-fixture'
import { createArrivals, slowingDown } from './arrivals'
import { inventData } from './data'

describe('arrivals while the service runs', () => {
  beforeEach(() => vi.useFakeTimers({ now: Date.UTC(2026, 10, 21, 9) }))
  afterEach(() => void vi.useRealTimers())

  const run = (ms: number) => vi.advanceTimersByTime(ms)
  function simulate(seed: number) {
    const store = createStore(fixtureData, fixtureTokens)
    return { store, arrivals: createArrivals({ store, seed }) }
  }

  it('a lead arrives about every six seconds, three declarations to a question, newest first', () => {
    const { store, arrivals } = simulate(1)
    const { askedQuestions: questionsBefore, declarationsOfInterest: declarationsBefore } = store.current()
    arrivals.start()
    run(3_600_000)
    const { askedQuestions, declarationsOfInterest } = store.current()
    const questions = askedQuestions.length - questionsBefore.length
    const declarations = declarationsOfInterest.length - declarationsBefore.length
    expect(questions + declarations).toBeGreaterThan(540)
    expect(questions + declarations).toBeLessThan(660)
    expect(declarations / questions).toBeGreaterThan(2.2)
    expect(declarations / questions).toBeLessThan(4)
    expect(Date.now() - Date.parse(declarationsOfInterest[0]?.createdAt ?? '')).toBeLessThan(60_000)
    const moments = declarationsOfInterest.map(({ createdAt }) => createdAt)
    expect(moments).toEqual(moments.toSorted().toReversed())
    expect(questionsBefore).toHaveLength(fixtureData.askedQuestions.length)
  })

  it('of a demo they slow down to a few an hour', () => {
    const store = createStore(fixtureData, fixtureTokens)
    const count = () => store.current().askedQuestions.length + store.current().declarationsOfInterest.length
    createArrivals({ store, seed: 3, meanMs: slowingDown(Date.now()) }).start()
    const came = [5, 25, 60, 60, 60, 60].map((minutes) => {
      const before = count()
      run(minutes * 60_000)
      return count() - before
    })
    const [lively = 0, slower = 0, ...hourly] = came
    expect(lively).toBeGreaterThan(40)
    expect(slower).toBeGreaterThan(30)
    expect(slower).toBeLessThan(60)
    for (const few of hourly) expect(few).toBeLessThan(10)
    expect(hourly.reduce((sum, few) => sum + few)).toBeGreaterThan(6)
  })

  it('they are the same for the same seed', () => {
    const [one, other] = [simulate(5), simulate(5)]
    for (const { arrivals } of [one, other]) arrivals.start()
    run(60_000)
    expect(one.store.current()).toEqual(other.store.current())
  })

  it('nobody who comes shares an address or a phone with who was there', () => {
    const store = createStore(inventData({ tier: 'M', seed: 7, now: Date.now() }), fixtureTokens)
    const reachedBy = (lead: AskedQuestion | DeclarationOfInterest) => {
      const { email, phone } = 'user' in lead ? lead.user : lead.sender
      return [email?.toLowerCase() ?? [], phone?.replaceAll(/\D/g, '').slice(-9) ?? []].flat()
    }
    const { askedQuestions, declarationsOfInterest } = store.current()
    const before = new Set([...askedQuestions, ...declarationsOfInterest].flatMap(reachedBy))
    const came: string[] = []
    createArrivals({ store, seed: 7, onArrival: (lead) => came.push(...reachedBy(lead)) }).start()
    run(1_800_000)
    expect(came.length).toBeGreaterThan(400)
    expect(came.filter((each) => before.has(each))).toEqual([])
    expect(new Set(came).size).toBe(came.length)
  })

  it('nothing arrives before the start, after the end, or twice for two starts', () => {
    const { store, arrivals } = simulate(2)
    const count = () => store.current().askedQuestions.length + store.current().declarationsOfInterest.length
    const before = count()
    run(60_000)
    expect(count()).toBe(before)
    arrivals.start()
    arrivals.start()
    run(60_000)
    const during = count()
    expect(during - before).toBeGreaterThan(5)
    expect(during - before).toBeLessThan(16)
    arrivals.stop()
    run(60_000)
    expect(count()).toBe(during)
    arrivals.start()
    run(60_000)
    expect(count()).toBeGreaterThan(during)
  })
})
