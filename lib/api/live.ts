import type { QueryClient } from '@tanstack/react-query'
import { FEED_LISTS, LEAD_LISTS } from '@/lib/contract/lists'
import type {
  ChangedEvent,
  CountsEvent,
  HandoverEvent,
  LeadEvent,
  StatusEvent,
  TriageEvent,
} from '@/lib/contract/live-event'
import { type SchoolCounts, schoolCountsKey, withCounts } from './queries'
import {
  presenceKey,
  refreshCounts,
  refreshHeads,
  refreshList,
  refreshNotes,
  refreshTriaged,
  STATUS_KEY,
} from './refresh'

const HIDDEN_STREAM_MS = 10 * 60_000
const HIDDEN_CHECK_MS = 5 * 60_000
const SPREAD_MS = 2_000
/** The numbers beside filters are not urgent, and each browser asks for others. */
const NUMBERS_MS = 15_000

/** What keeps a tab up to date: the server's live stream, and a request now and then while nobody looks. */
export function createLive(options: LiveOptions): Live {
  const { schedule, random, onLive, onCheck, onBack, onNumbers } = options
  const later = spreadOut(schedule)
  let isStopped = false
  let hasMissed = false
  let cancelSleep = () => {}
  const shut = () => {
    cancelSleep()
    link.shut()
  }
  const sleep = () => {
    shut()
    cancelSleep = again(schedule, HIDDEN_CHECK_MS, onCheck)
  }
  const askForNumbers = () => later.run('numbers', NUMBERS_MS * (1 + random()), onNumbers)
  const link = createLiveLink(options, {
    onWord: wordsHeard(options, later, askForNumbers),
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
    hide: () => {
      cancelSleep()
      cancelSleep = schedule(HIDDEN_STREAM_MS, sleep)
    },
    wake: () => {
      cancelSleep()
      if (!isStopped && !link.isOpen()) link.open()
    },
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

function again(schedule: LiveOptions['schedule'], everyMs: number, run: () => void): () => void {
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

type Live = {
  start: () => void
  /** Nobody sees the tab: the stream stays for a while, then a request now and then is enough. */
  hide: () => void
  /** The tab is seen again, or the network is back. */
  wake: () => void
  /** The network is away, or the session is about to end. */
  pause: () => void
  stop: () => void
}

export type LiveOptions = {
  connect: () => Stream
  schedule: (delayMs: number, run: () => void) => () => void
  /** In [0, 1). */
  random: () => number
  onChanged: (change: ChangedEvent) => void
  onStatus: (status: StatusEvent) => void
  onCounts: (counts: CountsEvent) => void
  onLead: (event: LeadEvent) => void
  onTriage: (event: TriageEvent) => void
  /** Whether there is a stream; without one the screens poll. */
  onLive: (isLive: boolean) => void
  /** Time for a request without an event: the stream broke (has the session ended?), or the tab sleeps. */
  onCheck: () => void
  /** There is a stream again: decisions of the meantime are in none of its events. */
  onBack: () => void
  onNumbers: () => void
}

function wordsHeard(options: LiveOptions, later: Later, askForNumbers: () => void): { [Type in Word]: Hear<Type> } {
  return {
    status: options.onStatus,
    counts: options.onCounts,
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

type Later = ReturnType<typeof spreadOut>

/** Runs tasks a little later, so that a thousand browsers do not ask at once; of each name only the newest. */
function spreadOut(schedule: LiveOptions['schedule']) {
  const waiting = new Map<string, { task: () => void; cancel: () => void }>()
  return {
    run: (name: string, delayMs: number, task: () => void): void => {
      const before = waiting.get(name)
      if (before !== undefined) return void waiting.set(name, { ...before, task })
      const cancel = schedule(delayMs, () => {
        const newest = waiting.get(name)?.task
        waiting.delete(name)
        newest?.()
      })
      waiting.set(name, { task, cancel })
    },
    cancel: (): void => {
      for (const { cancel } of waiting.values()) cancel()
      waiting.clear()
    },
  }
}

export type Stream = {
  addEventListener: (type: EventName | 'error', listener: (event: { data?: unknown }) => void) => void
  close: () => void
}
type Events = {
  changed: ChangedEvent
  status: StatusEvent
  counts: CountsEvent
  triage: TriageEvent
  lead: LeadEvent
  handover: HandoverEvent
}
type Word = Exclude<keyof Events, 'handover'>
type EventName = keyof Events | 'beat' | 'rest'
type Hear<Type extends keyof Events> = (event: Events[Type]) => void

type LinkEvents = {
  onWord: { [Type in Word]: Hear<Type> }
  onLive: (isLive: boolean) => void
  /** `rest`: the user has too many tabs, and this one is to wait until it is seen again. */
  onEnd: (how: 'lost' | 'handover' | 'rest') => void
}

const SILENCE_MS = 45_000
const FIRST_WAIT_MS = 2_000
const LONGEST_WAIT_MS = 60_000

/** The one live stream of a tab. One that breaks, or is silent (a proxy may swallow it), is opened again, each time later. */
function createLiveLink({ connect, schedule, random }: LiveOptions, { onWord, onLive, onEnd }: LinkEvents) {
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
  const comeBack = (inMs: number) => {
    shut()
    wait(inMs, open)
  }
  const lose = () => {
    onEnd('lost')
    const longest = Math.min(LONGEST_WAIT_MS, FIRST_WAIT_MS * 2 ** failures++)
    comeBack(longest * (0.5 + random() / 2))
  }
  const open = () => {
    const own = connect()
    stream = own
    wait(SILENCE_MS, lose)
    const on: On = (type, react) =>
      own.addEventListener(type, ({ data }) => {
        if (stream !== own) return
        setLive(true)
        wait(SILENCE_MS, lose)
        react(data)
      })
    for (const type of WORDS) hear(on, type, onWord[type] as Hear<Word>)
    // Only a stream that lasts resets the wait, not one that greets and breaks.
    on('beat', () => (failures = 0))
    on('rest', () => onEnd('rest'))
    on('handover', (data) => {
      onEnd('handover')
      comeBack(read('handover', data)?.backInMs ?? FIRST_WAIT_MS)
    })
    own.addEventListener('error', () => stream === own && lose())
  }
  return { open, shut, isOpen: () => stream !== null }
}

const isObject = (value: unknown) => typeof value === 'object' && value !== null
const isNumber = (value: unknown) => typeof value === 'number'
const isOneOf = (all: readonly unknown[], value: unknown) => all.includes(value)

/** Data of another build may have other fields. */
const IS_OURS: Record<keyof Events, (event: Record<string, unknown>) => boolean> = {
  changed: ({ list, version, askInMs }) => isOneOf(FEED_LISTS, list) && isNumber(version) && isNumber(askInMs),
  status: ({ lists }) => isObject(lists),
  counts: ({ list, total, unhandled }) => isOneOf(LEAD_LISTS, list) && isNumber(total) && isObject(unhandled),
  triage: ({ list, askInMs }) => isOneOf(LEAD_LISTS, list) && isNumber(askInMs),
  lead: ({ what, id }) => isOneOf(['notes', 'presence'], what) && id !== undefined,
  handover: ({ backInMs }) => isNumber(backInMs),
}
const WORDS = ['changed', 'status', 'counts', 'triage', 'lead'] as const satisfies readonly Word[]

type On = (type: EventName, react: (data: unknown) => void) => void

function hear<Type extends Word>(on: On, type: Type, react: Hear<Type>): void {
  on(type, (data) => {
    const event = read(type, data)
    if (event !== null) react(event)
  })
}

function read<Type extends keyof Events>(type: Type, data: unknown): Events[Type] | null {
  try {
    const event: unknown = JSON.parse(String(data))
    return isObject(event) && IS_OURS[type](event as Record<string, unknown>) ? (event as Events[Type]) : null
  } catch {
    return null
  }
}

/** What the events mean for the queries of `client`: some are taken over, others make it ask again. */
export function followStream(client: QueryClient): Omit<LiveOptions, 'connect' | 'onLive'> {
  return {
    schedule: (delayMs, run) => {
      const timer = setTimeout(run, delayMs)
      return () => clearTimeout(timer)
    },
    random: Math.random,
    onChanged: (change) => void refreshList(client, change),
    onStatus: (status) => client.setQueryData(STATUS_KEY, status),
    onCounts: (counts) =>
      client.setQueryData<SchoolCounts>(schoolCountsKey(counts.list), (known) => withCounts(known, counts)),
    onLead: ({ what, kind, id }) => {
      if (what === 'notes') void refreshNotes(client, { kind, id })
      else void client.invalidateQueries({ queryKey: presenceKey({ kind, id }) })
    },
    onTriage: ({ list }) => {
      void refreshTriaged(client, list, true)
      void refreshCounts(client, list)
    },
    onNumbers: () => void refreshCounts(client),
    onBack: () => {
      for (const list of LEAD_LISTS) void refreshTriaged(client, list, true)
      void refreshCounts(client)
    },
    onCheck: () => {
      void refreshHeads(client)
      void refreshCounts(client)
    },
  }
}
