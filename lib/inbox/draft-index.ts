import type { LeadRef } from '@/lib/contract/lead'

/* Tells which leads have an unsent text in this tab. Every list loads this file, but few screens load `drafts.ts`. */

/* The stored keys never change, so that drafts in open tabs are found after an update. */
export const REPLY_PREFIX = 'intag:reply:'
export const MAIL_KEY_PART = 'name'
export const NOTE_PREFIX = 'intag:draft:'
export const SAVING_KEY_PART = 'saving'

export function toDraftKey(prefix: string, owner: string, { kind, id }: LeadRef, ...parts: string[]): string {
  return prefix + JSON.stringify([owner, kind, id, ...parts])
}

/** Tells whether a note is half written or being saved. */
export function hasNoteDraft(storage: Storage, owner: string, lead: LeadRef): boolean {
  const keys = [toDraftKey(NOTE_PREFIX, owner, lead), toDraftKey(NOTE_PREFIX, owner, lead, SAVING_KEY_PART)]
  return keys.some((key) => storage.getItem(key) !== null)
}

const listeners = new Set<() => void>()
let isBeingSent = (_lead: LeadRef): boolean => false

export const draftIndex = {
  /** The outbox registers itself once it is loaded, so that lists need not load it. */
  connectOutbox: (outbox: { isBeingSent: typeof isBeingSent; subscribe: (listener: () => void) => unknown }): void => {
    isBeingSent = outbox.isBeingSent
    outbox.subscribe(draftIndex.notify)
  },
  /** A reply that is being sent does not count as a draft, unless sending fails. */
  hasReplyDraft: (storage: Storage, owner: string, lead: LeadRef): boolean =>
    storage.getItem(toDraftKey(REPLY_PREFIX, owner, lead)) !== null && !isBeingSent(lead),
  forgetReply: (storage: Storage, owner: string, lead: LeadRef): void => {
    storage.removeItem(toDraftKey(REPLY_PREFIX, owner, lead))
    storage.removeItem(toDraftKey(REPLY_PREFIX, owner, lead, MAIL_KEY_PART))
    draftIndex.notify()
  },
  notify: (): void => listeners.forEach((listener) => listener()),
  subscribe: (listener: () => void) => {
    listeners.add(listener)
    return () => void listeners.delete(listener)
  },
}
