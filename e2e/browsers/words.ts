import { readFileSync } from 'node:fs'

/** A text of the app in Swedish, `inbox/triage.undo`, as it stands in the messages. */
export function word(place: string): string {
  const [file, path = ''] = place.split('/')
  const messages: unknown = JSON.parse(readFileSync(`lib/i18n/messages/sv/${file}.json`, 'utf8'))
  const text = path
    .split('.')
    .reduce<unknown>((part, key) => (part as Record<string, unknown> | undefined)?.[key], messages)
  if (typeof text !== 'string') throw new Error(`There is no text ${place}`)
  return text
}

/** A text with one number in it, whatever the number and the form of the words around it. */
export function counted(place: string): RegExp {
  const before = word(place).split('{')[0] ?? ''
  return new RegExp(`^${before}\\d`)
}
