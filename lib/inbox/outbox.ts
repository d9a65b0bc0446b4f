import type { LeadRef } from '@/lib/contract/lead'

/** How long a reply waits in the browser, so that it can be taken back. */
export const TAKE_BACK_MS = 5_000

export type Parcel<Answer> = {
  lead: LeadRef
  /** Names the mail: tried again it is the same mail, which the server sends once. */
  key: string
  send: () => Promise<Answer>
  onSent: (answer: Answer) => void
  onFailed: (error: unknown) => void
}

/** What is with a lead's reply: waiting until a moment (ms), on its way, or not taken and why. */
export type Sending =
  | { is: 'waiting'; until: number }
  | { is: 'sending' }
  | { is: 'failed'; key: string; error: unknown }

type Clock = { now: () => number; schedule: (run: () => void, ms: number) => () => void }

/**
 * Replies that are about to go out. Nothing leaves before its time is over, and until then it can be taken back; it goes on while
 * the person is with another lead. A tab that is closed takes its waiting replies with it, which is why it asks (`isBusy`).
 */
export function createOutbox({ now, schedule }: Clock) {
  const states = new Map<string, Sending>()
  const cancels = new Map<string, () => void>()
  const listeners = new Set<() => void>()
  const keyOf = ({ kind, id }: LeadRef) => `${kind} ${id}`
  const set = (lead: LeadRef, state: Sending | null) => {
    if (state === null) states.delete(keyOf(lead))
    else states.set(keyOf(lead), state)
    for (const listener of listeners) listener()
  }
  const go = async <Answer>({ lead, key, send, onSent, onFailed }: Parcel<Answer>) => {
    cancels.delete(keyOf(lead))
    set(lead, { is: 'sending' })
    let answer: Answer
    try {
      answer = await send()
    } catch (error) {
      set(lead, { is: 'failed', key, error })
      return onFailed(error)
    }
    set(lead, null)
    onSent(answer)
  }
  return {
    of: (lead: LeadRef): Sending | undefined => states.get(keyOf(lead)),
    /** Sends it when its time is over; nothing while one of the same lead is waiting or on its way. */
    begin: <Answer>(parcel: Parcel<Answer>): boolean => {
      const { lead } = parcel
      const before = states.get(keyOf(lead))
      if (before !== undefined && before.is !== 'failed') return false
      const cancel = schedule(() => void go(parcel), TAKE_BACK_MS)
      cancels.set(keyOf(lead), cancel)
      set(lead, { is: 'waiting', until: now() + TAKE_BACK_MS })
      return true
    },
    /** Whether it was still there to be taken back. */
    takeBack: (lead: LeadRef): boolean => {
      const cancel = cancels.get(keyOf(lead))
      if (cancel === undefined) return false
      cancels.delete(keyOf(lead))
      cancel()
      set(lead, null)
      return true
    },
    isBusy: (): boolean => [...states.values()].some(({ is }) => is !== 'failed'),
    subscribe: (listener: () => void): (() => void) => {
      listeners.add(listener)
      return () => void listeners.delete(listener)
    },
  }
}
