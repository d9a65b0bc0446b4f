import type { Status } from '@/lib/contract/feed-status'
import type { ChangedEvent, HandoverEvent, LeadChangedEvent, TriageEvent } from '@/lib/contract/live-event'
import { startTimeout } from '@/lib/start-timeout'
import type { Stream } from './shared-stream'

/** Each handler requests again what an event has made outdated. */
export type LiveHandlers = {
  onChanged: (change: ChangedEvent) => void
  onStatus: (status: Status) => void
  onLead: (change: LeadChangedEvent) => void
  onTriage: (event: TriageEvent) => void
  onCounts: () => void
  /** A new stream has opened after a gap, whose events it does not report. */
  onReconnect: () => void
  /** There is no stream, so no event says what has changed. */
  onPoll: () => void
}

type LiveOptions = LiveHandlers & { connect: () => Stream; onLiveChange: (isLive: boolean) => void }

/** A hidden tab keeps its stream for ten minutes, and then polls every five. */
const HIDDEN_STREAM_MS = 10 * 60_000
const HIDDEN_POLL_MS = 5 * 60_000
/** Requests after a loss are spread, because all tabs lose their streams at the same moment. */
const SPREAD_MS = 2_000
/** Counts are requested late, because they are not urgent and the server counts them for each user. */
const COUNTS_DELAY_MS = 15_000
const SILENCE_TIMEOUT_MS = 45_000
const FIRST_RECONNECT_MS = 2_000
const MAX_RECONNECT_MS = 60_000

/** Keeps a tab up to date by the live stream, or if hidden by polling. Reopens a stream that broke or is silent. */
export function createLiveUpdates(options: LiveOptions) {
  const { connect, onLiveChange, onPoll } = options
  const delayedTasks = createDelayedTasks()
  /** The timer detects a silent stream, or delays the next attempt to open one. */
  const streamTimer = createTimer()
  const pollTimer = createTimer()
  let stream: Stream | null = null
  let isLive = false
  let hasMissedEvents = false
  let isStopped = false
  let nextReconnectMs = FIRST_RECONNECT_MS

  const runSpread = (name: string, task: () => void) => delayedTasks.run(name, Math.random() * SPREAD_MS, task)
  const setLive = (next: boolean) => {
    if (next !== isLive) onLiveChange(next)
    isLive = next
    // The first event of a new stream requests what was missed.
    if (!isLive || !hasMissedEvents) return
    hasMissedEvents = false
    runSpread('reconnect', options.onReconnect)
  }
  const close = () => {
    hasMissedEvents = true
    streamTimer.cancel()
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
    close()
    streamTimer.start(delayMs, open)
  }
  const onLost = () => {
    runSpread('poll', onPoll)
    reconnectIn(nextReconnectMs * (0.5 + Math.random() / 2))
    nextReconnectMs = Math.min(MAX_RECONNECT_MS, nextReconnectMs * 2)
  }
  const open = () => {
    const opened = connect()
    stream = opened
    streamTimer.start(SILENCE_TIMEOUT_MS, onLost)
    const listen: Listen = (type, handle) =>
      opened.addEventListener(type, ({ data }) => {
        if (stream !== opened) return
        setLive(true)
        streamTimer.start(SILENCE_TIMEOUT_MS, onLost)
        handle(JSON.parse(String(data)))
      })
    listenToChanges(listen, delayedTasks.run, options)
    // Only a stream that lasts until a heartbeat resets the delay.
    listen('beat', () => void (nextReconnectMs = FIRST_RECONNECT_MS))
    listen('handover', ({ backInMs }) => reconnectIn(backInMs))
    opened.addEventListener('error', () => stream === opened && onLost())
  }
  const pause = () => {
    pollTimer.cancel()
    close()
  }
  return {
    start: open,
    hide: () => !isStopped && pollTimer.start(HIDDEN_STREAM_MS, pollWhileHidden),
    wake: () => {
      pollTimer.cancel()
      if (!isStopped && stream === null) open()
    },
    pause,
    /** After `stop`, `wake` opens no stream and `hide` starts no polling. */
    stop: () => {
      isStopped = true
      pause()
      delayedTasks.cancel()
    },
  }
}

/** Calls the handlers of events. The server chooses each tab's `askInMs`, so that not all ask at once. */
function listenToChanges(listen: Listen, runLater: DelayedTasks['run'], options: LiveOptions): void {
  const { onStatus, onLead, onChanged, onTriage, onCounts } = options
  const countLater = () => runLater('counts', COUNTS_DELAY_MS * (1 + Math.random()), onCounts)
  listen('status', onStatus)
  listen('lead', onLead)
  listen('changed', (change) => {
    if (!change.yours) return
    runLater(change.list, change.askInMs, () => onChanged(change))
    countLater()
  })
  listen('triage', (event) => {
    runLater(`triage ${event.list}`, event.askInMs, () => onTriage(event))
    countLater()
  })
}

type DelayedTasks = ReturnType<typeof createDelayedTasks>

type StreamEvents = {
  changed: ChangedEvent
  status: Status
  triage: TriageEvent
  lead: LeadChangedEvent
  handover: HandoverEvent
  beat: object
}
type Listen = <Type extends keyof StreamEvents>(type: Type, handle: (data: StreamEvents[Type]) => void) => void

/** Starting the timer again cancels its waiting function. */
function createTimer() {
  let cancel: (() => void) | undefined
  return {
    start: (delayMs: number, run: () => void): void => {
      cancel?.()
      cancel = startTimeout(delayMs, run)
    },
    cancel: (): void => cancel?.(),
  }
}

/** Runs tasks after a delay. A task replaces a waiting one of the same name, and runs when that was due. */
function createDelayedTasks() {
  const tasks = new Map<string, { task: () => void; cancel: () => void }>()
  return {
    run: (name: string, delayMs: number, task: () => void): void => {
      const runNewest = () => {
        const newest = tasks.get(name)
        tasks.delete(name)
        newest?.task()
      }
      const cancel = tasks.get(name)?.cancel ?? startTimeout(delayMs, runNewest)
      tasks.set(name, { task, cancel })
    },
    cancel: (): void => {
      for (const { cancel } of tasks.values()) cancel()
      tasks.clear()
    },
  }
}
