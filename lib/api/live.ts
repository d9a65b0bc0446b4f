import type { QueryClient } from '@tanstack/react-query'
import { startTimeout } from '@/lib/start-timeout'
import type { Status } from '@/lib/contract/feed-status'
import type { ChangedEvent, HandoverEvent, LeadChangedEvent, TriageEvent } from '@/lib/contract/live-event'
import {
  presenceKey,
  refreshCounts,
  refreshAfterDecision,
  refreshList,
  refreshNotes,
  refreshPolled,
  refreshTriaged,
} from './refresh'
import { STATUS_KEY } from './polling'
import type { EventName, Stream } from './shared-stream'

type LiveOptions = ReturnType<typeof createStreamHandlers> & { connect: () => Stream; onLiveChange: (isLive: boolean) => void }

const HIDDEN_STREAM_MS = 10 * 60_000
const HIDDEN_CHECK_MS = 5 * 60_000
const SPREAD_MS = 2_000
/** The numbers are not urgent, and the server counts them for each user alone. */
const COUNTS_DELAY_MS = 15_000
const SILENCE_MS = 45_000
const FIRST_WAIT_MS = 2_000
const MAX_WAIT_MS = 60_000

/**
 * Keeps a tab up to date by the server's live stream, and in a hidden tab by a request now and then. A stream that breaks or falls
 * silent (a proxy may swallow it) is opened again, each time after a longer wait.
 */
export function createLiveUpdates(options: LiveOptions) {
  const { connect, schedule, random, onLiveChange: onLive, onPoll: onCheck } = options
  const delayedTasks = createDelayedTasks(schedule)
  const reconnectTimer = createTimer(schedule)
  const nextCheck = createTimer(schedule)
  let stream: Stream | null = null
  let isLive = false
  let hasMissed = false
  let isStopped = false
  let failures = 0

  const setLive = (next: boolean) => {
    if (next !== isLive) onLive(next)
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
    nextCheck.start(HIDDEN_CHECK_MS, () => {
      onCheck()
      pollWhileHidden()
    })
  }
  const reconnectIn = (delayMs: number) => {
    hasMissed = true
    close()
    reconnectTimer.start(delayMs, open)
  }
  const checkSoon = () => delayedTasks.run('check', random() * SPREAD_MS, onCheck)
  const onLost = () => {
    checkSoon()
    reconnectIn(Math.min(MAX_WAIT_MS, FIRST_WAIT_MS * 2 ** failures++) * (0.5 + random() / 2))
  }
  const open = () => {
    const opened = connect()
    stream = opened
    reconnectTimer.start(SILENCE_MS, onLost)
    const listen: Listen = (type, react) =>
      opened.addEventListener(type, ({ data }) => {
        if (stream !== opened) return
        setLive(true)
        reconnectTimer.start(SILENCE_MS, onLost)
        react(String(data))
      })
    listenToChanges(listen, delayedTasks, options)
    // Only a stream that lasts resets the wait, not one that greets and breaks.
    listen('beat', () => (failures = 0))
    // The user has too many streams open, so this tab waits until it is seen again.
    listen('rest', () => {
      hasMissed = true
      checkSoon()
      pollWhileHidden()
    })
    listen('handover', (data) => reconnectIn((JSON.parse(data) as Partial<HandoverEvent>).backInMs ?? FIRST_WAIT_MS))
    opened.addEventListener('error', () => stream === opened && onLost())
  }
  /** Called when the network is away, and when the browser suspends the tab. */
  const pause = () => {
    hasMissed = true
    nextCheck.cancel()
    close()
  }
  return {
    start: open,
    /** The stream stays open for a while; after that a request now and then is enough. */
    hide: () => nextCheck.start(HIDDEN_STREAM_MS, pollWhileHidden),
    wake: () => {
      nextCheck.cancel()
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
function listenToChanges(listen: Listen, later: DelayedTasks, options: LiveOptions): void {
  const scheduleCounts = () => later.run('numbers', COUNTS_DELAY_MS * (1 + options.random()), options.onCounts)
  listen('status', (data) => options.onStatus(JSON.parse(data)))
  listen('lead', (data) => options.onLead(JSON.parse(data)))
  listen('changed', (data) => {
    const change: ChangedEvent = JSON.parse(data)
    if (!change.yours) return
    later.run(change.list, change.askInMs, () => options.onChanged(change))
    scheduleCounts()
  })
  listen('triage', (data) => {
    const event: TriageEvent = JSON.parse(data)
    later.run(`triage ${event.list}`, event.askInMs, () => options.onTriage(event))
    scheduleCounts()
  })
}

type Listen = (type: EventName, react: (data: string) => void) => void
type DelayedTasks = ReturnType<typeof createDelayedTasks>

/** A timer that waits for one thing at a time: a new start replaces the one before. */
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

/** Runs a task after a delay. A later task of the same name replaces an earlier one that still waits. */
function createDelayedTasks(schedule: typeof startTimeout) {
  const tasks = new Map<string, { task: () => void; cancel: () => void }>()
  return {
    run: (name: string, delayMs: number, task: () => void): void => {
      const before = tasks.get(name)
      if (before !== undefined) return void tasks.set(name, { ...before, task })
      const cancel = schedule(delayMs, () => {
        const newest = tasks.get(name)?.task
        tasks.delete(name)
        newest?.()
      })
      tasks.set(name, { task, cancel })
    },
    cancel: (): void => {
      for (const { cancel } of tasks.values()) cancel()
      tasks.clear()
    },
  }
}

/** The requests that follow from the events of the stream. */
export function createStreamHandlers(client: QueryClient) {
  return {
    schedule: startTimeout,
    random: () => Math.random(),
    onChanged: (change: ChangedEvent): void => void refreshList(client, change),
    onStatus: (status: Status): void => void client.setQueryData(STATUS_KEY, status),
    onLead: ({ what, kind, id }: LeadChangedEvent): void => {
      if (what === 'notes') void refreshNotes(client, { kind, id })
      else void client.invalidateQueries({ queryKey: presenceKey({ kind, id }) })
    },
    onTriage: ({ list }: TriageEvent): void => {
      void refreshTriaged(client, list)
      void refreshCounts(client, list)
    },
    onCounts: (): void => void refreshCounts(client),
    /** A new stream does not report the decisions that were made while there was none. */
    onReconnect: (): void => refreshAfterDecision(client),
    /** Requests without an event, because the tab is hidden or the stream broke; a 401 then shows that the session has ended. */
    onPoll: (): void => {
      void refreshPolled(client)
      void refreshCounts(client)
    },
  }
}
