import type { LeadList } from '@/lib/contract/lead'
import { FEED_LISTS, LEAD_LISTS } from '@/lib/contract/lists'
import type {
  ChangedEvent,
  CountsEvent,
  HandoverEvent,
  LeadEvent,
  StatusEvent,
  TriageEvent,
} from '@/lib/contract/live-event'

const HIDDEN_STREAM_MS = 10 * 60_000
const HIDDEN_CHECK_MS = 5 * 60_000

/** What keeps a tab up to date: the link to the server's live stream, and what it does instead while nobody looks. */
export function createLive(options: LiveOptions): Live {
  const { schedule, onCheck } = options
  const later = spreadOut(schedule)
  const reactions = reactionsTo(options, later)
  const onRest = () => {
    reactions.onLost()
    sleep()
  }
  const link = createLiveLink({ ...reactions, onRest })
  let isStopped = false
  let cancelSleep = () => {}
  const checkNowAndThen = () => {
    cancelSleep = schedule(HIDDEN_CHECK_MS, () => {
      onCheck()
      checkNowAndThen()
    })
  }
  const sleep = () => {
    cancelSleep()
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
    pause: () => {
      reactions.onAway()
      cancelSleep()
      link.shut()
    },
    stop: () => {
      isStopped = true
      cancelSleep()
      link.shut()
      later.cancel()
    },
  }
}

/** What is done about the words of the stream, and when. */
function reactionsTo(options: LiveOptions, later: Later): Omit<LinkOptions, 'onRest'> {
  const { random, onCheck, onTriage, onBack = () => {}, onNumbers = () => {} } = options
  let isLost = false
  const numbersIn = () => NUMBERS_MS * (1 + random())
  return {
    ...options,
    onChanged: (change) => {
      if (!change.yours) return
      later.run(change.list, change.askInMs, () => options.onChanged(change))
      later.run('numbers', numbersIn(), onNumbers)
    },
    onTriage: (event) => {
      later.run(`triage ${event.list}`, event.askInMs, () => onTriage?.(event))
      later.run('numbers', numbersIn(), onNumbers)
    },
    onAway: () => {
      isLost = true
    },
    onLost: () => {
      isLost = true
      later.run('check', random() * SPREAD_MS, onCheck)
    },
    onLive: (isLive) => {
      options.onLive(isLive)
      if (!isLive || !isLost) return
      isLost = false
      later.run('back', random() * SPREAD_MS, onBack)
    },
  }
}

type Live = {
  start: () => void
  /** Nobody sees the tab: the stream stays for a while, then gives way to a look now and then. */
  hide: () => void
  /** The tab is seen again, or the network is back: no waiting. */
  wake: () => void
  /** Nothing can be asked for: the network is away, or the session is about to end. */
  pause: () => void
  stop: () => void
}

export type LiveOptions = Omit<LinkOptions, 'onLost' | 'onAway' | 'onRest'> & {
  /** Time to ask the server without being told: the stream broke (is the session over?), or the tab sleeps. */
  onCheck: () => void
  /** The stream is there again: what the colleagues decided meanwhile is in none of its events. */
  onBack?: () => void
  /** Numbers beside filters and views may be others now: told a while after a change, once for all that came meanwhile. */
  onNumbers?: () => void
}

const SPREAD_MS = 2_000
/** Nobody works by the numbers beside the filters, and each browser has others. */
const NUMBERS_MS = 15_000

type TaskName = ChangedEvent['list'] | `triage ${LeadList}` | 'check' | 'back' | 'numbers'
type Later = { run: (name: TaskName, delayMs: number, task: () => void) => void; cancel: () => void }

