import { MAX_NOTE_LENGTH } from '@/lib/contract/limits'
import type { Colleague } from '@/lib/contract/user'
import type { findTypedMention } from '@/lib/inbox/mentions'
import { foldText } from '@/lib/leads/comparable-text'

const MAX_COMPLETIONS = 6

/** `note` is the whole text after the choice. */
export type MentionCompletion = { id: string; name: string; note: string; caretAfterName: number }

type TypedMention = NonNullable<ReturnType<typeof findTypedMention>>

/**
 * Lists the colleagues who have a name that begins with the typed letters. It lists nobody once the only match is typed
 * in full, and no name that would make the note too long.
 */
export function completeMention(
  note: string,
  { start, typed }: TypedMention,
  colleagues: readonly Colleague[],
): MentionCompletion[] {
  const namePrefix = foldText(typed.trim())
  const matches = colleagues.filter(({ name }) => ` ${foldText(name)}`.includes(` ${namePrefix}`))
  const isNameComplete = matches.length === 1 && foldText(matches[0]?.name ?? '') === namePrefix
  if (isNameComplete) return []
  const noteAfterMention = note.slice(start + 1 + typed.length)
  const completions = matches.map(({ id, name }) => {
    const noteToName = `${note.slice(0, start)}@${name} `
    return { id, name, note: noteToName + noteAfterMention.replace(/^ /, ''), caretAfterName: noteToName.length }
  })
  return completions.filter((completion) => completion.note.length <= MAX_NOTE_LENGTH).slice(0, MAX_COMPLETIONS)
}
