import type { LeadRef } from '@/lib/contract/lead'
import { forgetKeys, type StorageLike } from './tab-storage'

type NoteDrafts = { read: (lead: LeadRef) => string; write: (lead: LeadRef, text: string) => void }

export const NOTE_PREFIX = 'intag:draft:'

/**
 * What was begun and not yet saved, per person and lead: it outlives a change of lead and a reload, and ends with the tab.
 * `owner` is the signed-in person, so that nobody meets another's words.
 */
export function createNoteDrafts(storage: StorageLike, owner: string): NoteDrafts {
  const keyOf = ({ kind, id }: LeadRef) => `${NOTE_PREFIX}${JSON.stringify([owner, kind, id])}`
  return {
    read: (lead) => storage.getItem(keyOf(lead)) ?? '',
    write: (lead, text) => {
      if (text.trim() === '') return storage.removeItem(keyOf(lead))
      try {
        storage.setItem(keyOf(lead), text)
      } catch {
        // Storage may be full or forbidden; the text is still in the field.
      }
    },
  }
}

/** Forgets every draft of this tab; for the end of the session. */
export function forgetNoteDrafts(storage: StorageLike): void {
  forgetKeys(storage, (key) => key.startsWith(NOTE_PREFIX))
}
