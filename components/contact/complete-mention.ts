import { MAX_NOTE_LENGTH } from '@/lib/contract/limits'
import type { Colleague } from '@/lib/contract/user'
import { foldText } from '@/lib/leads/comparable-text'

const MAX_COMPLETIONS = 6

/**
 * Lists the colleagues with a name that begins with the typed letters, each with the note once the name is inserted.
 * Nobody is listed once the only match is typed in full, and no name that would make the note too long.
 */
export function completeMention(note: string, { start, typed }: TypedMention, colleagues: readonly Colleague[]) {
  const namePrefix = foldText(typed.trim())
  const matches = colleagues.filter(({ name }) => ` ${foldText(name)}`.includes(` ${namePrefix}`))
  if (matches.length === 1 && foldText(matches[0]?.name ?? '') === namePrefix) return []
  const noteAfterMention = note.slice(start + 1 + typed.length).replace(/^ /, '')
  const completions = matches.map(({ id, name }) => {
    const noteToCaret = `${note.slice(0, start)}@${name} `
    return { id, name, note: noteToCaret + noteAfterMention, caret: noteToCaret.length }
  })
  return completions.filter((completion) => completion.note.length <= MAX_NOTE_LENGTH).slice(0, MAX_COMPLETIONS)
}

type TypedMention = { start: number; typed: string }
