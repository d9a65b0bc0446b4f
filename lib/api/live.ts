import type { QueryClient } from '@tanstack/react-query'
import { after } from '@/lib/after'
import { FEED_LISTS, LEAD_LISTS } from '@/lib/contract/lists'
import type { ChangedEvent, HandoverEvent, LeadEvent, StatusEvent, TriageEvent } from '@/lib/contract/live-event'
import { presenceKey, refreshCounts, refreshPolled, refreshList, refreshNotes, refreshTriaged } from './refresh'
import { STATUS_KEY } from './polling'
import { type EventName, openSharedStream, type Stream } from './shared-stream'

const HIDDEN_STREAM_MS = 10 * 60_000
const HIDDEN_CHECK_MS = 5 * 60_000
const SPREAD_MS = 2_000
/** Not urgent, and each browser asks for others. */
const NUMBERS_MS = 15_000

/** What keeps a tab up to date: the server's live stream, and a request now and then while nobody looks. */
export function createLive(options: LiveOptions) {
  const { schedule, random, onLive, onCheck, onBack, onNumbers } = options
  const later = createDelayedTasks(schedule)
  let isStopped = false
  let hasMissed = false
  let cancelSleep = () => {}
  const shut = () => {
    cancelSleep()
    link.shut()
  }
  const sleep = () => {
    shut()
    cancelSleep = repeat(schedule, HIDDEN_CHECK_MS, onCheck)
  }
  const requestNumbers = () => later.run('numbers', NUMBERS_MS * (1 + random()), onNumbers)
  const link = createConnection(options, {
    onEvent: eventHandlers(options, later, requestNumbers),
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
    start: link.open,
    /** The stream stays for a while, then a request now and then is enough. */
    hide: () => {
      cancelSleep()
      cancelSleep = schedule(HIDDEN_STREAM_MS, sleep)
    },
    wake: () => {
      cancelSleep()
      if (!isStopped && !link.isOpen()) link.open()
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

function repeat(schedule: LiveOptions['schedule'], everyMs: number, run: () => void): () => void {
  let cancel = () => {}
  const next = () => {
    cancel = schedule(everyMs, () => {
      run()
      next()
    })
  }
  next()
  return () => cancel()
}

export type LiveOptions = {
  connect: () => Stream
  schedule: (delayMs: number, run: () => void) => () => void
  random: () => number
  onChanged: (change: ChangedEvent) => void
  onStatus: (status: StatusEvent) => void
  onLead: (event: LeadEvent) => void
  onTriage: (event: TriageEvent) => void
  onLive: (isLive: boolean) => void
  /** Time for a request without an event: the stream broke (has the session ended?), or the tab sleeps. */
  onCheck: () => void
  /** There is a stream again: decisions of the meantime are in none of its events. */
  onBack: () => void
  onNumbers: () => void
}

function eventHandlers(
  options: LiveOptions,
  later: DelayedTasks,
  askForNumbers: () => void,
): { [Type in DataEvent]: Handler<Type> } {
  return {
    status: options.onStatus,
    lead: options.onLead,
    changed: (change) => {
      if (!change.yours) return
      later.run(change.list, change.askInMs, () => options.onChanged(change))
      askForNumbers()
    },
    triage: (event) => {
      later.run(`triage ${event.list}`, event.askInMs, () => options.onTriage(event))
      askForNumbers()
    },
  }
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

type Events = {
  changed: ChangedEvent
  status: StatusEvent
  triage: TriageEvent
  lead: LeadEvent
  handover: HandoverEvent
}
type DataEvent = Exclude<keyof Events, 'handover'>
type Handler<Type extends keyof Events> = (event: Events[Type]) => void

type LinkEvents = {
  onEvent: { [Type in DataEvent]: Handler<Type> }
  onLive: (isLive: boolean) => void
  /** `rest`: the user has too many tabs, and this one is to wait until it is seen again. */
  onEnd: (how: 'lost' | 'handover' | 'rest') => void
}

const SILENCE_MS = 45_000
const FIRST_WAIT_MS = 2_000
const MAX_WAIT_MS = 60_000

/** Opened again, each time later, when it breaks or is silent (a proxy may swallow it). */
function createConnection({ connect, schedule, random }: LiveOptions, { onEvent, onLive, onEnd }: LinkEvents) {
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
  const reconnectIn = (inMs: number) => {
    shut()
    wait(inMs, open)
  }
  const onLost = () => {
    onEnd('lost')
    const maxDelay = Math.min(MAX_WAIT_MS, FIRST_WAIT_MS * 2 ** failures++)
    reconnectIn(maxDelay * (0.5 + random() / 2))
  }
  const open = () => {
    const opened = connect()
    stream = opened
    wait(SILENCE_MS, onLost)
    const on: On = (type, react) =>
      opened.addEventListener(type, ({ data }) => {
        if (stream !== opened) return
        setLive(true)
        wait(SILENCE_MS, onLost)
        react(data)
      })
    for (const type of DATA_EVENTS) listen(on, type, onEvent[type] as Handler<DataEvent>)
    // Only a stream that lasts resets the wait, not one that greets and breaks.
    on('beat', () => (failures = 0))
    on('rest', () => onEnd('rest'))
    on('handover', (data) => {
      onEnd('handover')
      reconnectIn(read('handover', data)?.backInMs ?? FIRST_WAIT_MS)
    })
    opened.addEventListener('error', () => stream === opened && onLost())
  }
  return { open, shut, isOpen: () => stream !== null }
}

const isObject = (value: unknown) => typeof value === 'object' && value !== null
const isNumber = (value: unknown) => typeof value === 'number'
const isOneOf = (all: readonly unknown[], value: unknown) => all.includes(value)

/** Data of another build may have other fields. */
const IS_VALID: Record<keyof Events, (event: Record<string, unknown>) => boolean> = {
  changed: ({ list, version, askInMs }) => isOneOf(FEED_LISTS, list) && isNumber(version) && isNumber(askInMs),
  status: ({ lists }) => isObject(lists),
  triage: ({ list, askInMs }) => isOneOf(LEAD_LISTS, list) && isNumber(askInMs),
  lead: ({ what, id }) => isOneOf(['notes', 'presence'], what) && id !== undefined,
  handover: ({ backInMs }) => isNumber(backInMs),
}
const DATA_EVENTS = ['changed', 'status', 'triage', 'lead'] as const satisfies readonly DataEvent[]

type On = (type: EventName, react: (data: unknown) => void) => void

function listen<Type extends DataEvent>(on: On, type: Type, react: Handler<Type>): void {
  on(type, (data) => {
    const event = read(type, data)
    if (event !== null) react(event)
  })
}

function read<Type extends keyof Events>(type: Type, data: unknown): Events[Type] | null {
  try {
    const event: unknown = JSON.parse(String(data))
    return isObject(event) && IS_VALID[type](event as Record<string, unknown>) ? (event as Events[Type]) : null
  } catch {
    return null
  }
}

const TIME = { schedule: after, random: () => Math.random() }

/** The stream that the user's tabs share. */
export function openStream(userId: string, connect: () => Stream): Stream {
  return openSharedStream({ ...TIME, connect, channel: new BroadcastChannel(`intag:live:${userId}`) })
}

export function followStream(client: QueryClient): Omit<LiveOptions, 'connect' | 'onLive'> {
  return {
    ...TIME,
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
