import type { LeadRef } from '@/lib/contract/lead'
import type { StorageLike } from './search-text'

/** Which leads have something unsent in this tab. Apart from `drafts`, since every list shows it. */
export const REPLY_PREFIX = 'intag:reply:'
export const MAIL_KEY = 'name'
export const NOTE_PREFIX = 'intag:draft:'
export const SAVING_KEY = 'saving'

export function draftKey(prefix: string, owner: string, { kind, id }: LeadRef, ...more: string[]): string {
  return prefix + JSON.stringify([owner, kind, id, ...more])
}

/** Whether a note was begun, or is being saved. */
export function hasNoteDraft(storage: Pick<StorageLike, 'getItem'>, owner: string, lead: LeadRef): boolean {
  return [[], [SAVING_KEY]].some((more) => storage.getItem(draftKey(NOTE_PREFIX, owner, lead, ...more)) !== null)
}

/** Those that leave in a few seconds: no draft, unless they come back. */
const leaving = new Set<string>()
const listeners = new Set<() => void>()

export const replyMarks = {
  has: (storage: Pick<StorageLike, 'getItem'>, owner: string, lead: LeadRef): boolean => {
    const key = draftKey(REPLY_PREFIX, owner, lead)
    return storage.getItem(key) !== null && !leaving.has(key)
  },
  /** With the key of its mail. */
  forget: (storage: Pick<StorageLike, 'removeItem'>, owner: string, lead: LeadRef): void => {
    for (const more of [[], [MAIL_KEY]]) storage.removeItem(draftKey(REPLY_PREFIX, owner, lead, ...more))
    replyMarks.setLeaving(owner, lead, false)
  },
  setLeaving: (owner: string, lead: LeadRef, isLeaving: boolean): void => {
    leaving[isLeaving ? 'add' : 'delete'](draftKey(REPLY_PREFIX, owner, lead))
    replyMarks.changed()
  },
  changed: (): void => listeners.forEach((listener) => listener()),
  subscribe: (listener: () => void) => {
    listeners.add(listener)
    return () => void listeners.delete(listener)
  },
}
