import type { Status } from '@/lib/contract/feed-status'
import type { ChangedEvent, HandoverEvent, LeadChangedEvent, TriageEvent } from '@/lib/contract/live-event'
import type { startTimeout } from '@/lib/start-timeout'
import type { EventName, Stream } from './shared-stream'

/** Each handler requests again what an event has made outdated. */
export type LiveHandlers = {
  onChanged: (change: ChangedEvent) => void
  onStatus: (status: Status) => void
  onLead: (change: LeadChangedEvent) => void
  onTriage: (event: TriageEvent) => void
  onCounts: () => void
  /** A new stream does not report what happened while there was none. */
  onReconnect: () => void
  /** No event says what has changed, because the tab is hidden or the stream broke. */
  onPoll: () => void
}

type LiveOptions = LiveHandlers & {
  connect: () => Stream
  onLiveChange: (isLive: boolean) => void
  schedule: typeof startTimeout
  random: () => number
}

const HIDDEN_STREAM_MS = 10 * 60_000
const HIDDEN_POLL_MS = 5 * 60_000
const SPREAD_MS = 2_000
/** Counts are requested late, because they are not urgent and the server counts them for each user. */
const COUNTS_DELAY_MS = 15_000
const SILENCE_TIMEOUT_MS = 45_000
const FIRST_WAIT_MS = 2_000
const MAX_WAIT_MS = 60_000

/**
 * Keeps a tab up to date by the server's live stream, and in a hidden tab by a request now and then. A stream that breaks or falls
 * silent (a proxy may swallow it) is opened again, each time after a longer wait.
 */
export function createLiveUpdates(options: LiveOptions) {
  const { connect, schedule, random, onLiveChange, onPoll } = options
  const delayedTasks = createDelayedTasks(schedule)
  const reconnectTimer = createTimer(schedule)
  const pollTimer = createTimer(schedule)
  let stream: Stream | null = null
  let isLive = false
  let hasMissed = false
  let isStopped = false
  let failures = 0

  const setLive = (next: boolean) => {
    if (next !== isLive) onLiveChange(next)
    isLive = next
    if (isLive && hasMissed) delayedTasks.run('back', random() * SPREAD_MS, options.onReconnect)
    hasMissed &&= !isLive
  }
  const close = () => {
    reconnectTimer.cancel()
    stream?.close()
    stream = null
    setLive(false)
  }
  const pollWhileHidden = () => {
    close()
    pollTimer.start(HIDDEN_POLL_MS, () => {
      onPoll()
      pollWhileHidden()
    })
  }
  const reconnectIn = (delayMs: number) => {
    hasMissed = true
    close()
    reconnectTimer.start(delayMs, open)
  }
  const pollSoon = () => delayedTasks.run('poll', random() * SPREAD_MS, onPoll)
  const onLost = () => {
    pollSoon()
    reconnectIn(Math.min(MAX_WAIT_MS, FIRST_WAIT_MS * 2 ** failures++) * (0.5 + random() / 2))
  }
  const open = () => {
    const opened = connect()
    stream = opened
    reconnectTimer.start(SILENCE_TIMEOUT_MS, onLost)
    const listen: ListenToEvent = (type, handle) =>
      opened.addEventListener(type, ({ data }) => {
        if (stream !== opened) return
        setLive(true)
        reconnectTimer.start(SILENCE_TIMEOUT_MS, onLost)
        handle(String(data))
      })
    listenToChanges(listen, delayedTasks, options)
    // Only a stream that lasts resets the wait, not one that breaks after its first events.
    listen('beat', () => (failures = 0))
    // The server ends the stream because the user has too many open, so this tab waits until it is visible again.
    listen('rest', () => {
      hasMissed = true
      pollSoon()
      pollWhileHidden()
    })
    listen('handover', (data) => {
      const { backInMs }: HandoverEvent = JSON.parse(data)
      reconnectIn(backInMs)
    })
    opened.addEventListener('error', () => stream === opened && onLost())
  }
  /** The network is away, or the browser suspends the tab. */
  const pause = () => {
    hasMissed = true
    pollTimer.cancel()
    close()
  }
  return {
    start: open,
    /** The stream stays open for a while; after that a request now and then is enough. */
    hide: () => pollTimer.start(HIDDEN_STREAM_MS, pollWhileHidden),
    wake: () => {
      pollTimer.cancel()
      if (!isStopped && stream === null) open()
    },
    pause,
    stop: () => {
      isStopped = true
      pause()
      delayedTasks.cancel()
    },
  }
}

/** Reacts to changes of leads. The server spreads the requests of a thousand browsers by `askInMs`. */
function listenToChanges(listen: ListenToEvent, delayedTasks: DelayedTasks, options: LiveOptions): void {
  const scheduleCounts = () => delayedTasks.run('numbers', COUNTS_DELAY_MS * (1 + options.random()), options.onCounts)
  listen('status', (data) => options.onStatus(JSON.parse(data)))
  listen('lead', (data) => options.onLead(JSON.parse(data)))
  listen('changed', (data) => {
    const change: ChangedEvent = JSON.parse(data)
    if (!change.yours) return
    delayedTasks.run(change.list, change.askInMs, () => options.onChanged(change))
    scheduleCounts()
  })
  listen('triage', (data) => {
    const event: TriageEvent = JSON.parse(data)
    delayedTasks.run(`triage ${event.list}`, event.askInMs, () => options.onTriage(event))
    scheduleCounts()
  })
}

type ListenToEvent = (type: EventName, handle: (data: string) => void) => void
type DelayedTasks = ReturnType<typeof createDelayedTasks>

/** The timer runs one function at a time: starting it again cancels the one that waits. */
function createTimer(schedule: typeof startTimeout) {
  let cancel = () => {}
  return {
    start: (delayMs: number, run: () => void): void => {
      cancel()
      cancel = schedule(delayMs, run)
    },
    cancel: (): void => cancel(),
  }
}

/** Runs a task after a delay. A later task of the same name replaces one that still waits, and runs when that one would have. */
function createDelayedTasks(schedule: typeof startTimeout) {
  const tasks = new Map<string, { task: () => void; cancel: () => void }>()
  return {
    run: (name: string, delayMs: number, task: () => void): void => {
      const waiting = tasks.get(name)
      if (waiting !== undefined) return void tasks.set(name, { ...waiting, task })
      const cancel = schedule(delayMs, () => {
        const newestTask = tasks.get(name)?.task
        tasks.delete(name)
        newestTask?.()
      })
      tasks.set(name, { task, cancel })
    },
    cancel: (): void => {
      for (const { cancel } of tasks.values()) cancel()
      tasks.clear()
    },
  }
}
