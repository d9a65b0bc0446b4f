import fc from 'fast-check'
import { expect, test } from 'vitest'
import { createVirtualTime } from '@/server/feed/testing/virtual-time'
import { createListRefresher } from './list-refresher'
import { createShrinkGuard } from './shrink-guard'
import type { FetchOutcome } from './list-state'
import { createMemoryLists } from './testing/memory-lists'

const START = Date.UTC(2026, 10, 20, 7)
const MINUTE = 60_000
/** The longest that anything may ask to wait, with jitter. */
const MAX_MS = 75 * MINUTE

const waits = fc.integer({ min: -10 * MINUTE, max: 60 * MINUTE })
const failures = fc.constantFrom('unauthenticated', 'unauthorized', 'rate-limited', 'unavailable', 'unreadable')

/** What a fetch comes to, however strange; `throws` is what nobody foresaw. */
const outcomes = fc.oneof(
  fc.record({ kind: fc.constant('fetched' as const), isChanged: fc.boolean() }),
  fc.record({ kind: fc.constant('no-budget' as const), wait: waits }),
  fc.record({ kind: failures, wait: fc.option(fc.integer({ min: 0, max: 60 * MINUTE }), { nil: null }) }),
  fc.record({ kind: fc.constant('throws' as const) }),
)
/** What happens meanwhile: time passes, news arrive, a user looks, the lease ends, the store is away, the clock is set. */
const events = fc.oneof(
  fc.constant('step' as const),
  fc.constantFrom('news', 'look', 'lease ends', 'away', 'back', 'forgets'),
  fc.integer({ min: -10 * MINUTE, max: 10 * MINUTE }).map((ms) => ({ setClockBy: ms })),
)
const spoiled = fc.constantFrom('interval throws', 'listener throws', 'nothing')

test('whatever the service, the clock and other instances do, one fetch at a time goes on', async () => {
  const story = fc.record({ answers: fc.array(outcomes), events: fc.array(events, { maxLength: 60 }), spoiled })
  await fc.assert(fc.asyncProperty(story, live), { numRuns: 300 })
})

type Drawn<A> = A extends fc.Arbitrary<infer T> ? T : never
type Outcome = Drawn<typeof outcomes>
type Story = { answers: Outcome[]; events: Drawn<typeof events>[]; spoiled: Drawn<typeof spoiled> }

async function live({ answers, events: happened, spoiled: how }: Story): Promise<void> {
  const time = createVirtualTime(START)
  const seen = { aheadMs: 0, underWay: 0, fetches: 0, longestMs: 0 }
  const now = () => time.now() + seen.aheadMs
  const left = [...answers]
  const store = createMemoryLists({ now: time.now, leaseMs: 10_000 })
  const refresher = createListRefresher<string>({
    sharedLists: store.connect(() => seen.aheadMs),
    source: {
      list: 'high-schools',
      fetch: async () => {
        seen.fetches++
        seen.underWay++
        await new Promise<void>((resolve) => time.scheduleAfter(300, resolve))
        seen.underWay--
        return outcomeOf(left.shift(), now())
      },
      read: async (body) => ({ ok: true, content: Buffer.from(body).toString(), isChanged: true }),
      guard: createShrinkGuard(time.now),
    },
    intervalMs: () => {
      if (how === 'interval throws') throw new Error('no pace')
      return 10_000
    },
    now,
    schedule: (delayMs, run) => {
      seen.longestMs = Math.max(seen.longestMs, delayMs)
      return time.scheduleAfter(delayMs, run)
    },
    random: () => 0.99,
    onChange: () => {
      if (how === 'listener throws') throw new Error('a listener')
    },
    onError: () => {},
  })
  const settled = async () => {
    for (let turn = 0; turn < 40; turn++) await Promise.resolve()
    expect(seen.underWay).toBeLessThanOrEqual(1)
  }
  void refresher.refresh()
  const look = () => void (how !== 'interval throws' && refresher.reschedule())
  const { expire, disconnect, reconnect, loseContent } = store
  const ofTheStore = { 'lease ends': expire, away: disconnect, back: reconnect, forgets: loseContent }
  const actions = { ...ofTheStore, step: time.step, news: refresher.catchUp, look }
  for (const event of happened) {
    if (typeof event === 'object') seen.aheadMs += event.setClockBy
    else actions[event]()
    await settled()
  }
  store.reconnect()
  await settled()
  for (let more = 0; more < 3; more++) {
    const [before, end] = [seen.fetches, time.now() + MAX_MS]
    while (seen.fetches === before && time.now() < end && time.step()) await settled()
    expect(seen.fetches).toBe(before + 1)
  }
  expect(seen.longestMs).toBeLessThanOrEqual(MAX_MS)
}

function outcomeOf(drawn: Outcome | undefined, now: number): FetchOutcome<string> {
  const rest = { unreadable: 0, body: Buffer.from('x'), validators: {}, askedAt: now }
  const good = { kind: 'fetched' as const, ...rest }
  if (drawn === undefined) return { ...good, content: 'same', isChanged: false }
  if (drawn.kind === 'throws') throw new Error('unforeseen')
  if (drawn.kind === 'fetched') return { ...good, content: 'x', isChanged: drawn.isChanged }
  if (drawn.kind !== 'no-budget') return { kind: drawn.kind, detail: 'a lie', retryAfterMs: drawn.wait }
  return { kind: 'no-budget', retryAt: now + drawn.wait }
}
