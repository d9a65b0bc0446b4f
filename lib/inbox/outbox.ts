import type { LeadRef } from '@/lib/contract/lead'

export const TAKE_BACK_MS = 5_000

export type Parcel<Answer> = {
  lead: LeadRef
  /** The mail's key: a retry is the same mail, which the server sends once. */
  key: string
  send: () => Promise<Answer>
  onSent: (answer: Answer) => void
  onFailed: (error: unknown) => void
  onTakenBack: () => void
}

export type Sending =
  | { is: 'waiting'; until: number }
  | { is: 'sending' }
  | { is: 'failed'; key: string; error: unknown }

type Clock = { now: () => number; schedule: (run: () => void, ms: number) => () => void }

/** They wait until they cannot be taken back. A closed tab loses the waiting ones, so it asks (`isBusy`). */
export function createOutbox({ now, schedule }: Clock) {
  const { of, set, isBusy, subscribe } = createSendings()
  const waiting = new Map<string, { cancel: () => void; go: () => void; onTakenBack: () => void }>()
  const underWay = new Set<Promise<boolean>>()
  const go = <Answer>(parcel: Parcel<Answer>) => {
    waiting.delete(keyOf(parcel.lead))
    const carried = carry(parcel, set)
    underWay.add(carried)
    void carried.finally(() => underWay.delete(carried))
  }
  return {
    of,
    isBusy,
    subscribe,
    /** False while a reply to the same lead is waiting or being sent. */
    begin: <Answer>(parcel: Parcel<Answer>): boolean => {
      const { lead } = parcel
      const before = of(lead)
      if (before !== undefined && before.is !== 'failed') return false
      const leave = () => go(parcel)
      const { onTakenBack } = parcel
      waiting.set(keyOf(lead), { cancel: schedule(leave, TAKE_BACK_MS), go: leave, onTakenBack })
      set(lead, { is: 'waiting', until: now() + TAKE_BACK_MS })
      return true
    },
    takeBack: (lead: LeadRef): boolean => {
      const parcel = waiting.get(keyOf(lead))
      if (parcel === undefined) return false
      waiting.delete(keyOf(lead))
      parcel.cancel()
      set(lead, null)
      parcel.onTakenBack()
      return true
    },
    /** Sends at once what waits; answers within `withinMs` whether all was sent. */
    flush: async (withinMs: number): Promise<boolean> => {
      for (const { cancel, go: leave } of waiting.values()) {
        cancel()
        leave()
      }
      return haveLeft(underWay, schedule, withinMs)
    },
  }
}

const keyOf = ({ kind, id }: LeadRef) => `${kind} ${id}`

function createSendings() {
  const states = new Map<string, Sending>()
  const listeners = new Set<() => void>()
  return {
    of: (lead: LeadRef): Sending | undefined => states.get(keyOf(lead)),
    set: (lead: LeadRef, state: Sending | null): void => {
      if (state === null) states.delete(keyOf(lead))
      else states.set(keyOf(lead), state)
      for (const listener of listeners) listener()
    },
    isBusy: (): boolean => [...states.values()].some(({ is }) => is !== 'failed'),
    subscribe: (listener: () => void): (() => void) => {
      listeners.add(listener)
      return () => void listeners.delete(listener)
    },
  }
}

async function carry<Answer>(
  { lead, key, send, onSent, onFailed }: Parcel<Answer>,
  set: (lead: LeadRef, state: Sending | null) => void,
): Promise<boolean> {
  set(lead, { is: 'sending' })
  let answer: Answer
  try {
    answer = await send()
  } catch (error) {
    set(lead, { is: 'failed', key, error })
    onFailed(error)
    return false
  }
  set(lead, null)
  onSent(answer)
  return true
}

async function haveLeft(
  carried: Iterable<Promise<boolean>>,
  schedule: Clock['schedule'],
  withinMs: number,
): Promise<boolean> {
  let cancel = () => {}
  const late = new Promise<readonly boolean[]>((resolve) => {
    cancel = schedule(() => resolve([false]), withinMs)
  })
  const left = await Promise.race([Promise.all(carried), late])
  cancel()
  return left.every(Boolean)
}