/** Runs tasks a little later, so that a thousand browsers do not ask in one millisecond; of each name only the newest. */
function spreadOut(schedule: LiveOptions['schedule']): Later {
  const waiting = new Map<string, { task: () => void; cancel: () => void }>()
  return {
    run: (name, delayMs, task) => {
      const before = waiting.get(name)
      if (before !== undefined) return void waiting.set(name, { ...before, task })
      const cancel = schedule(delayMs, () => {
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

type LiveLink = { open: () => void; shut: () => void; isOpen: () => boolean }

/** The part of `EventSource` that is used. */
export type Stream = {
  addEventListener: (type: EventName | 'error', listener: (event: { data?: unknown }) => void) => void
  close: () => void
}
type EventName = 'changed' | 'status' | 'counts' | 'triage' | 'lead' | 'beat' | 'rest' | 'handover'

type LinkOptions = {
  connect: () => Stream
  /** Runs it after so many milliseconds; answers what calls that off. */
  schedule: (delayMs: number, run: () => void) => () => void
  /** In [0, 1). */
  random: () => number
  /** A list has this version now, which may be the one on screen. */
  onChanged: (change: ChangedEvent) => void
  onStatus?: (status: StatusEvent) => void
  onCounts?: (counts: CountsEvent) => void
  /** Notes of a lead, or who has it open, changed. */
  onLead?: (event: LeadEvent) => void
  /** Somebody changed status or assignee of leads of a list. */
  onTriage?: (event: TriageEvent) => void
  /** Whether changes are told at the moment; while not, the screens ask by themselves. */
  onLive: (isLive: boolean) => void
  onLost: () => void
  /** The stream ends in good order and another will take its place: nothing is asked before. */
  onAway: () => void
  /** The person has too many tabs: this one is to wait, without a stream, until it is looked at again. */
  onRest: () => void
}

/** More than two of the server's beats. */
const SILENCE_MS = 45_000
const FIRST_WAIT_MS = 2_000
const LONGEST_WAIT_MS = 60_000

/**
 * The one live stream of a tab. A stream that is silent for too long is as good as broken (a proxy may swallow it): it is
 * tried again, each time later. Whoever connects is told every list's version, so that no new lead is missed.
 */
function createLiveLink(options: LinkOptions): LiveLink {
  const { connect, schedule, random, onLive, onAway, onLost } = options
  let stream: Stream | null = null
  let isLive = false
  let failures = 0
  /** What is waited for: the end of the silence, or the next try. */
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
    failures += 1
    onLost()
    comeBack(waitAfter(failures) * (0.5 + random() / 2))
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
    hear(on, options)
    // Only a stream that lasts proves itself: one that greets and breaks is not to be tried ever so often.
    on('beat', () => (failures = 0))
    on('handover', (data) => {
      onAway()
      comeBack(readBackInMs(data))
    })
    own.addEventListener('error', () => stream === own && lose())
  }
  return { open, shut, isOpen: () => stream !== null }
}

type On = (type: EventName, react: (data: unknown) => void) => void

function hear(on: On, options: LinkOptions): void {
  on('status', (data) =>
    passOn(
      readEvent<StatusEvent>(data, ({ lists }) => isObject(lists)),
      options.onStatus,
    ),
  )
  on('counts', (data) => passOn(readCounts(data), options.onCounts))
  on('changed', (data) => passOn(readChanged(data), options.onChanged))
  on('triage', (data) => passOn(readTriage(data), options.onTriage))
  on('lead', (data) => passOn(readLead(data), options.onLead))
  on('rest', options.onRest)
}

function waitAfter(failures: number): number {
  return Math.min(LONGEST_WAIT_MS, FIRST_WAIT_MS * 2 ** (failures - 1))
}

function passOn<Event>(event: Event | null, tell: ((event: Event) => void) | undefined): void {
  if (event !== null) tell?.(event)
}

/** What the data of an event say; null for data of another build, with other fields. */
function readEvent<Event>(data: unknown, isOurs: (event: Partial<Event>) => boolean): Event | null {
  try {
    const event: unknown = JSON.parse(String(data))
    return isObject(event) && isOurs(event as Partial<Event>) ? (event as Event) : null
  } catch {
    return null
  }
}

function isObject(value: unknown): boolean {
  return typeof value === 'object' && value !== null
}

const isNumber = (value: unknown) => typeof value === 'number'
const isOneOf = <T>(all: readonly T[], value: T | undefined) => value !== undefined && all.includes(value)

function readChanged(data: unknown): ChangedEvent | null {
  return readEvent<ChangedEvent>(
    data,
    ({ list, version, askInMs }) => isOneOf(FEED_LISTS, list) && isNumber(version) && isNumber(askInMs),
  )
}

function readCounts(data: unknown): CountsEvent | null {
  return readEvent<CountsEvent>(
    data,
    ({ list, total, unhandled }) => isOneOf(LEAD_LISTS, list) && isNumber(total) && isObject(unhandled),
  )
}

function readTriage(data: unknown): TriageEvent | null {
  return readEvent<TriageEvent>(data, ({ list, askInMs }) => isOneOf(LEAD_LISTS, list) && isNumber(askInMs))
}

function readBackInMs(data: unknown): number {
  return readEvent<HandoverEvent>(data, ({ backInMs }) => isNumber(backInMs))?.backInMs ?? FIRST_WAIT_MS
}

function readLead(data: unknown): LeadEvent | null {
  return readEvent<LeadEvent>(data, ({ what, id }) => isOneOf(['notes', 'presence'], what) && id !== undefined)
}
