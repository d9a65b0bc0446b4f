import { describe, expect, it } from 'vitest'
import { createStore } from '../store'
import { fixtureData, fixtureTokens } from '../testing/service-fixture'
import { createArrivals } from './arrivals'

describe('arrivals while the service runs', () => {
  /** An hour of arrivals in no time: the timers move the clock. */
  function simulate(seed: number) {
    const store = createStore(fixtureData, fixtureTokens)
    let now = Date.UTC(2026, 10, 21, 9)
    let due: { callback: () => void; ms: number } | undefined
    const arrivals = createArrivals({
      store,
      seed,
      clock: () => now,
      timers: {
        set(callback, ms) {
          due = { callback, ms }
          return { cancel: () => (due = undefined) }
        },
      },
    })
    return {
      store,
      arrivals,
      now: () => now,
      run(untilMs: number) {
        const end = now + untilMs
        for (let next = due; next && now + next.ms <= end; next = due) {
          now += next.ms
          next.callback()
        }
      },
    }
  }

  it('a lead arrives about every six seconds, three declarations to a question, newest first', () => {
    const { store, arrivals, run, now } = simulate(1)
    const [questionsBefore, declarationsBefore] = [
      store.current().askedQuestions,
      store.current().declarationsOfInterest,
    ]
    arrivals.start()
    run(3_600_000)
    const { askedQuestions, declarationsOfInterest } = store.current()
    const questions = askedQuestions.length - questionsBefore.length
    const declarations = declarationsOfInterest.length - declarationsBefore.length
    expect(questions + declarations).toBeGreaterThan(540)
    expect(questions + declarations).toBeLessThan(660)
    expect(declarations / questions).toBeGreaterThan(2.2)
    expect(declarations / questions).toBeLessThan(4)
    expect(now() - Date.parse(declarationsOfInterest[0]?.createdAt ?? '')).toBeLessThan(60_000)
    const moments = declarationsOfInterest.map(({ createdAt }) => createdAt)
    expect(moments).toEqual(moments.toSorted().toReversed())
    expect(questionsBefore).toHaveLength(fixtureData.askedQuestions.length)
  })

  it('they are the same for the same seed', () => {
    const [one, other] = [simulate(5), simulate(5)]
    for (const { arrivals, run } of [one, other]) {
      arrivals.start()
      run(60_000)
    }
    expect(one.store.current()).toEqual(other.store.current())
  })

  it('nothing arrives before the start, after the end, or twice for two starts', () => {
    const { store, arrivals, run } = simulate(2)
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
