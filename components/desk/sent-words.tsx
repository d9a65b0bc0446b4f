import { getLocale, getMessages } from 'next-intl/server'
import type { ReactNode } from 'react'
import type { Messages } from '@/lib/i18n/load-messages'
import { Words } from './words'

export type Areas = readonly (keyof Messages)[]

/** Sends the browser the messages that a part of the app needs; the rest stays on the server. */
export async function SentWords({ areas, children }: { areas: Areas; children: ReactNode }) {
  const name = [await getLocale(), ...areas].join(' ')
  // Written once for each language: nobody's messages differ from another's.
  const json = written.get(name) ?? JSON.stringify(picked(await getMessages(), areas))
  written.set(name, json)
  return <Words json={json}>{children}</Words>
}

const written = new Map<string, string>()

function picked(messages: Messages, areas: Areas): Partial<Messages> {
  return Object.fromEntries(areas.map((area) => [area, messages[area]]))
}
