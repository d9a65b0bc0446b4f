import type { QueryClient } from '@tanstack/react-query'
import { after } from '@/lib/after'
import type { Status } from '@/lib/contract/feed-status'
import { LEAD_LISTS } from '@/lib/contract/lists'
import type { ChangedEvent, HandoverEvent, LeadEvent, TriageEvent } from '@/lib/contract/live-event'
import { presenceKey, refreshCounts, refreshPolled, refreshList, refreshNotes, refreshTriaged } from './refresh'
import { STATUS_KEY } from './polling'
import type { EventName, Stream } from './shared-stream'

export type LiveOptions = {
  connect: () => Stream
  schedule: (delayMs: number, run: () => void) => () => void
  random: () => number
  onChanged: (change: ChangedEvent) => void
  onStatus: (status: Status) => void
  onLead: (event: LeadEvent) => void
  onTriage: (event: TriageEvent) => void
  onLive: (isLive: boolean) => void
  /** Time for a request without an event: the stream broke (has the session ended?), or the tab sleeps. */
  onCheck: () => void
  /** There is a stream again: decisions of the meantime are in none of its events. */
  onBack: () => void
  onNumbers: () => void
}

const HIDDEN_STREAM_MS = 10 * 60_000
const HIDDEN_CHECK_MS = 5 * 60_000
const SPREAD_MS = 2_000
/** The numbers are not urgent, and each browser asks for others. */
const NUMBERS_MS = 15_000
const SILENCE_MS = 45_000
const FIRST_WAIT_MS = 2_000
const MAX_WAIT_MS = 60_000

/** What keeps a tab up to date: the server's live stream, and a request now and then while nobody looks. */
export function createLive(options: LiveOptions) {
  const { schedule, random, onLive, onCheck, onBack } = options
  const later = createDelayedTasks(schedule)
  let isStopped = false
  let hasMissed = false
  let cancelSleep = () => {}
  const shut = () => {
    cancelSleep()
    connection.shut()
  }
  const checkLater = () => {
    cancelSleep = schedule(HIDDEN_CHECK_MS, () => {
      onCheck()
      checkLater()
    })
  }
  const sleep = () => {
    shut()
    checkLater()
  }
  const connection = createConnection(options, later, {
    onLive: (isLive) => {
      onLive(isLive)
      if (isLive && hasMissed) later.run('back', random() * SPREAD_MS, onBack)
      hasMissed &&= !isLive
    },
    onEnd: (how) => {
      hasMissed = true
      if (how !== 'handover') later.run('check', random() * SPREAD_MS, onCheck)
      if (how === 'rest') sleep()
    },
  })
  return {
    start: connection.open,
    /** The stream stays for a while, then a request now and then is enough. */
    hide: () => {
      cancelSleep()
      cancelSleep = schedule(HIDDEN_STREAM_MS, sleep)
    },
    wake: () => {
      cancelSleep()
      if (!isStopped && !connection.isOpen()) connection.open()
    },
    /** The network is away, or the browser suspends the tab. */
    pause: () => {
      hasMissed = true
      shut()
    },
    stop: () => {
      isStopped = true
      shut()
      later.cancel()
    },
  }
}

type ConnectionEvents = {
  onLive: (isLive: boolean) => void
  /** `rest`: the user has too many tabs, and this one is to wait until it is seen again. */
  onEnd: (how: 'lost' | 'handover' | 'rest') => void
}

/** The stream is opened again, each time later, when it breaks or is silent (a proxy may swallow it). */
function createConnection(options: LiveOptions, later: DelayedTasks, { onLive, onEnd }: ConnectionEvents) {
  const { connect, schedule, random } = options
  let stream: Stream | null = null
  let isLive = false
  let failures = 0
  let cancelWait = () => {}
  const wait = (delayMs: number, run: () => void) => {
    cancelWait()
    cancelWait = schedule(delayMs, run)
  }
  const setLive = (next: boolean) => {
    if (next !== isLive) onLive(next)
    isLive = next
  }
  const shut = () => {
    cancelWait()
    stream?.close()
    stream = null
    setLive(false)
  }
  const reconnectIn = (delayMs: number) => {
    shut()
    wait(delayMs, open)
  }
  const onLost = () => {
    onEnd('lost')
    const maxDelay = Math.min(MAX_WAIT_MS, FIRST_WAIT_MS * 2 ** failures++)
    reconnectIn(maxDelay * (0.5 + random() / 2))
  }
  const askForNumbers = () => later.run('numbers', NUMBERS_MS * (1 + random()), options.onNumbers)
  const open = () => {
    const opened = connect()
    stream = opened
    wait(SILENCE_MS, onLost)
    const listen = (type: EventName, react: (data: string) => void) =>
      opened.addEventListener(type, ({ data }) => {
        if (stream !== opened) return
        setLive(true)
        wait(SILENCE_MS, onLost)
        react(String(data))
      })
    listen('status', (data) => options.onStatus(JSON.parse(data)))
    listen('lead', (data) => options.onLead(JSON.parse(data)))
    listen('changed', (data) => {
      const change: ChangedEvent = JSON.parse(data)
      if (!change.yours) return
      later.run(change.list, change.askInMs, () => options.onChanged(change))
      askForNumbers()
    })
    listen('triage', (data) => {
      const event: TriageEvent = JSON.parse(data)
      later.run(`triage ${event.list}`, event.askInMs, () => options.onTriage(event))
      askForNumbers()
    })
    // Only a stream that lasts resets the wait, not one that greets and breaks.
    listen('beat', () => (failures = 0))
    listen('rest', () => onEnd('rest'))
    listen('handover', (data) => {
      const { backInMs = FIRST_WAIT_MS }: Partial<HandoverEvent> = JSON.parse(data)
      onEnd('handover')
      reconnectIn(backInMs)
    })
    opened.addEventListener('error', () => stream === opened && onLost())
  }
  return { open, shut, isOpen: () => stream !== null }
}

type DelayedTasks = ReturnType<typeof createDelayedTasks>

/** Runs tasks a little later, so that a thousand browsers do not ask at once; of each name only the newest. */
function createDelayedTasks(schedule: LiveOptions['schedule']) {
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

export function followStream(client: QueryClient): Omit<LiveOptions, 'connect' | 'onLive'> {
  return {
    schedule: after,
    random: () => Math.random(),
    onChanged: (change) => void refreshList(client, change),
    onStatus: (status) => client.setQueryData(STATUS_KEY, status),
    onLead: ({ what, kind, id }) => {
      if (what === 'notes') void refreshNotes(client, { kind, id })
      else void client.invalidateQueries({ queryKey: presenceKey({ kind, id }) })
    },
    onTriage: ({ list }) => {
      void refreshTriaged(client, list)
      void refreshCounts(client, list)
    },
    onNumbers: () => void refreshCounts(client),
    onBack: () => {
      for (const list of LEAD_LISTS) void refreshTriaged(client, list)
      void refreshCounts(client)
    },
    onCheck: () => {
      void refreshPolled(client)
      void refreshCounts(client)
    },
  }
}
