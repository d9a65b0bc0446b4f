import type { LeadList } from '@/lib/contract/lead'
import type { ChangedEvent } from '@/lib/contract/live-event'
import { createLiveLink, type LinkOptions } from './live-link'

export type Live = {
  start: () => void
  /** Nobody sees the tab: the stream stays for a while, then gives way to a look now and then. */
  hide: () => void
  /** The tab is seen again, or the network is back: no waiting. */
  wake: () => void
  stop: () => void
}

export type LiveOptions = Omit<LinkOptions, 'onLost'> & {
  /** Time to ask the server without being told: the stream broke (is the session over?), or the tab sleeps. */
  onCheck: () => void
  /** Numbers beside the lists may be others now: told a while after a change, once for all that came meanwhile. */
  onCounts?: () => void
}

const SPREAD_MS = 400
const COUNTS_WAIT_MS = 1_500
const COUNTS_SPREAD_MS = 1_500
const HIDDEN_STREAM_MS = 10 * 60_000
const HIDDEN_CHECK_MS = 5 * 60_000

/** What keeps a tab up to date: the link to the server's live stream, and what it does instead while nobody looks. */
export function createLive(options: LiveOptions): Live {
  const { schedule, onCheck, onTriage, onCounts = () => {} } = options
  const later = spreadOut(options)
  const link = createLiveLink({
    ...options,
    onChanged: (change) => {
      later.run(change.list, () => options.onChanged(change))
      later.run('counts', onCounts)
    },
    onTriage: (event) => {
      later.run(`triage ${event.list}`, () => onTriage?.(event))
      later.run('counts', onCounts)
    },
    onLost: () => later.run('check', onCheck),
  })
  let isStopped = false
  let cancelSleep = () => {}
  const checkNowAndThen = () => {
    cancelSleep = schedule(HIDDEN_CHECK_MS, () => {
      onCheck()
      checkNowAndThen()
    })
  }
  const sleep = () => {
    link.shut()
    checkNowAndThen()
  }
  return {
    start: link.open,
    hide: () => {
      cancelSleep()
      cancelSleep = schedule(HIDDEN_STREAM_MS, sleep)
    },
    wake: () => {
      cancelSleep()
      if (!isStopped && !link.isOpen()) link.open()
    },
    stop: () => {
      isStopped = true
      cancelSleep()
      link.shut()
      later.cancel()
    },
  }
}

type TaskName = ChangedEvent['list'] | `triage ${LeadList}` | 'check' | 'counts'
type Later = { run: (name: TaskName, task: () => void) => void; cancel: () => void }

/** Runs tasks a little later, so that a thousand browsers do not ask in one millisecond; of each name only the newest. */
function spreadOut({ schedule, random }: Pick<LiveOptions, 'schedule' | 'random'>): Later {
  const waiting = new Map<string, { task: () => void; cancel: () => void }>()
  return {
    run: (name, task) => {
      const before = waiting.get(name)
      if (before !== undefined) return void waiting.set(name, { ...before, task })
      const wait = name === 'counts' ? COUNTS_WAIT_MS + random() * COUNTS_SPREAD_MS : random() * SPREAD_MS
      const cancel = schedule(wait, () => {
        const newest = waiting.get(name)?.task
        waiting.delete(name)
        newest?.()
      })
      waiting.set(name, { task, cancel })
    },
    cancel: () => {
      for (const { cancel } of waiting.values()) cancel()
      waiting.clear()
    },
  }
}
