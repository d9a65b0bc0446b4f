import type { LeadRef } from '@/lib/contract/lead'

/* Tells which leads have an unsent text in this tab. Every list needs this, and few need `drafts.ts`. */

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
let isLeaving = (_lead: LeadRef): boolean => false

export const draftIndex = {
  /** The outbox registers itself once it is loaded, so that lists need not load it. */
  connectOutbox: (outbox: { isLeaving: typeof isLeaving; subscribe: (listener: () => void) => unknown }): void => {
    isLeaving = outbox.isLeaving
    outbox.subscribe(draftIndex.notify)
  },
  /** A reply on its way out is no draft, unless it comes back. */
  hasReplyDraft: (storage: Storage, owner: string, lead: LeadRef): boolean =>
    storage.getItem(toDraftKey(REPLY_PREFIX, owner, lead)) !== null && !isLeaving(lead),
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
