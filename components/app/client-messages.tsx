import { getLocale, getMessages } from 'next-intl/server'
import type { ReactNode } from 'react'
import type { Messages } from '@/lib/i18n/load-messages'
import { MessagesProvider } from './messages-provider'

export type MessageAreas = readonly (keyof Messages)[]

/** All users share the JSON of the messages, by language and areas. */
const jsonByAreas = new Map<string, string>()

export async function ClientMessages({ areas, children }: { areas: MessageAreas; children: ReactNode }) {
  const key = [await getLocale(), ...areas].join(' ')
  const messages: Messages = await getMessages()
  const json = jsonByAreas.get(key) ?? JSON.stringify(Object.fromEntries(areas.map((area) => [area, messages[area]])))
  jsonByAreas.set(key, json)
  return <MessagesProvider json={json}>{children}</MessagesProvider>
}
