import 'server-only'
import { setImmediate } from 'node:timers/promises'
import { createFeed, type Feed } from '@/server/feed/feed'
import type { ListState } from '@/server/feed/list-state'
import { feedAttempts } from '@/server/feed/shared-attempts'
import { breakableShare } from './breakable-share'
import { countingService } from './counting-service'
import { createVirtualTime } from './virtual-time'

const LOOK_MS = 30_000

export type Instance = { feed: Feed; details: string[]; kill: () => void }

/** Several instances that are looked at all the time, the service they read, and the share they meet in. */
export function sharedWorld(start: number, turnMs: number) {
  const time = createVirtualTime(start)
  const upstream = countingService(time)
  const share = breakableShare(time.now, turnMs)

  function begin(name: string, { hears = true } = {}): Instance {
    let isDead = false
    const mine = share.connect()
    const details: string[] = []
    const feed = createFeed({
      attempts: feedAttempts({
        client: upstream.clientOf(name, () => isDead),
        share: mine,
        now: time.now,
        yieldTurn: () => Promise.resolve(),
      }),
      requestsPerHour: 558,
      now: time.now,
      schedule: time.after,
      random: () => 0,
      onChange: (_list, { problem }) => void (problem && details.push(problem.detail)),
    })
    const look = () => {
      if (isDead) return
      feed.look()
      time.after(LOOK_MS, look)
    }
    if (hears) mine.onNews((list) => void (isDead || feed.hear(list)))
    feed.start()
    look()
    const kill = () => {
      isDead = true
      feed.stop()
    }
    return { feed, details, kill }
  }

  async function run(durationMs: number): Promise<void> {
    const end = time.now() + durationMs
    time.at(end, () => {})
    do for (let turn = 0; turn < 12; turn++) await setImmediate()
    while (time.now() < end && time.step())
  }

  return { ...upstream, share, begin, run }
}

/** What a reader is told of a list, the same on every instance. */
export function told({ version, fetchedAt, problem }: ListState<unknown>) {
  return { version, fetchedAt, problem: problem?.kind ?? null }
}
